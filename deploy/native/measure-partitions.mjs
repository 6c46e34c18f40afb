// How many tasks a second one partition of a queue hands out, beside four of them on the same machine.
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { until } from './processes.mjs';

const [runs, stepsEach] = [30, 100];

export async function measurePartitions({ proved }, env) {
  const { loadTemporalConfig } = await import('../../compose/config.ts');
  const { connection: address, namespace } = loadTemporalConfig({}, env);
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const connection = await NativeConnection.connect(address);
  for (const [taskQueue, partitions] of [
    ['one', 1],
    ['four', 4],
  ])
    proved(
      `${partitions} partition(s): ${await tasksASecond({ connection, namespace, taskQueue })} tasks a second from a backlog of ${runs * stepsEach}`,
    );
  await connection.close();
}

/** All steps are queued before the first is taken. */
async function tasksASecond(shared) {
  const client = new Client(shared);
  const { taskQueue } = shared;
  const handles = await Promise.all(
    Array.from({ length: runs }, (_none, n) =>
      client.workflow.start('manySteps', { taskQueue, workflowId: `${taskQueue}-${n}`, args: [stepsEach] }),
    ),
  );
  const scheduler = await Worker.create({
    ...shared,
    workflowsPath: join(import.meta.dirname, 'trivial-workflow.mjs'),
    maxEagerActivityReservationsPerWorkflowTask: 0,
  });
  const scheduled = scheduler.run();
  await until(() => Promise.all(handles.map(allQueued)), { what: 'queueing the steps' });
  const doer = await Worker.create({
    ...shared,
    activities: { step: async () => undefined },
    maxConcurrentActivityTaskExecutions: 200,
    maxConcurrentActivityTaskPolls: 20,
  });
  const beganAt = Date.now();
  await doer.runUntil(Promise.all(handles.map((handle) => handle.result())));
  const seconds = (Date.now() - beganAt) / 1000;
  scheduler.shutdown();
  await scheduled;
  return Math.round((runs * stepsEach) / seconds);
}

async function allQueued(handle) {
  const { pendingActivities } = (await handle.describe()).raw;
  if ((pendingActivities?.length ?? 0) < stepsEach) throw new Error('not all steps are queued yet');
}
