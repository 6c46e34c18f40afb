import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import test, { type ExecutionContext } from 'ava';
// Define all collections.
import '../../compose/migrate.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { readSchemaVersion } from '../../platform/database/schema-version.ts';
import { until } from '../../test/support/until.ts';
import { callAdmin } from '../../test/support/world.ts';
import { plantedField, plantedSteps } from './support/planted-steps.ts';
import { formerRelease, presentRelease, type Release } from './support/releases.ts';
import { catalogueSize, openTrade, type Trade } from './support/trade.ts';
import { startUpgradeWorld, type UpgradeWorld } from './support/upgrade-world.ts';

// What docs/upgrading.md promises, with the release before as it was built. Each round brings accounts of its own and the examples.

interface Round {
  readonly name: string;
  readonly api: Release;
  readonly worker: Release;
}

test('a release and the one before run on the same data, one after the other and together, with the same counts', async (t) => {
  t.timeout(3_600_000);
  const [former, present] = [await formerRelease(), presentRelease()];
  const world = await startUpgradeWorld();
  t.teardown(() => world.stop());
  const trades: Trade[] = [];
  t.teardown(() => Promise.all(trades.map((trade) => trade.close())));
  const open = async (release: Release): Promise<Trade> => {
    const trade = await openTrade(world, { round: trades.length + 1, release });
    trades.push(trade);
    return trade;
  };
  const play = async ({ name, api, worker }: Round): Promise<void> => {
    await world.switchTo(api, worker);
    const trade = await open(api);
    await trade.push('created');
    await trade.untilLive();
    await trade.sell();
    // The data of the first round go on, too.
    const [first = trade] = trades;
    t.is(await first.push('unchanged'), catalogueSize, `${name}: the first catalogue again`);
    if (first !== trade) await first.sell(1);
    await report(t, world, { name, of: [trade] });
  };

  await play({ name: `filled by ${former.commit.slice(0, 8)}`, api: former, worker: former });
  // While the old processes run.
  await migrate(world.store, { steps: plantedSteps });
  const filled = trades[0]?.accountIds.slice() ?? [];
  await play({ name: 'new on its data', api: present, worker: present });
  await play({ name: 'new API, old worker', api: present, worker: former });
  await play({ name: 'old API, new worker', api: former, worker: present });
  await play({ name: 'back to old', api: former, worker: former });
  await playUnderWay(t, world, { former, present, open });
  await playVersions(t, world, { former, present, open });

  await report(t, world, { name: 'all rounds in the end', of: trades });
  const items = world.store.connection.collection('items');
  t.is(
    await items.countDocuments({ accountId: { $in: filled }, [plantedField]: 1 }),
    catalogueSize,
    'both keep a field that they do not know',
  );
  const names = (await items.indexes()).map(({ name }) => name);
  t.true(names.includes('owed') && names.includes('owed_2'), 'both indexes are there');
  t.is((await readSchemaVersion(world.store)).version, plantedSteps.length);
  t.deepEqual(world.errors(), []);
});

/** Compares what must have happened to these accounts with what has, in partners' eyes and in the database. */
async function report(
  t: ExecutionContext,
  { store }: UpgradeWorld,
  { name, of }: { readonly name: string; readonly of: readonly Trade[] },
): Promise<void> {
  for (const trade of of) {
    const { wanted, got, problems, repeats } = await trade.end();
    t.deepEqual(got, wanted, name);
    t.deepEqual(problems, [], name);
    t.is(repeats, 0, `${name}: deliveries that came twice`);
    const owner = { accountId: { $in: [...trade.accountIds] } };
    t.is(await store.connection.collection('orders').countDocuments(owner), wanted.sold, `${name}: orders`);
    const unsent = { ...owner, state: { $ne: 'succeeded' } };
    await until(
      'no delivery is open',
      async () => (await store.connection.collection('deliveries').countDocuments(unsent)) === 0,
    );
    t.log(`${name}: ${JSON.stringify({ ...got, repeats })}`);
  }
}

interface Builds {
  readonly former: Release;
  readonly present: Release;
  readonly open: (release: Release) => Promise<Trade>;
}

