import test, { type ExecutionContext } from 'ava';
import { startMongod, startTemporal } from '../../test/support/servers.ts';
import { until } from '../../test/support/until.ts';
import {
  appliedOf,
  assertBulk,
  prepareBulk,
  storedBulk,
  uploadBulk,
  uploadHalf,
  type BulkLoad,
} from './support/bulk-load.ts';
import { compileProduct } from './support/compile-product.ts';
import { startSystem, type System } from './support/system.ts';
import { untilTemporalServes } from './support/temporal-serves.ts';

// One file over five members that number their articles alike (new ones, some again with another price, some again as they were,
// some that fail), and a kill in the middle: at the end the counts are exact and every line was applied once.

let compiledIn: string;
test.before(async () => {
  compiledIn = await compileProduct();
});

/** About so many; enough that a kill comes in the middle. */
const lineCount = Number(process.env['CRASH_LINES'] ?? 6_000);

async function openSystem(t: ExecutionContext, overrides: Record<string, string> = {}): Promise<System> {
  t.timeout(600_000);
  const system = await startSystem(overrides, { compiledIn });
  t.teardown(() => system.stop());
  return system;
}

interface Blow {
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<unknown>;
}

/** Kills when a tenth is applied, starts again at once, and waits for the end. */
async function strike(t: ExecutionContext, system: System, { kill, restart }: Blow): Promise<void> {
  const load = await prepareBulk(system, lineCount);
  const id = await uploadBulk(system, load);
  const applied = await until('a tenth is applied', async () => {
    const bulk = await storedBulk(system);
    const done = bulk === null ? 0 : appliedOf(bulk);
    return done > load.counts.total / 10 && done;
  });
  await kill();
  const killedAt = Date.now();
  t.true(applied < load.counts.total, `the kill came after all of the ${applied} lines`);
  await restart();
  await assertBulk(t, system, { load, id });
  t.log(`killed after ${applied} of ${load.counts.total} lines, completed ${Date.now() - killedAt} ms later`);
}

test.serial(
  'the worker is killed in the middle of a bulk sync over several members: every line is applied once',
  async (t) => {
    const system = await openSystem(t);
    const { worker } = system;
    await strike(t, system, { kill: () => worker.kill9(), restart: () => worker.start() });
  },
);

test.serial(
  'one of two workers is killed in the middle of a bulk sync over several members: every line is applied once',
  async (t) => {
    const system = await openSystem(t);
    await system.otherWorker.start();
    const { worker } = system;
    await strike(t, system, { kill: () => worker.kill9(), restart: () => worker.start() });
  },
);

test.serial(
  'the API is killed in the middle of a bulk sync over several members: every line is applied once',
  async (t) => {
    const system = await openSystem(t);
    const { api } = system;
    await strike(t, system, { kill: () => api.kill9(), restart: () => api.start() });
  },
);

test.serial(
  'MongoDB is killed in the middle of a bulk sync over several members: every line is applied once',
  async (t) => {
    const mongod = await startMongod();
    t.teardown(() => mongod.stop());
    const system = await openSystem(t, { MONGODB_URI: mongod.uri });
    await strike(t, system, { kill: mongod.kill9, restart: mongod.restart });
  },
);

test.serial(
  'the Temporal server is killed in the middle of a bulk sync over several members: every line is applied once',
  async (t) => {
    const temporal = await startTemporal();
    t.teardown(() => temporal.stop());
    const system = await openSystem(t, { TEMPORAL_ADDRESS: temporal.address });
    const restart = async (): Promise<void> => {
      await temporal.restart();
      await untilTemporalServes(temporal.address);
    };
    await strike(t, system, { kill: temporal.kill9, restart });
  },
);

test.serial(
  'the API is killed during the upload: it has no effect, and the file sent again is applied once',
  async (t) => {
    const system = await openSystem(t);
    const load = await prepareBulk(system, lineCount);
    const { broken } = await uploadHalf(system, load);
    await system.api.kill9();
    t.true((await broken) instanceof Error, 'nothing was promised');
    await system.api.start();
    await assertNothingHappened(t, system, load);
    await assertBulk(t, system, { load, id: await uploadBulk(system, load) });
  },
);

async function assertNothingHappened(
  t: ExecutionContext,
  { foundation, apiUrl }: System,
  load: BulkLoad,
): Promise<void> {
  const count = (name: string, filter: object) => foundation.store.connection.collection(name).countDocuments(filter);
  t.is(await count('bulk_syncs', {}), 0);
  const { apiKey, members } = load.reseller;
  t.is(await count('items', { accountId: { $in: members.map(({ id }) => id) } }), 0);
  const headers = { 'x-api-key': apiKey, 'x-partner-account': members[0]?.reference ?? '' };
  const answer = await fetch(`${apiUrl}/integration/v1/items`, { headers });
  t.like(await answer.json(), { items: [] });
}
