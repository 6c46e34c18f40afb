import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { describeImageFailure } from '../../features/images/rules/image-failure.ts';
import { createImageDownload } from '../../gateways/image-process/download-image.ts';
import { UnusableImage } from '../../gateways/image-process/port.ts';
import { createGuardedAgent } from '../../platform/guarded-agent.ts';
import { present } from '../support/clock.ts';
import { startHostileReceiver, type Behaviour } from '../support/hostile-receiver.ts';
import { closes, head, oddAnswers, oddHandshakes, says } from '../support/odd-answers.ts';
import { late, outcomesOfAnswers, reasonsOfHandshakes, type OddOutcome } from '../support/odd-outcomes.ts';
import { createAuthority, issueSelfSigned, type TestCertificate } from './support/certificates.ts';
import { localCertificate } from './support/local-server.ts';

/** A picture to those who look at its first bytes, as all do here; what follows is too long for one line of zlib's window. */
const picture = Buffer.from(
  `\x89PNG\r\n\x1A\n${Array.from({ length: 2_000 }, (_, n) => `${n}:${(n * n) % 97}`).join()}`,
  'latin1',
);
const timeoutMs = 60_000;
/** A busy machine needs seconds for a handshake. */
const shortTimeoutMs = 4_000;

/** `taken`, or whether it is tried again and why it failed, of two downloads one after the other. */
async function outcomeOf(
  t: ExecutionContext,
  behaviour: Behaviour,
  options: { certificate?: TestCertificate; hangs?: boolean } = {},
): Promise<string> {
  const local = await localCertificate();
  const receiver = await startHostileReceiver(behaviour, { certificate: options.certificate ?? local.certificate });
  const agent = createGuardedAgent({ allowPrivateNetworks: true, authorities: local.authority.pem });
  t.teardown(async () => {
    await agent.destroy();
    await receiver.close();
  });
  const fetchImage = createImageDownload({ agent, timeoutMs: options.hangs === true ? shortTimeoutMs : timeoutMs });
  const download = async (): Promise<string> => {
    try {
      return (await fetchImage(receiver.url)).equals(picture) ? 'taken' : 'something else was taken';
    } catch (error) {
      if (!(error instanceof UnusableImage)) throw error;
      return `${error.retry}: ${describeImageFailure(error.failure)}`;
    }
  };
  const first = await download();
  if (options.hangs !== true) t.is(await download(), first);
  return first;
}

const taken = 'taken';
const lost = (reason: string): string => `soon: the connection to the image server was lost (${reason})`;
const tooSlow = `soon: the image server is too slow (after ${shortTimeoutMs / 1000} s)`;
const serverFault = (status: number): string =>
  `soon: the image server has a fault: send the item again when it works (HTTP ${status})`;

/** As the item says it. */
function toldAs(name: string, { status, reason }: OddOutcome): string {
  if (name === 'a length of nothing') return 'never: the image server sent an empty file';
  if (reason === null) return status === 200 ? taken : serverFault(status);
  return reason === late ? tooSlow : lost(reason);
}

const rows = Object.entries(oddAnswers(picture.toString('latin1'))).map(([name, behaviour]) => {
  const outcome = outcomesOfAnswers[name as keyof typeof outcomesOfAnswers];
  return { name, behaviour, wanted: toldAs(name, outcome), hangs: outcome.reason === late };
});

for (const { name, behaviour, wanted } of rows.filter((row) => !row.hangs))
  test(`an image with ${name}: ${wanted}`, async (t) => {
    t.is(await outcomeOf(t, behaviour), wanted);
  });

// Alone, because its time is short and the others make a busy machine.
test.serial('an image that does not end fails when the time is up', async (t) => {
  const hanging = rows.filter((row) => row.hangs);
  t.is(hanging.length, 4);
  const outcomes = await Promise.all(hanging.map(({ behaviour }) => outcomeOf(t, behaviour, { hangs: true })));
  for (const [at, { name, wanted }] of hanging.entries()) t.is(outcomes[at], wanted, name);
});

const ofStatus: Readonly<Record<string, readonly number[]>> = {
  [taken]: [200, 203],
  'later: there is no image at this address': [202, 404],
  'later: the image server gives no access: the image must be public': [403],
  'later: the image server has a fault: send the item again when it works': [425],
  'never: there is no image at this address': [410],
  'never: the image server gives no access: the image must be public': [401],
  'never: the image server sent an empty file': [204, 205],
  'never: the image server did not send the whole image': [201, 206, 207, 226, 299],
  'never: the image server refused': [
    300, 304, 305, 306, 399, 400, 402, 405, 406, 409, 415, 416, 418, 421, 422, 451, 499,
  ],
  'soon: the image server was asked for too many images: send the item again later': [429],
  'soon: the image server has a fault: send the item again when it works': [
    ...[408, 500, 501, 502, 503, 504, 507, 511, 520, 599],
  ],
};

