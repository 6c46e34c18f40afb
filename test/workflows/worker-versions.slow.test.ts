import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { runWorkers, type RunningWorkers } from '../../workers/run-workers.ts';
import { until } from '../support/until.ts';
import { callAdmin, untilMarketplaceStatus, untilReceived, withWorld, type World } from '../support/world.ts';

// The commands are those of docs/deployment.md, "Workers with versions".

let world: World;
withWorld(test, (started) => (world = started), { workers: false });

const deployment = (): string => world.foundation.config.temporal.taskQueue;

async function startBuild(t: ExecutionContext, buildId: string): Promise<RunningWorkers> {
  const { config, logger } = world.foundation;
  const workers = await runWorkers({ ...config, workerVersion: { deploymentName: deployment(), buildId } }, logger);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= workers.stop());
  t.teardown(stop);
  return { ...workers, stop };
}

async function temporal(...args: string[]): Promise<string> {
  const { address } = world.foundation.config.temporal.connection;
  const binary = process.env['ITEMBRIDGE_TEMPORAL_BIN'] ?? 'temporal';
  const { stdout } = await promisify(execFile)(binary, [...args, '--address', address]);
  return stdout;
}

/** The server knows a version when its workers have asked for all of their queues: until then it refuses. */
async function makeCurrent(buildId: string): Promise<void> {
  const which = ['--deployment-name', deployment(), '--build-id', buildId];
  await until(`build ${buildId} is current`, () =>
    temporal('worker', 'deployment', 'set-current-version', ...which, '--yes').then(
      () => true,
      () => false,
    ),
  );
}

/** Builds that completed the run's tasks, oldest first. */
async function buildsOf(workflowId: string): Promise<(string | undefined)[]> {
  const handle = world.foundation.client.workflow.getHandle(workflowId);
  // It is begun by the process that wrote, a moment later.
  const history = await handle.fetchHistory().catch(() => undefined);
  return (history?.events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: task }) =>
    task == null ? [] : [task.deploymentVersion?.buildId ?? undefined],
  );
}

async function runsOn(buildId: string, type: string): Promise<number> {
  const version = `TemporalWorkerDeploymentVersion = '${deployment()}:${buildId}'`;
  const query = `${version} AND WorkflowType = '${type}' AND ExecutionStatus = 'Running'`;
  return (await world.foundation.client.workflow.count(query)).count;
}

test('a new build takes over running items, a delivery ends on its old one, which can then go', async (t) => {
  t.timeout(180_000);
  const old = await startBuild(t, 'build-1');
  await makeCurrent('build-1');
  const [waiting, failing] = [await world.account({ connected: false }), await world.account()];
  const { itemId } = await waiting.push('W1', {}, { autoPublish: true });
  await until('the item waits', async () => (await buildsOf(`item:${itemId}`)).length > 0);
  await callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', {
    path: `^/hooks/${failing.id}$`,
    mode: 'status',
    status: 503,
    times: 4,
  });
  await failing.push('F1');
  const deliveries = world.foundation.store.connection.collection('deliveries');
  const delivery = await until('an attempt has failed', () =>
    deliveries.findOne({ accountId: failing.id, state: 'pending', attempts: { $gte: 1 } }),
  );
  const deliveryRun = `delivery:${String(delivery._id)}`;

  await startBuild(t, 'build-2');
  await makeCurrent('build-2');
  t.is((await deliveries.findOne({ _id: delivery._id }))?.['state'], 'pending', 'the delivery was still under way');

  await waiting.connect();
  await untilMarketplaceStatus(waiting, 'W1', 'active');
  await untilReceived(failing, 'item.created');
  await until('the delivery is closed', () => deliveries.findOne({ _id: delivery._id, state: 'succeeded' }));
  const itemBuilds = await buildsOf(`item:${itemId}`);
  t.deepEqual([itemBuilds[0], itemBuilds.at(-1)], ['build-1', 'build-2']);
  await until('the delivery has ended', async () => {
    const { status } = await world.foundation.client.workflow.getHandle(deliveryRun).describe();
    return status.name === 'COMPLETED';
  });
  t.deepEqual([...new Set(await buildsOf(deliveryRun))], ['build-1']);

  await until('nothing is left on the old build', async () => (await runsOn('build-1', 'deliverEvent')) === 0);
  await old.stop();
  await waiting.push('W2', {}, { autoPublish: true });
  await untilMarketplaceStatus(waiting, 'W2', 'active');
  await untilReceived(waiting, 'listing.created', 2);
});
