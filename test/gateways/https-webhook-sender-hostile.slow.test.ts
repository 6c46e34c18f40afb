import { createServer } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createHttpsWebhookSender } from '../../gateways/webhook-sender/https-webhook-sender.ts';
import type { AttemptOutcome } from '../../gateways/webhook-sender/port.ts';
import { createGuardedAgent } from '../../platform/guarded-agent.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import {
  answer,
  answersAfter,
  hostileBehaviours,
  redirectsTo,
  type HostileBehaviour,
} from '../support/hostile-behaviours.ts';
import { startHostileReceiver, type Behaviour, type HostileReceiver } from '../support/hostile-receiver.ts';
import { createAuthority, issueSelfSigned, type TestCertificate } from './support/certificates.ts';
import { localCertificate } from './support/local-server.ts';
import { present } from '../support/clock.ts';

/** Receivers that hang get this; it is short, because the length itself is of no matter here. */
const shortTimeoutMs = 800;
const timeoutMs = 10_000;
/** Beyond the time-out, for a busy machine. */
const slackMs = 2_000;
const mb = 1024 * 1024;

/** Bytes, after what is no longer used was collected. */
function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

interface SetUp {
  readonly behaviour: Behaviour;
  readonly certificate?: TestCertificate;
  readonly timeoutMs?: number;
  readonly connectionsPerOriginMax?: number;
}

async function setUp(t: ExecutionContext, { behaviour, certificate, ...own }: SetUp) {
  const local = await localCertificate();
  const receiver = await startHostileReceiver(behaviour, { certificate: certificate ?? local.certificate });
  const agent = createGuardedAgent({
    allowPrivateNetworks: true,
    authorities: local.authority.pem,
    // As in production, DNS, TCP and TLS may take as long as the whole; who of the two speaks first is chance.
    connectTimeoutMs: 2 * (own.timeoutMs ?? timeoutMs),
    connectionsPerOriginMax: own.connectionsPerOriginMax ?? 128,
  });
  t.teardown(async () => {
    await agent.destroy();
    await receiver.close();
  });
  const sender = createHttpsWebhookSender({ agent, timeoutMs: own.timeoutMs ?? timeoutMs });
  const body = Buffer.from('{"eventId":"evt_1"}');
  return { receiver, agent, send: () => sender.send({ url: receiver.url, body, headers: { 'webhook-id': 'evt_1' } }) };
}

const inTime = `did not answer within ${shortTimeoutMs / 1000} seconds`;
const incomplete = (reason: string): string => `HTTP 200, but the answer was never complete: ${reason}`;
const closed = 'connection was closed before the answer was complete';
const invalid = 'answer is not valid HTTP';