test('a status says why there is no image, and whether it is worth another try', async (t) => {
  for (const [wanted, statuses] of Object.entries(ofStatus))
    for (const status of statuses) {
      const answer = head(`${status} Status`, `content-length: ${picture.length}`) + picture.toString('latin1');
      t.is(await outcomeOf(t, says(answer)), wanted === taken ? taken : `${wanted} (HTTP ${status})`);
    }
});

test('a handshake that fails and a certificate that is not trusted say why', async (t) => {
  for (const [name, behaviour] of Object.entries(oddHandshakes))
    t.is(await outcomeOf(t, behaviour), lost(reasonsOfHandshakes[name as keyof typeof oddHandshakes]), name);
  const { authority } = await localCertificate();
  const dayMs = 86_400_000;
  const certificates: Readonly<Record<string, TestCertificate>> = {
    'it has expired': await authority.issue(['127.0.0.1'], { notAfter: present(-dayMs) }),
    'it is for another host name': await authority.issue(['other.example']),
    'it is self-signed': await issueSelfSigned(['127.0.0.1']),
    'its issuer is unknown or an intermediate certificate is missing': await (
      await createAuthority('stranger')
    ).issue(['127.0.0.1']),
  };
  for (const [reason, certificate] of Object.entries(certificates))
    t.is(
      await outcomeOf(t, says(head('204 No Content')), { certificate }),
      `never: the certificate of the image server is not trusted (TLS certificate not trusted: ${reason})`,
    );
});

/** A 200 with these bytes; without an encoding the header is left out. */
const sends = (body: Buffer, encoding?: string): Behaviour =>
  says(
    head(
      '200 OK',
      `content-length: ${body.length}`,
      ...(encoding === undefined ? [] : [`content-encoding: ${encoding}`]),
    ) + body.toString('latin1'),
  );

const packed = {
  gzip: gzipSync(picture),
  deflate: deflateSync(picture),
  'raw deflate': deflateRawSync(picture),
  br: brotliCompressSync(picture),
};

test('a picture that was packed although that was not asked for is unpacked, whatever its host says of it', async (t) => {
  for (const [name, body] of Object.entries(packed))
    for (const encoding of [
      name.replace('raw ', ''),
      name === 'gzip' ? 'x-gzip' : name.toUpperCase().replace('RAW ', ''),
    ])
      t.is(await outcomeOf(t, sends(body, encoding)), taken, `${name} as ${encoding}`);
  for (const name of ['gzip', 'deflate', 'br'] as const) {
    t.is(await outcomeOf(t, sends(packed[name])), taken, `${name} without a word`);
    t.is(await outcomeOf(t, sends(packed[name], 'identity')), taken, `${name} as identity`);
  }
  for (const said of ['deflate', 'br', 'zstd'])
    t.is(await outcomeOf(t, sends(packed.gzip, said)), taken, `gzip as ${said}`);
  for (const said of ['gzip', 'x-gzip', 'deflate', 'br', 'compress', 'zstd', 'aws-chunked', 'nonsense'])
    t.is(await outcomeOf(t, sends(picture, said)), taken, `plain as ${said}`);
  for (const kind of ['\xff\xd8\xff\xe0 a JPEG', 'GIF89a and more', 'RIFF0000WEBPVP8 ', '\0\0\0\x18ftypavif and more'])
    t.is(await outcomeOf(t, sends(Buffer.from(kind, 'latin1'), 'gzip')), 'something else was taken', kind);
});

test('a packed picture that is broken is damaged, and what is no picture is not one', async (t) => {
  const [damaged, noImage] = [
    'never: the file is damaged',
    'never: the file is not a JPEG, PNG, GIF, WebP or AVIF image',
  ];
  t.is(await outcomeOf(t, sends(packed.gzip.subarray(0, -20), 'gzip')), damaged);
  t.is(await outcomeOf(t, sends(packed.deflate.subarray(0, 200), 'deflate')), damaged);
  t.is(await outcomeOf(t, sends(packed.br.subarray(0, 100), 'br')), damaged);
  for (const text of [
    '<!doctype html><title>Sorry</title>',
    '{"error":"gone"}',
    '%PDF-1.7 and more',
    'x',
    'BM bitmap of old',
  ])
    t.not(await outcomeOf(t, sends(Buffer.from(text))), taken, text);
  t.is(await outcomeOf(t, sends(Buffer.from('<!doctype html><title>Sorry</title>'))), noImage);
});

test('what unpacks to more than an image may have is too large, and little of it is unpacked', async (t) => {
  const bomb = Buffer.concat([picture, Buffer.alloc(30_000_000)]);
  const tooLarge = 'never: the file is too large (at most 20 MB)';
  t.is(await outcomeOf(t, sends(gzipSync(bomb), 'gzip')), tooLarge);
  t.is(await outcomeOf(t, sends(gzipSync(bomb))), tooLarge);
  t.is(await outcomeOf(t, sends(deflateSync(bomb), 'deflate')), tooLarge);
  t.is(await outcomeOf(t, sends(brotliCompressSync(bomb), 'br')), tooLarge);
  t.is(await outcomeOf(t, closes(head('200 OK') + bomb.toString('latin1'))), tooLarge);
});
