import test, { type ExecutionContext } from 'ava';
import { createHttpsWebhookSender } from '../../gateways/webhook-sender/https-webhook-sender.ts';
import { createGuardedAgent } from '../../platform/guarded-agent.ts';
import { present } from '../support/clock.ts';
import { startHostileReceiver, type Behaviour } from '../support/hostile-receiver.ts';
import { closes, head, oddAnswers, oddHandshakes, says } from '../support/odd-answers.ts';
import { createAuthority, issueSelfSigned, type TestCertificate } from './support/certificates.ts';
import { localCertificate } from './support/local-server.ts';

const timeoutMs = 60_000;

/** What the log says after two events, one after the other: `HTTP 200 delivered`, or why not. */
async function outcomeOf(
  t: ExecutionContext,
  behaviour: Behaviour,
  { certificate, hangsForMs }: { certificate?: TestCertificate; hangsForMs?: number } = {},
): Promise<string> {
  const local = await localCertificate();
  const receiver = await startHostileReceiver(behaviour, { certificate: certificate ?? local.certificate });
  const agent = createGuardedAgent({ allowPrivateNetworks: true, authorities: local.authority.pem });
  t.teardown(async () => {
    await agent.destroy();
    await receiver.close();
  });
  const sender = createHttpsWebhookSender({ agent, timeoutMs: hangsForMs ?? timeoutMs });
  const send = async (): Promise<string> => {
    const outcome = await sender.send({ url: receiver.url, body: Buffer.from('{"a":1}'), headers: {} });
    if (outcome.kind === 'failed') return outcome.error;
    t.true(['', 'ok'].includes(outcome.responseStart), outcome.responseStart);
    return `HTTP ${outcome.httpStatus} delivered`;
  };
  const first = await send();
  if (hangsForMs === undefined) t.is(await send(), first);
  return first;
}

const delivered = 'HTTP 200 delivered';
const closed = 'connection was closed before the answer was complete';
const late = 'did not answer within 1 seconds';
const incomplete = (reason: string): string => `HTTP 200, but the answer was never complete: ${reason}`;
const invalid = (reason: string): string => `answer is not valid HTTP: ${reason}`;
const wrongLength = invalid(
  'its Content-Length stands there twice, is too large or is beside Transfer-Encoding, or a line after it is wrong',
);