/** What the log says to the partner; null for a success. */
const expected: Readonly<Record<HostileBehaviour, { httpStatus: number | null; error: string | null }>> = {
  'refuses the connection': { httpStatus: null, error: 'connection refused' },
  'resets the connection at once': { httpStatus: null, error: closed },
  'accepts and never shakes hands': { httpStatus: null, error: inTime },
  'speaks plain HTTP on the port': {
    httpStatus: null,
    error: 'TLS connection failed: the port does not speak TLS',
  },
  'speaks TLS 1.1 at most': { httpStatus: null, error: 'TLS connection failed: TLS 1.2 or later is needed' },
  'resets before the answer': { httpStatus: null, error: closed },
  'closes before the answer': { httpStatus: null, error: closed },
  'resets in the body': { httpStatus: 200, error: incomplete(closed) },
  'closes in the body': { httpStatus: 200, error: incomplete(closed) },
  'hangs before the answer': { httpStatus: null, error: inTime },
  'hangs in the head': { httpStatus: null, error: inTime },
  'hangs in the body': { httpStatus: 200, error: incomplete(inTime) },
  'drips the head': { httpStatus: null, error: inTime },
  'drips the body': { httpStatus: 200, error: incomplete(inTime) },
  'answers 400': { httpStatus: 400, error: 'HTTP 400' },
  'answers 410': { httpStatus: 410, error: 'HTTP 410: the receiver asks not to be sent this again' },
  'answers 500': { httpStatus: 500, error: 'HTTP 500' },
  'answers 204': { httpStatus: 204, error: null },
  'sends a body of 200 MB': { httpStatus: 200, error: null },
  'sends an endless chunked body': { httpStatus: 200, error: null },
  'sends 400 and an endless body': { httpStatus: 400, error: 'HTTP 400' },
  'sends a gzip bomb': { httpStatus: 200, error: null },
  'sends one huge header': { httpStatus: null, error: 'answer has too many headers' },
  'sends endless headers': { httpStatus: null, error: 'answer has too many headers' },
  'speaks another protocol': { httpStatus: null, error: `${invalid}: Expected HTTP/, RTSP/ or ICE/` },
  'gives two lengths': {
    httpStatus: null,
    error: `${invalid}: its Content-Length stands there twice, is too large or is beside Transfer-Encoding, or a line after it is wrong`,
  },
  'breaks the chunking': { httpStatus: 200, error: incomplete(`${invalid}: Invalid character in chunk size`) },
  'speaks HTTP/1.0 without a length': { httpStatus: 200, error: null },
  'sends 103 Early Hints first': { httpStatus: 200, error: null },
  'sends 100 Continue unasked': { httpStatus: 200, error: null },
  'floods with 102 Processing': { httpStatus: null, error: 'answer has too many headers' },
  'switches the protocol unasked': {
    httpStatus: null,
    error: `${invalid}: it changes to a protocol that was not asked for`,
  },
  'answers without reading': { httpStatus: 200, error: null },
  'resets each kept connection when it is used again': { httpStatus: 200, error: null },
};

/** Connections kept for reuse are closed by their keep-alive time at the latest; the others must be gone at once. */
const keepsConnection = new Set<string>([
  'answers 400',
  'answers 410',
  'answers 500',
  'answers 204',
  'sends a gzip bomb',
  'sends 100 Continue unasked',
  'sends 103 Early Hints first',
  'resets each kept connection when it is used again',
]);

function isAsExpected(t: ExecutionContext, outcome: AttemptOutcome, wanted: { httpStatus: unknown; error: unknown }) {
  const said = outcome.kind === 'succeeded' ? null : outcome.error;
  t.deepEqual({ httpStatus: outcome.httpStatus, error: said }, { ...wanted } as never);
  t.true(outcome.responseStart.length <= 1024);
}

/** Those that wait run side by side, the others one after the other, so that only what a receiver does itself takes time. */
for (const [name, behaviour] of Object.entries(hostileBehaviours)) {
  const wanted = expected[name as HostileBehaviour];
  const hangs = wanted.error?.includes(inTime) === true;
  const ownTimeoutMs = hangs ? shortTimeoutMs : timeoutMs;
  const title = `a receiver that ${name}: ${wanted.error ?? 'success'}; bounded in time and bytes, no connection left`;
  (hangs ? test : test.serial)(title, async (t) => {
    const { receiver, agent, send } = await setUp(t, { behaviour, timeoutMs: ownTimeoutMs });
    for (const outcome of [await send(), await send()]) {
      isAsExpected(t, outcome, wanted);
      t.true(outcome.durationMs <= ownTimeoutMs + slackMs, `${outcome.durationMs} ms`);
      if (outcome.kind === 'failed') t.is(outcome.gone, outcome.httpStatus === 410);
    }
    if (!keepsConnection.has(name)) await receiver.whenIdle();
    await agent.destroy();
    await receiver.whenIdle();
    t.true(receiver.seen().bytesSent < 40 * mb, `${receiver.seen().bytesSent} bytes were taken`);
  });
}

const pouring = [
  'sends a body of 200 MB',
  'sends an endless chunked body',
  'sends 400 and an endless body',
  'sends endless headers',
  'floods with 102 Processing',
] as const satisfies readonly HostileBehaviour[];

const isSlow = (name: HostileBehaviour): boolean =>
  pouring.some((other) => other === name) || expected[name].error?.includes(inTime) === true;

