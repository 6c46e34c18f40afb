import { readFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { endpointId } from '../../features/rules/ids.ts';
import { issueSelfSigned } from '../../test/gateways/support/certificates.ts';
import {
  answer,
  answersAfter,
  hostileBehaviours,
  redirectsTo,
  type HostileBehaviour,
} from '../../test/support/hostile-behaviours.ts';
import { startHostileReceiver, type Behaviour, type HostileReceiver } from '../../test/support/hostile-receiver.ts';
import { until } from '../../test/support/until.ts';
import { startWorld, type TestAccount, type World } from '../../test/support/world.ts';
import { changeWebhook } from '../../features/webhooks/manage-webhooks.ts';

// Whole deliveries with the time-out and the waits at their real length, to every kind of receiver at once.

let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after.always(async () => {
  await world.stop();
});

const closed = 'connection was closed before the answer was complete';
const inTime = 'did not answer within 10 seconds';
const incomplete = (reason: string): string => `HTTP 200, but the answer was never complete: ${reason}`;
const invalid = 'answer is not valid HTTP';

/** The error of each attempt; null where the first one succeeds. */
const errorOf: Readonly<Record<HostileBehaviour, string | null>> = {
  'refuses the connection': 'connection refused',
  'resets the connection at once': closed,
  'accepts and never shakes hands': inTime,
  'speaks plain HTTP on the port': 'TLS connection failed: the port does not speak TLS',
  'speaks TLS 1.1 at most': 'TLS connection failed: TLS 1.2 or later is needed',
  'resets before the answer': closed,
  'closes before the answer': closed,
  'resets in the body': incomplete(closed),
  'closes in the body': incomplete(closed),
  'hangs before the answer': inTime,
  'hangs in the head': inTime,
  'hangs in the body': incomplete(inTime),
  'drips the head': inTime,
  'drips the body': incomplete(inTime),
  'answers 400': 'HTTP 400',
  'answers 410': 'HTTP 410: the receiver asks not to be sent this again',
  'answers 500': 'HTTP 500',
  'answers 204': null,
  'sends a body of 200 MB': null,
  'sends an endless chunked body': null,
  'sends 400 and an endless body': 'HTTP 400',
  'sends a gzip bomb': null,
  'sends one huge header': 'answer has too many headers',
  'sends endless headers': 'answer has too many headers',
  'speaks another protocol': `${invalid}: Expected HTTP/, RTSP/ or ICE/`,
  'gives two lengths': `${invalid}: its Content-Length stands there twice, is too large or is beside Transfer-Encoding, or a line after it is wrong`,
  'breaks the chunking': incomplete(`${invalid}: Invalid character in chunk size`),
  'speaks HTTP/1.0 without a length': null,
  'sends 103 Early Hints first': null,
  'sends 100 Continue unasked': null,
  'floods with 102 Processing': 'answer has too many headers',
  'switches the protocol unasked': `${invalid}: it changes to a protocol that was not asked for`,
  'answers without reading': null,
  'resets each kept connection when it is used again': null,
};

interface Trial {
  readonly name: string;
  readonly receiver: HostileReceiver;
  readonly error: string | null;
}

async function startTrials(t: ExecutionContext): Promise<Trial[]> {
  const fromFile = (variable: string): string => readFileSync(process.env[variable] ?? '', 'utf8');
  const trusted = { cert: fromFile('TEST_TLS_CERT_FILE'), key: fromFile('TEST_TLS_KEY_FILE') };
  const fine: Behaviour = { onRequest: (talk) => talk.write(answer(200)) };
  const start = async (
    name: string,
    error: string | null,
    receiver: { behaviour: Behaviour; certificate?: { cert: string; key: string }; host?: string },
  ): Promise<Trial> => {
    const { behaviour, certificate = trusted, host = '127.0.0.1' } = receiver;
    const started = await startHostileReceiver(behaviour, { certificate, host });
    t.teardown(() => started.close());
    return { name, error, receiver: started };
  };
  const target = await start('is where redirects point to', null, { behaviour: fine });
  const untrusted = (reason: string): string => `TLS certificate not trusted: ${reason}`;
  const trials = await Promise.all([
    ...Object.entries(hostileBehaviours).map(([name, behaviour]) =>
      start(name, errorOf[name as HostileBehaviour], { behaviour }),
    ),
    ...[301, 302, 307].map((status) =>
      start(`redirects by ${status}`, `HTTP ${status}: redirects are not followed`, {
        behaviour: redirectsTo(status, target.receiver.url),
      }),
    ),
    start('answers 200 after 11 s', inTime, { behaviour: answersAfter(11_000) }),
    start('has a self-signed certificate', untrusted('it is self-signed'), {
      behaviour: fine,
      certificate: await issueSelfSigned(['127.0.0.1']),
    }),
    // The trusted certificate is for 127.0.0.1, which elsewhere than on Linux is the loopback's only address.
    ...(process.platform === 'linux'
      ? [
          start('has a certificate of another name', untrusted('it is for another host name'), {
            behaviour: fine,
            host: '127.0.0.2',
          }),
        ]
      : []),
  ]);
  return [...trials, target];
}

interface LogRow {
  readonly attempt: number;
  readonly status: string;
  readonly errorMessage: string | null;
  readonly durationMs: number;
  readonly createdAt: Date;
}

interface Outcome {
  readonly log: readonly LogRow[];
  readonly state: unknown;
  readonly failCount: unknown;
}

const collection = (name: string) => world.foundation.store.connection.collection(name);

/** Sends one event of an account of its own to the receiver. */
async function startDelivery({ receiver }: Trial): Promise<TestAccount> {
  const account = await world.account({ connected: false });
  const hook = await collection('webhook_endpoints').findOne({ accountId: account.id });
  await changeWebhook(world.context, account.scope, {
    endpointId: endpointId(String(hook?.['_id'])),
    change: { url: receiver.url, eventTypes: ['item.created'] },
  });
  await account.push('A1');
  return account;
}

async function outcomeOf(account: TestAccount): Promise<Outcome> {
  const mine = { accountId: account.id };
  const [delivery, endpoint, log] = await Promise.all([
    collection('deliveries').findOne(mine),
    collection('webhook_endpoints').findOne(mine),
    collection('delivery_attempts').find<LogRow>(mine).sort({ attempt: 1 }).toArray(),
  ]);
  return { log, state: delivery?.['state'], failCount: endpoint?.['failCount'] };
}

const untilClosed = (count: number): Promise<unknown> =>
  until(
    `${count} deliveries are closed`,
    async () =>
      (await collection('deliveries').countDocuments({ state: { $in: ['succeeded', 'given_up'] } })) === count,
    150_000,
  );

/** Between the end of an attempt and the start of the next. */
const waitsOf = (log: readonly LogRow[]): number[] =>
  log.slice(1).map((row, n) => row.createdAt.getTime() - row.durationMs - (log[n]?.createdAt.getTime() ?? 0));

/** Single ones come late on a busy machine, which is not what is tested here; that none comes early is. */
function comeInTime(t: ExecutionContext, waitsMs: readonly (readonly number[])[]): void {
  for (const [n, dueMs] of [1_000, 2_000, 4_000, 8_000].entries()) {
    const sorted = waitsMs.flatMap((waits) => waits[n] ?? []).sort((a, b) => a - b);
    const [shortest = 0, median = 0] = [sorted[0], sorted[Math.floor(sorted.length / 2)]];
    t.true(shortest > dueMs - 50, `${shortest} ms after attempt ${n + 1}`);
    t.true(median < dueMs + 12_000, `${median} ms after attempt ${n + 1}, by the median`);
  }
}

function isAsPromised(t: ExecutionContext, trial: Trial, { log, state, failCount }: Outcome): void {
  const { name, error, receiver } = trial;
  const isGone = error?.includes('410') === true;
  const attempts = error === null || isGone ? 1 : 5;
  t.deepEqual(
    log.map((row) => [row.attempt, row.status, row.errorMessage]),
    Array.from({ length: attempts }, (_, n) => [n + 1, error === null ? 'success' : 'failed', error]),
    name,
  );
  t.deepEqual([state, failCount], error === null ? ['succeeded', 0] : ['given_up', 1], name);
  const shortest = Math.min(...log.map((row) => row.durationMs));
  if (error?.includes(inTime) === true) t.true(shortest >= 9_950, `${name}: it was given ${shortest} ms`);
  t.true(receiver.seen().requests <= attempts, `${name}: ${receiver.seen().requests} requests`);
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

const tableRow = ({ name, error }: Trial, { log, failCount }: Outcome): string => {
  const took = log.map((row) => seconds(row.durationMs)).join(', ');
  const waits = waitsOf(log).map(seconds).join(', ');
  return `| ${name} | ${log.length} | ${took} | ${waits} | ${error ?? '(success)'} | ${String(failCount)} |`;
};

// specification: receivers-that-fail-in
test('whatever a receiver does, it gets five attempts at 0, 1, 3, 7 and 15 s at most, and each is logged', async (t) => {
  t.timeout(180_000);
  const trials = await startTrials(t);
  const target = trials.at(-1);
  const tried = trials.filter((trial) => trial !== target);
  const startedAt = Date.now();
  const started = await Promise.all(tried.map(async (trial) => ({ trial, account: await startDelivery(trial) })));
  await untilClosed(tried.length);
  const outcomes = await Promise.all(
    started.map(async ({ trial, account }) => ({ trial, outcome: await outcomeOf(account) })),
  );
  t.log(`${tried.length} receivers side by side in ${seconds(Date.now() - startedAt)} s`);
  t.log(
    '| receiver | attempts | s each | s between | logged error | failCount |\n| --- | --- | --- | --- | --- | --- |',
  );
  for (const { trial, outcome } of outcomes) t.log(tableRow(trial, outcome));
  for (const { trial, outcome } of outcomes) isAsPromised(t, trial, outcome);
  comeInTime(
    t,
    outcomes.map(({ outcome }) => waitsOf(outcome.log)),
  );
  t.is(target?.receiver.seen().accepted, 0, 'the target of the redirects was never called');
});