const answers: Readonly<Record<keyof ReturnType<typeof oddAnswers>, string>> = {
  'a length': delivered,
  'no length and the end of the connection': delivered,
  'no length and no end': incomplete(late),
  'a length of nothing': delivered,
  'a length and nothing more, then the end': incomplete(closed),
  'a length and half of it, then the end': incomplete(closed),
  'a length and half of it, Connection: close, then the end': incomplete(closed),
  'a length and half of it, then a reset': incomplete(closed),
  'a length and half of it, then nothing': incomplete(late),
  'a length and more than it': delivered,
  'a length that is no number': invalid('Invalid character in Content-Length'),
  'a length with a sign': invalid('Invalid character in Content-Length'),
  'a length below zero': invalid('Invalid character in Content-Length'),
  'an empty length': invalid('Empty Content-Length'),
  'a length beyond all numbers': wrongLength,
  'the same length twice': wrongLength,
  'the same length twice on one line': wrongLength,
  'two lengths': wrongLength,
  'a length, then chunked': wrongLength,
  'chunked, then a length': invalid("Content-Length can't be present with Transfer-Encoding"),
  'identity and a length': invalid("Content-Length can't be present with Transfer-Encoding"),
  chunks: delivered,
  'chunks with a trailer': delivered,
  'chunks with an extension': delivered,
  'chunks in capitals': delivered,
  'chunks without the last, then the end': incomplete(closed),
  'chunks without the last line, then the end': incomplete(closed),
  'chunks without a number': incomplete(invalid('Invalid character in chunk size')),
  'chunks by HTTP/1.0': delivered,
  'gzip as transfer coding, then the end': delivered,
  'HTTP/1.0 and the end': delivered,
  'HTTP/1.0, a length and Keep-Alive': delivered,
  'HTTP/1.2': invalid('Invalid HTTP version'),
  'HTTP/2 in text': delivered,
  'a body without a head, then the end': invalid('Expected HTTP/, RTSP/ or ICE/'),
  'the head of SHOUTcast': invalid('Expected HTTP/, RTSP/ or ICE/'),
  'the banner of SSH': invalid('Expected HTTP/, RTSP/ or ICE/'),
  'lines without CR': invalid('Missing expected CR after response line'),
  'an empty line first': delivered,
  'no reason': delivered,
  'a status of two digits': invalid('Invalid status code'),
  'a status of four digits': invalid('Invalid response status'),
  'a status below 100': invalid('its status is not one that answers the request'),
  'a status above 599': 'HTTP 799',
  'a header without a colon': invalid('Invalid header token'),
  'a header without a colon after the length': wrongLength,
  'a blank before a colon': invalid('Invalid header field char'),
  'a header on two lines': invalid('Unexpected whitespace after header value'),
  'a NUL in a header': invalid('Invalid header value char'),
  'UTF-8 in a header': delivered,
  'a second answer behind': delivered,
  'the end before the answer': closed,
  'a reset before the answer': closed,
  'half a head, then the end': closed,
  'half a head, then nothing': late,
  'the whole answer, then a reset': delivered,
  '100 first': delivered,
  '100 with a length first': delivered,
  '100 twice': delivered,
  '100, 103, 100': delivered,
  '100 by HTTP/1.0': invalid('it begins with a 100 Continue of HTTP/1.0'),
  '100 and the answer byte by byte': delivered,
  '100 and nothing more': late,
  '100, then the end': closed,
  '100, then 500': 'HTTP 500',
  '100 thirty times': 'answer has too many headers',
  '100 with endless headers': 'answer has too many headers',
  '102 first': delivered,
  '103 with a length first': delivered,
  '103, then the end': closed,
  '102 thirty times': 'answer has too many headers',
  '199 first': delivered,
  '101 without a protocol': invalid('its status is not one that answers the request'),
  '101 to another protocol': invalid('it changes to a protocol that was not asked for'),
  'another protocol offered': delivered,
};

const rows = Object.entries(oddAnswers('ok')).map(([name, behaviour]) => {
  const wanted = answers[name as keyof typeof answers];
  return { name, behaviour, wanted, hangs: wanted.includes(late) };
});

for (const { name, behaviour, wanted } of rows.filter((row) => !row.hangs))
  test(`an answer with ${name}: ${wanted}`, async (t) => {
    t.is(await outcomeOf(t, behaviour), wanted);
  });

/** A busy machine may need seconds for the handshake alone, so what was cut off too early is tried with twice the time. */
async function outcomeOfHanging(t: ExecutionContext, behaviour: Behaviour, wanted: string): Promise<string> {
  for (let seconds = 1; ; seconds *= 2) {
    const outcome = await outcomeOf(t, behaviour, { hangsForMs: seconds * 1_000 });
    const found = outcome.replace(`within ${seconds} seconds`, 'within 1 seconds');
    if (found === wanted || seconds === 32) return found;
  }
}

test('an answer that does not end fails when the time is up, and its log says how far it came', async (t) => {
  const hanging = rows.filter((row) => row.hangs);
  t.is(hanging.length, 4);
  for (const { name, behaviour, wanted } of hanging) t.is(await outcomeOfHanging(t, behaviour, wanted), wanted, name);
});

test('of whole answers every 2xx counts as delivered and nothing else, and redirects are called that', async (t) => {
  const refused: Readonly<Record<number, string>> = {
    410: 'HTTP 410: the receiver asks not to be sent this again',
    ...Object.fromEntries(
      [300, 301, 302, 303, 305, 307, 308].map((status) => [status, `HTTP ${status}: redirects are not followed`]),
    ),
  };
  const statuses = [200, 201, 202, 203, 206, 207, 208, 226, 299, 300, 301, 302, 303, 305, 306, 307, 308, 399].concat(
    [400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 413, 415, 417, 418, 421, 422, 425, 426, 429, 451, 499],
    [500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 529, 599, 600],
  );
  for (const status of statuses) {
    const answer = head(`${status} Status`, 'content-length: 2', 'location: /elsewhere', 'retry-after: 60');
    const wanted = status < 300 ? `HTTP ${status} delivered` : (refused[status] ?? `HTTP ${status}`);
    t.is(await outcomeOf(t, says(`${answer}ok`)), wanted, `${status}`);
  }
});