// specification: the-answer-is-bounded
test.serial('the endless ones cost little traffic and no memory', async (t) => {
  for (const name of [...pouring, 'sends a gzip bomb'] as const) {
    const { receiver, send } = await setUp(t, { behaviour: hostileBehaviours[name] });
    await send();
    const before = memoryInUse();
    for (let i = 0; i < 10; i += 1) await send();
    const grownMb = (memoryInUse() - before) / mb;
    t.true(grownMb < 10, `${name}: ${grownMb} MB`);
    const eachKb = receiver.seen().bytesSent / 11 / 1024;
    t.log(`${name}: ${Math.round(eachKb)} KB an attempt left the receiver, ${grownMb.toFixed(1)} MB stayed`);
    t.true(eachKb < 8_000, `${name}: ${eachKb} KB an attempt`);
  }
});

test('an answer after the time is a failure, one within it is none', async (t) => {
  const late = await setUp(t, { behaviour: answersAfter(1_000), timeoutMs: 500 });
  isAsExpected(t, await late.send(), { httpStatus: null, error: 'did not answer within 0.5 seconds' });
  const early = await setUp(t, { behaviour: answersAfter(500), timeoutMs: 5_000 });
  isAsExpected(t, await early.send(), { httpStatus: 200, error: null });
});

// specification: the-answer-is-bounded
test.serial('the target of a redirect is never called', async (t) => {
  const target = await setUp(t, { behaviour: { onRequest: (talk) => talk.write(answer(200)) } });
  for (const status of [300, 301, 302, 303, 307, 308]) {
    const { send } = await setUp(t, { behaviour: redirectsTo(status, target.receiver.url) });
    isAsExpected(t, await send(), { httpStatus: status, error: `HTTP ${status}: redirects are not followed` });
  }
  t.is(target.receiver.seen().accepted, 0);
});

// specification: tls-is-checked-no
test.serial('no byte of the request is sent to a receiver whose certificate is not trusted', async (t) => {
  const { authority } = await localCertificate();
  const stranger = await createAuthority('stranger');
  const aSecond = present(-1_000);
  const cases: [string, TestCertificate][] = [
    ['it is for another host name', await authority.issue(['other.example'])],
    ['it has expired', await authority.issue(['127.0.0.1'], { notAfter: aSecond })],
    ['its issuer is unknown or an intermediate certificate is missing', await stranger.issue(['127.0.0.1'])],
    ['it is self-signed', await issueSelfSigned(['127.0.0.1'])],
  ];
  for (const [reason, certificate] of cases) {
    const { receiver, send } = await setUp(t, {
      behaviour: { onRequest: (talk) => talk.write(answer(200)) },
      certificate,
    });
    isAsExpected(t, await send(), { httpStatus: null, error: `TLS certificate not trusted: ${reason}` });
    await receiver.whenIdle();
    t.is(receiver.seen().requests, 0, reason);
  }
});

// specification: the-answer-is-bounded
test.serial('a kept connection that breaks when it is used again costs no attempt', async (t) => {
  const { receiver, send } = await setUp(t, {
    behaviour: hostileBehaviours['resets each kept connection when it is used again'],
    connectionsPerOriginMax: 1,
  });
  for (let i = 0; i < 6; i += 1) t.is((await send()).kind, 'succeeded');
  const { accepted, requests } = receiver.seen();
  t.true(accepted <= 6, 'an attempt takes at most one connection more');
  t.true(requests > 6 && requests <= 11, `${requests} requests: some were sent twice, none more often`);
});

test.serial('a fresh connection that breaks is an attempt: the request is not repeated', async (t) => {
  const { receiver, send } = await setUp(t, { behaviour: hostileBehaviours['resets before the answer'] });
  t.is((await send()).kind, 'failed');
  t.like(receiver.seen(), { accepted: 1, requests: 1 });
});

test.serial('a kept connection that breaks after the first byte of the answer is an attempt too', async (t) => {
  const { receiver, send } = await setUp(t, {
    connectionsPerOriginMax: 1,
    behaviour: {
      onRequest: (talk) => {
        if (talk.onThisConnection === 1) return talk.write(answer(200));
        talk.write('HTTP/1.1');
        talk.after(50, () => talk.reset());
      },
    },
  });
  t.is((await send()).kind, 'succeeded');
  t.is((await send()).kind, 'failed');
  t.like(receiver.seen(), { accepted: 1, requests: 2 });
});

