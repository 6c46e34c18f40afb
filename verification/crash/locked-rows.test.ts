import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ManagedProcess } from '../../embedded/managed-process.ts';
import { openStore } from '../../platform/database/connection.ts';
import { startMongod } from '../../test/support/servers.ts';
import { until } from '../../test/support/until.ts';
import { arm, mortal } from './support/mortal.ts';
import { startSystem, type System } from './support/system.ts';

// A process dies with an open transaction, on a MongoDB that allows transactions 60 s, as a server has it by itself. What the
// transaction wrote stays locked until the server ends it.

const limitSeconds = 60;
/** The server looks for old transactions every half of the limit. */
const lockMaxMs = 1_500 * limitSeconds + 5_000;

async function openSystem(t: ExecutionContext): Promise<System> {
  t.timeout(400_000);
  const mongod = await startMongod();
  t.teardown(() => mongod.stop());
  const beside = await openStore({ uri: mongod.uri, database: 'admin' });
  const parameter = { setParameter: 1, transactionLifetimeLimitSeconds: limitSeconds };
  await beside.connection.getClient().db('admin').command(parameter);
  await beside.close();
  const system = await startSystem({ MONGODB_URI: mongod.uri });
  t.teardown(() => system.stop());
  return system;
}

/** Stops `which`; a process like it dies right before its first commit from now on, in which it has done `act`. */
async function dieInTransaction(system: System, which: 'api' | 'worker', act: () => Promise<unknown>): Promise<number> {
  const diedFile = join(process.env['TEST_DIRECTORY'] ?? '.', `${system.taskQueue}-${which}-${randomUUID()}`);
  const dying = mortal(system[which], 'commitTransaction:before', diedFile);
  await system[which].stop();
  await dying.start();
  arm(dying);
  await act();
  await until(`the ${which} is dead`, () => Promise.resolve(existsSync(diedFile)));
  const diedAt = performance.now();
  await dying.kill9();
  await system[which].start();
  return diedAt;
}

const item = (price: number, more: object = {}) => ({
  title: 'Dörr',
  price,
  imageUrls: [],
  domain: { domain: 'bildelar' },
  ...more,
});

interface Timed {
  readonly status: number | null;
  readonly ms: number;
}

/** The account's feed, whose reader numbers events in a transaction. */
async function readFeedTimed({ apiUrl, headers }: System): Promise<Timed> {
  const began = performance.now();
  const answer = await fetch(`${apiUrl}/integration/events`, { headers }).catch(() => null);
  await answer?.arrayBuffer().catch(() => undefined);
  return { status: answer?.status ?? null, ms: performance.now() - began };
}

async function putTimed(system: System, externalId: string, body: object): Promise<Timed> {
  const began = performance.now();
  return { status: await system.put(externalId, body), ms: performance.now() - began };
}

const told = (answers: readonly Timed[]): string => {
  const ms = answers.map((answer) => Math.round(answer.ms)).toSorted((one, other) => one - other);
  return `${ms.length} in ${ms[0]} to ${ms.at(-1)} ms, ${ms[Math.floor(ms.length / 2)]} by the median`;
};

test.serial(
  'a dead API keeps an item and a feed locked: their callers get 503 in time, no other call notices',
  async (t) => {
    const system = await openSystem(t);
    for (const { plan } of [system.api, system.worker])
      t.regex(
        readFileSync(plan.logFile, 'utf8'),
        /"transactionLifetimeLimitSeconds":60.*database\.transaction_limit_long/,
      );
    for (const externalId of ['locked', 'other']) t.is(await system.put(externalId, item(100)), 202);
    const diedAt = await dieInTransaction(system, 'api', async () => t.is(await system.put('locked', item(110)), null));
    await dieInTransaction(system, 'api', () => readFeedTimed(system));
    const feed: Timed[] = [];
    const readFeed = async (): Promise<void> => {
      do feed.push(await readFeedTimed(system));
      while (feed.at(-1)?.status !== 200);
    };
    const reading = readFeed();
    const [refused, others]: [Timed[], Timed[]] = [[], []];
    let n = 0;
    const accepted = await until(
      'the lock is gone',
      async () => {
        n += 1;
        const [own, ...beside] = await Promise.all([
          putTimed(system, 'locked', item(200 + n)),
          putTimed(system, 'other', item(200 + n)),
          putTimed(system, `new-${n}`, item(100)),
        ]);
        others.push(...beside);
        t.like(await system.status('locked'), own.status === 202 ? { price: 200 + n } : { price: 100 });
        if (own.status !== 202) refused.push(own);
        return own.status === 202 && performance.now() - diedAt;
      },
      lockMaxMs,
    );
    t.log(`locked for ${(accepted / 1_000).toFixed(1)} s; refused: ${told(refused)}; beside: ${told(others)}`);
    await reading;
    t.log(`the feed: ${told(feed)}`);
    t.is(feed[0]?.status, 503, 'the feed was locked');
    t.deepEqual([...new Set(feed.map(({ status }) => status))], [503, 200]);
    t.true(Math.max(...feed.map(({ ms }) => ms)) < 13_000, 'refused in time');
    t.true(refused.length > 1, 'the item was locked');
    t.deepEqual([...new Set(refused.map(({ status }) => status))], [503]);
    t.true(Math.max(...refused.map(({ ms }) => ms)) < 5_000, 'refused in time');
    t.deepEqual([...new Set(others.map(({ status }) => status))], [202]);
    const sorted = others.map(({ ms }) => ms).toSorted((one, other) => one - other);
    t.true((sorted[Math.floor(sorted.length / 2)] ?? 0) < 500, 'others are answered as ever');
  },
);

test.serial('a dead worker keeps an item locked: the work of all others goes on, and its own after that', async (t) => {
  const system = await openSystem(t);
  const withImage = item(100, { imageUrls: [`${system.images.url}/bakljus-1.jpg`] });
  const rows = system.foundation.store.connection.collection('items');
  const isSettled = async (externalId: string): Promise<boolean> =>
    (await rows.countDocuments({ externalId, $expr: { $eq: ['$revision', '$settledRevision'] } })) === 1;
  const diedAt = await dieInTransaction(system, 'worker', async () => t.is(await system.put('locked', withImage), 202));
  // Of this API each start is lost, so that all depends on the relay.
  const environment = { ...system.api.plan.environment, TEMPORAL_ADDRESS: '127.0.0.1:9' };
  const alone = new ManagedProcess({ ...system.api.plan, environment });
  t.teardown(() => alone.stop());
  await system.api.stop();
  await alone.start();
  const tookMs: number[] = [];
  for (let n = 0; !(await isSettled('locked')); n += 1) {
    t.true(performance.now() - diedAt < 2 * lockMaxMs, 'locked for too long');
    const [externalId, began] = [`new-${n}`, performance.now()];
    t.is(await system.put(externalId, withImage), 202);
    await until(`${externalId} is settled`, () => isSettled(externalId), lockMaxMs);
    tookMs.push(performance.now() - began);
  }
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
  t.log(
    `settled ${seconds(performance.now() - diedAt)} s after the death; others meanwhile: ${tookMs.map(seconds).join(', ')} s`,
  );
  t.true(tookMs.length > 2, 'the item was locked');
  t.true(Math.max(...tookMs) < 15_000, 'nothing else waits for the lock');
});