/** Processes are replaced while items and webhooks are under way, and workers of both releases take up what is there. */
async function playUnderWay(
  t: ExecutionContext,
  world: UpgradeWorld,
  { former, present, open }: Builds,
): Promise<void> {
  const name = 'replaced while everything is under way';
  await world.switchTo(former, former);
  const trade = await open(former);
  await trade.push('created');
  t.true(await trade.isUnderWay(), `${name}: not all is live yet`);
  await world.switchTo(present, former, present);
  await trade.untilLive();
  await trade.sell();
  await world.switchTo(former, former, present);
  await report(t, world, { name, of: [trade] });
}

/** Two builds side by side: deliveries that began on the old one end there, what begins after the switch is the new one's. */
async function playVersions(
  t: ExecutionContext,
  world: UpgradeWorld,
  { former, present, open }: Builds,
): Promise<void> {
  const name = 'two builds side by side';
  const version = (buildId: string) => ({ deploymentName: world.taskQueue, buildId });
  await world.switchTo(present, { ...former, version: version('former') }, { ...present, version: version('present') });
  await makeCurrent(world, 'former');
  const trade = await open(present);
  const { client, close } = await openClient(world);
  t.teardown(close);
  const faults = `${trade.receiverAdminUrl}/faults`;
  // Long enough to switch before the fifth attempt.
  await callAdmin(faults, 'POST', { path: '^/hooks/butik-umea', mode: 'status', status: 503, delayMs: 3_000 });
  await trade.push('created');
  const deliveries = world.store.connection.collection<{ _id: string }>('deliveries');
  const underWay = { accountId: { $in: [...trade.accountIds] }, state: 'pending', attempts: { $gte: 1 } };
  const runs = await until('deliveries are under way on the old build', async () => {
    const rows = await deliveries.find(underWay).toArray();
    const builds = await Promise.all(rows.map(({ _id }) => client.buildsOf(`delivery:${_id}`)));
    const begun = rows.filter((_, n) => (builds[n]?.length ?? 0) > 0).map(({ _id }) => _id);
    return begun.length > 0 && begun;
  });
  await makeCurrent(world, 'present');
  const left = await deliveries.countDocuments({ _id: { $in: runs }, state: 'pending' });
  t.is(left, runs.length, 'they were under way at the switch');
  await callAdmin(faults, 'DELETE');
  await trade.untilLive();
  await trade.sell();
  await report(t, world, { name, of: [trade] });
  for (const id of runs)
    t.deepEqual(await client.buildsOf(`delivery:${id}`), ['former'], 'a delivery ends where it began');
  await until('nothing is left on the old build', async () => (await client.countOn('former', 'Running')) === 0);
  t.true((await client.countOn('present', 'Completed')) > 0, 'the new build has ended what came after the switch');
  t.log(`${name}: ${runs.length} deliveries under way at the switch ended on the old build`);
}

/** The engine, as operators ask it. */
async function openClient({ taskQueue }: UpgradeWorld) {
  const connection = await Connection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '' });
  const { workflow } = new Client({ connection });
  const client = {
    /** Builds that completed the run's tasks; none when there is no such run. */
    buildsOf: async (workflowId: string): Promise<string[]> => {
      const history = await workflow
        .getHandle(workflowId)
        .fetchHistory()
        .catch(() => undefined);
      const tasks = (history?.events ?? []).map(
        ({ workflowTaskCompletedEventAttributes: task }) => task?.deploymentVersion?.buildId,
      );
      return [...new Set(tasks.flatMap((buildId) => (buildId == null ? [] : [buildId])))];
    },
    countOn: async (buildId: string, status: string): Promise<number> => {
      const query = `TemporalWorkerDeploymentVersion = '${taskQueue}:${buildId}' AND ExecutionStatus = '${status}'`;
      return (await workflow.count(query)).count;
    },
  };
  return { client, close: () => connection.close() };
}

/** The server knows a version when its workers have asked for all of their queues: until then it refuses. */
async function makeCurrent({ taskQueue }: UpgradeWorld, buildId: string): Promise<void> {
  const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
  const which = ['--deployment-name', taskQueue, '--build-id', buildId, '--address', address, '--yes'];
  const set = () =>
    promisify(execFile)(process.env['ITEMBRIDGE_TEMPORAL_BIN'] ?? 'temporal', [
      'worker',
      'deployment',
      'set-current-version',
      ...which,
    ]);
  await until(`build ${buildId} is current`, () =>
    set().then(
      () => true,
      () => false,
    ),
  );
}