test.serial('a receiver that keeps breaking reused connections gets each request twice at most', async (t) => {
  let answered = 0;
  const { receiver, send } = await setUp(t, {
    connectionsPerOriginMax: 1,
    behaviour: {
      onRequest: (talk) => {
        answered += 1;
        if (answered === 1) talk.write(answer(200));
        else talk.reset();
      },
    },
  });
  t.is((await send()).kind, 'succeeded');
  isAsExpected(t, await send(), { httpStatus: null, error: closed });
  t.is(receiver.seen().requests, 3);
});

// specification: the-answer-is-bounded
test('waiting for a connection counts as waiting: the time-out holds while nothing can be sent', async (t) => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => silent.close());
  const agent = createGuardedAgent({ allowPrivateNetworks: true, connectTimeoutMs: 3_000, connectionsPerOriginMax: 1 });
  t.teardown(() => agent.destroy());
  const sender = createHttpsWebhookSender({ agent, timeoutMs: 300 });
  const address = silent.address();
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const outcomes = await Promise.all([1, 2, 3].map(() => sender.send({ url, body: Buffer.from('{}'), headers: {} })));
  for (const outcome of outcomes) {
    isAsExpected(t, outcome, { httpStatus: null, error: 'did not answer within 0.3 seconds' });
    t.true(outcome.durationMs < 1_500, `${outcome.durationMs} ms`);
  }
});

test.serial('a thousand attempts against every kind that is quick leave nothing behind', async (t) => {
  const quick = Object.entries(hostileBehaviours).filter(([name]) => !isSlow(name as HostileBehaviour));
  const ways: (() => Promise<AttemptOutcome>)[] = [];
  const receivers: HostileReceiver[] = [];
  const { certificate, authority } = await localCertificate();
  const agent = createGuardedAgent({ allowPrivateNetworks: true, authorities: authority.pem });
  t.teardown(() => agent.destroy());
  const sender = createHttpsWebhookSender({ agent, timeoutMs: 10_000 });
  for (const [, behaviour] of quick) {
    const receiver = await startHostileReceiver(behaviour, { certificate });
    t.teardown(() => receiver.close());
    receivers.push(receiver);
    ways.push(() => sender.send({ url: receiver.url, body: Buffer.from('{}'), headers: {} }));
  }
  const round = async (): Promise<void> => {
    await Promise.all(ways.map((send) => send()));
  };
  const rounds = Math.ceil(1_000 / ways.length);
  for (let i = 0; i < 5; i += 1) await round();
  const before = memoryInUse();
  for (let i = 0; i < rounds; i += 1) await round();
  const grownMb = (memoryInUse() - before) / mb;
  t.log(`${rounds * ways.length} attempts, ${grownMb.toFixed(1)} MB more in use`);
  t.true(grownMb < 10, `${grownMb} MB`);
  const busy = Object.values(agent.stats).filter(({ running, pending }) => running + pending > 0);
  t.deepEqual(busy, []);
  const open = receivers.reduce((sum, receiver) => sum + receiver.seen().open, 0);
  t.true(open <= 2 * receivers.length, `${open} connections are open`);
  await agent.destroy();
  await Promise.all(receivers.map((receiver) => receiver.whenIdle()));
});

test.serial('an origin that is no longer used is forgotten', async (t) => {
  const { certificate, authority } = await localCertificate();
  const agent = createGuardedAgent({ allowPrivateNetworks: true, authorities: authority.pem });
  t.teardown(() => agent.destroy());
  const sender = createHttpsWebhookSender({ agent, timeoutMs: 5_000 });
  for (let i = 0; i < 30; i += 1) {
    const behaviour = hostileBehaviours[i % 2 === 0 ? 'speaks HTTP/1.0 without a length' : 'refuses the connection'];
    const receiver = await startHostileReceiver(behaviour, { certificate });
    await sender.send({ url: receiver.url, body: Buffer.from('{}'), headers: {} });
    await receiver.whenIdle();
    await receiver.close();
  }
  t.true(Object.keys(agent.stats).length <= 1, `${Object.keys(agent.stats).length} origins are remembered`);
});
