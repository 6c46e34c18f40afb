import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startTemporal, type TestTemporal } from '../../test/support/servers.ts';
import { until } from '../../test/support/until.ts';
import { openScene, strike } from './support/delivery-scene.ts';
import { freeze } from './support/more-processes.ts';
import { assertComplete, liveCount, pushAll, untilLive } from './support/pushed-items.ts';
import { startSystem, type System } from './support/system.ts';
import { untilTemporalServes } from './support/temporal-serves.ts';

// Temporal is away for a minute, as long as an item that is worked on is nobody else's. It stands still and goes on, or it comes back
// with an empty database: then the rows alone say what is owed.

const awayMs = 60_000;

interface Away extends TestTemporal {
  /** Kills it, and starts it a minute later without anything that it knew. */
  readonly forget: () => Promise<void>;
}

async function openTemporal(t: ExecutionContext): Promise<Away> {
  const dbFile = join(mkdtempSync(join(process.env['TEST_DIRECTORY'] ?? tmpdir(), 'temporal-')), 'temporal.sqlite');
  const temporal = await startTemporal({ dbFile });
  t.teardown(() => temporal.stop());
  const forget = async (): Promise<void> => {
    await temporal.kill9();
    const killedAt = performance.now();
    for (const suffix of ['', '-shm', '-wal']) rmSync(`${dbFile}${suffix}`, { force: true });
    // A real time limit: the dates in the rows pass.
    await until('a minute is over', async () => performance.now() - killedAt >= awayMs, awayMs + 10_000);
    await temporal.restart();
    await untilTemporalServes(temporal.address);
  };
  return { ...temporal, forget };
}

/** Returns how long after Temporal's return the 200 items were up, and says it. */
async function amongItems(t: ExecutionContext, leave: (temporal: Away) => Promise<void>): Promise<System> {
  t.timeout(600_000);
  const temporal = await openTemporal(t);
  const system = await startSystem({ TEMPORAL_ADDRESS: temporal.address });
  t.teardown(() => system.stop());
  const pushing = pushAll(system);
  await untilLive(system, 40);
  const before = await liveCount(system);
  await leave(temporal);
  const returnedAt = performance.now();
  await pushing.done;
  t.is(pushing.broken, 0, 'each PUT was accepted at once');
  await assertComplete(t, system);
  const seconds = ((performance.now() - returnedAt) / 1_000).toFixed(1);
  t.log(`${before} live before; all live and told ${seconds} s after its return`);
  return system;
}

/** What waits for the end of its auction takes a new price, though no workflow may wait for it any more. */
async function changePrices(t: ExecutionContext, system: System): Promise<void> {
  const externalIds = Array.from({ length: 10 }, (_, n) => `item-${String(n).padStart(3, '0')}`);
  const began = performance.now();
  for (const externalId of externalIds)
    t.is((await system.call('PATCH', `${externalId}/price`, { price: 250 }))?.status, 202);
  await until('the auctions have the new price', async () => {
    const changed = (await system.listings()).filter(({ startPrice }) => startPrice === 250);
    return changed.length === externalIds.length;
  });
  t.log(`ten prices changed within ${Math.round(performance.now() - began)} ms`);
}

test.serial('Temporal stands still for a minute in the middle of 200 items: each is published once', async (t) => {
  const system = await amongItems(t, (temporal) => freeze({ name: 'temporal', pid: temporal.pid() }, awayMs));
  await changePrices(t, system);
});

test.serial(
  'Temporal comes back with an empty database in the middle of 200 items: each is published once',
  async (t) => {
    const system = await amongItems(t, (temporal) => temporal.forget());
    await changePrices(t, system);
  },
);

test.serial(
  'Temporal comes back with an empty database while events are on their way: each reaches every target',
  async (t) => {
    const temporal = await openTemporal(t);
    const scene = await openScene(t, { overrides: { TEMPORAL_ADDRESS: temporal.address } });
    const nothing = (): Promise<void> => Promise.resolve();
    await strike(t, scene, { what: 'Temporal, empty after a minute', kill: nothing, restart: temporal.forget });
  },
);
