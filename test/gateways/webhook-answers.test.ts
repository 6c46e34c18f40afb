import test, { type ExecutionContext } from 'ava';
import { createHttpsWebhookSender } from '../../gateways/webhook-sender/https-webhook-sender.ts';
import { createGuardedAgent } from '../../platform/guarded-agent.ts';
import { present } from '../support/clock.ts';
import { startHostileReceiver, type Behaviour } from '../support/hostile-receiver.ts';
import { closes, head, oddAnswers, oddHandshakes, says } from '../support/odd-answers.ts';
import { late, outcomesOfAnswers, reasonsOfHandshakes, type OddOutcome } from '../support/odd-outcomes.ts';
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

const lateInLog = 'did not answer within 1 seconds';

/** As the log says it. */
function loggedAs({ status, reason }: OddOutcome): string {
  if (reason === null) return status === 200 ? 'HTTP 200 delivered' : `HTTP ${status}`;
  const said = reason === late ? lateInLog : reason;
  return status === 200 ? `HTTP 200, but the answer was never complete: ${said}` : said;
}

const rows = Object.entries(oddAnswers('ok')).map(([name, behaviour]) => {
  const outcome = outcomesOfAnswers[name as keyof typeof outcomesOfAnswers];
  return { name, behaviour, wanted: loggedAs(outcome), hangs: outcome.reason === late };
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

test('a handshake that fails says why, and nothing was sent', async (t) => {
  for (const [name, behaviour] of Object.entries(oddHandshakes))
    t.is(await outcomeOf(t, behaviour), reasonsOfHandshakes[name as keyof typeof oddHandshakes], name);
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
