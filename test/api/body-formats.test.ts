import { PassThrough } from 'node:stream';
import { mock } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import test from 'ava';
import type { Request } from 'express';
import { readJsonBody } from '../../api/http/read-json-body.ts';
import { readForm } from '../../api/public-page/read-form.ts';
import { isError, withApiWorld, type Reply } from '../support/api-world.ts';

// One rule for all bodies: what an item may be sent as, a bulk sync may be sent as, too.

const world = withApiWorld(test);

const item = { title: 'Bromsskiva', price: 149.5, imageUrls: [] };
const bodies = {
  PUT: { method: 'PUT', path: '/integration/v1/items/A', type: 'application/json', text: JSON.stringify(item) },
  batch: {
    method: 'POST',
    path: '/integration/v1/items/batch',
    type: 'application/json',
    text: JSON.stringify({ items: [{ externalId: 'A', ...item }] }),
  },
  'bulk sync': {
    method: 'POST',
    path: '/integration/v1/bulk-syncs?validateOnly=true',
    type: 'application/x-ndjson',
    text: `${JSON.stringify({ externalId: 'A', ...item })}\n`,
  },
} as const;
type BodyName = keyof typeof bodies;

const bodyNames = Object.keys(bodies) as BodyName[];

const plain = (text: string): Buffer => Buffer.from(text);

interface Sent {
  readonly bytes?: (text: string) => Buffer;
  readonly encoding?: string;
  /** Behind the media type. */
  readonly parameters?: string;
}

async function send(name: BodyName, { bytes = plain, encoding, parameters = '' }: Sent): Promise<Reply> {
  const { apiKey } = await world().account();
  const { method, path, type, text } = bodies[name];
  return world().call(method, path, {
    apiKey,
    raw: new Uint8Array(bytes(text)),
    headers: {
      'content-type': type + parameters,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
  });
}

const packings: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['identity', plain],
  ['Identity', plain],
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['x-gzip', gzipSync],
  ['X-GZip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', (text) => deflateSync(text, { level: 0 })],
  ['deflate', (text) => deflateSync(text, { level: 9, windowBits: 9 })],
  ['Deflate', deflateRawSync],
  ['deflate', (text) => deflateRawSync(text, { level: 0 })],
  ['deflate', (text) => deflateRawSync(text, { strategy: 4 })],
  ['br', brotliCompressSync],
  ['BR', brotliCompressSync],
];

for (const name of bodyNames)
  test(`${name}: gzip, x-gzip, deflate with and without zlib’s head, and br are unpacked`, async (t) => {
    for (const [encoding, bytes] of packings) {
      const reply = await send(name, { encoding, bytes });
      t.true([200, 202, 207].includes(reply.status), `${encoding}: ${reply.text}`);
    }
  });

for (const name of bodyNames)
  test(`${name}: UTF-8 and ASCII are taken, however they are written, and no other charset`, async (t) => {
    const taken = ['utf-8', 'UTF-8', 'utf8', '"utf-8"', 'us-ascii', 'US-ASCII', 'ascii', '"us-ascii"'];
    for (const charset of taken) {
      const reply = await send(name, { parameters: `; charset=${charset}` });
      t.true([200, 202, 207].includes(reply.status), `${charset}: ${reply.text}`);
    }
    for (const parameters of [';Charset=UTF-8', '; charset = utf-8', ';', '; profile=x; charset=utf-8', ' ; a=b'])
      t.true([200, 202, 207].includes((await send(name, { parameters })).status), parameters);
    for (const charset of ['iso-8859-1', 'utf-16', 'windows-1252', 'latin1', 'utf-7', 'ansi']) {
      const reply = await send(name, { parameters: `; charset=${charset}` });
      isError(t, reply, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
      t.is(reply.body.error, 'The charset is not supported: JSON is UTF-8');
    }
  });

for (const name of bodyNames)
  test(`${name}: what is packed otherwise, or is not what its header says, is refused by that name`, async (t) => {
    for (const encoding of ['zstd', 'compress', 'gzip, gzip', 'gzip;q=1', 'rot13', 'utf-8', 'aws-chunked']) {
      const reply = await send(name, { encoding });
      isError(t, reply, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
      t.is(reply.body.error, 'The Content-Encoding is not supported: send gzip, deflate, br or none');
    }
    const wrong: readonly (readonly [string, (text: string) => Buffer])[] = [
      ['gzip', plain],
      ['x-gzip', deflateSync],
      ['deflate', plain],
      ['br', gzipSync],
      ['gzip', (text) => gzipSync(text).subarray(0, -6)],
      ['deflate', (text) => deflateRawSync(text).subarray(0, -6)],
      ['br', (text) => brotliCompressSync(text).subarray(0, -6)],
    ];
    for (const [encoding, bytes] of wrong) {
      const reply = await send(name, { encoding, bytes });
      isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
      t.is(reply.body.error, 'The body is not what its Content-Encoding says', encoding);
    }
  });

for (const name of ['PUT', 'batch'] as const)
  test(`${name}: a bomb is refused at the limit of the path, however it is packed`, async (t) => {
    const bomb = JSON.stringify({ ...item, title: 'x'.repeat(6 * 1024 * 1024) });
    for (const [encoding, pack] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
      ['br', brotliCompressSync],
    ] as const) {
      const reply = await send(name, { encoding, bytes: () => pack(bomb) });
      isError(t, reply, { status: 413, code: 'PAYLOAD_TOO_LARGE' });
      t.is(reply.body.error, `The body is larger than ${name === 'PUT' ? 1 : 5} MB`);
    }
  });

test('bulk sync: a bomb is refused by how much it unpacks to, however it is packed', async (t) => {
  const line = `${JSON.stringify({ externalId: 'A', ...item, description: ' '.repeat(500_000) })}\n`;
  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ] as const) {
    const reply = await send('bulk sync', { encoding, bytes: () => pack(line.repeat(60)) });
    isError(t, reply, { status: 413, code: 'PAYLOAD_TOO_LARGE' });
    t.regex(String(reply.body.error), /unpacks to more than 200 times/);
  }
});

const silent = (contentType: string): Request =>
  Object.assign(new PassThrough(), {
    headers: { 'content-type': contentType, 'content-length': '4000' },
  }) as unknown as Request;

/** What is read is begun, and the minute is over, before any other work of this process goes on. */
function aMinuteLater(read: () => Promise<unknown>): Promise<unknown> {
  mock.timers.enable({ apis: ['setTimeout'] });
  const reading = read();
  mock.timers.tick(60_000);
  mock.timers.reset();
  return reading;
}

test('408: a body that never comes is not waited for longer than a minute, be it JSON or a form', async (t) => {
  const json = { credential: 'none', request: { schema: {} } } as const;
  for (const read of [
    () => readJsonBody(silent('application/json'), json),
    () => readForm(silent('application/x-www-form-urlencoded'), new Set()),
  ])
    await t.throwsAsync(aMinuteLater(read), { code: 'REQUEST_TIMEOUT' });
});