const withoutBody: Readonly<Record<string, Behaviour>> = {
  'no header': says(head('204 No Content')),
  'a length of nothing': says(head('204 No Content', 'content-length: 0')),
  'a length': says(head('204 No Content', 'content-length: 5')),
  'a length and the end': closes(head('204 No Content', 'content-length: 5')),
  'a length and its bytes': says(`${head('204 No Content', 'content-length: 5')}hello`),
  'a length and half of its bytes': says(`${head('204 No Content', 'content-length: 5')}he`),
  'bytes without a length': says(`${head('204 No Content')}hello`),
  chunked: says(head('204 No Content', 'transfer-encoding: chunked')),
  'chunked and chunks': says(`${head('204 No Content', 'transfer-encoding: chunked')}2\r\nok\r\n0\r\n\r\n`),
  'Connection: close and no end': says(head('204 No Content', 'connection: close')),
  'a length and Connection: close': says(head('204 No Content', 'content-length: 5', 'connection: close')),
  'a type and a length': says(head('204 No Content', 'content-type: application/json', 'content-length: 2')),
  'HTTP/1.0': closes(head('204 No Content').replace('1.1', '1.0')),
};

test('a status that forbids a body ends with its headers, whatever they and the bytes behind them say', async (t) => {
  for (const [name, behaviour] of Object.entries(withoutBody))
    t.is(await outcomeOf(t, behaviour), 'HTTP 204 delivered', name);
  const resets = ['content-length: 0', 'content-length: 5', 'transfer-encoding: chunked', 'x-none: 1'];
  for (const line of resets) {
    t.is(await outcomeOf(t, says(head('205 Reset Content', line))), 'HTTP 205 delivered', line);
    t.is(await outcomeOf(t, says(head('304 Not Modified', line))), 'HTTP 304', line);
  }
});

const handshakes: Readonly<Record<keyof typeof oddHandshakes, string>> = {
  'the connection closed': closed,
  'the connection reset': closed,
  'plain HTTP': 'TLS connection failed: the port does not speak TLS',
  'half a hello': closed,
  'TLS 1.1 at most': 'TLS connection failed: TLS 1.2 or later is needed',
  'no cipher in common': 'TLS connection failed: no cipher in common, or the server asks for a client certificate',
  'HTTP/2 only': 'TLS connection failed: the server does not offer HTTP/1.1',
  'another name': 'TLS connection failed: the server does not know this host name',
  'a handshake failure': 'TLS connection failed: no cipher in common, or the server asks for a client certificate',
};

test('a handshake that fails says why, and nothing was sent', async (t) => {
  for (const [name, behaviour] of Object.entries(oddHandshakes))
    t.is(await outcomeOf(t, behaviour), handshakes[name as keyof typeof handshakes], name);
});

test('a certificate that is not trusted says why', async (t) => {
  const { authority } = await localCertificate();
  const stranger = await createAuthority('stranger');
  const dayMs = 86_400_000;
  const certificates: Readonly<Record<string, TestCertificate>> = {
    'it has expired': await authority.issue(['127.0.0.1'], { notAfter: present(-dayMs) }),
    'it is for another host name': await authority.issue(['other.example', '127.0.0.2']),
    'it is self-signed': await issueSelfSigned(['127.0.0.1']),
    'its issuer is unknown or an intermediate certificate is missing': await stranger.issue(['127.0.0.1']),
  };
  for (const [reason, certificate] of Object.entries(certificates))
    t.is(
      await outcomeOf(t, says(head('204 No Content')), { certificate }),
      `TLS certificate not trusted: ${reason}`,
      reason,
    );
});
