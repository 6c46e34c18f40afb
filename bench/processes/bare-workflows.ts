// The floor for events that are refused: a worker, and workflows with as many tries and waits as a delivery that is given up has.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { Client, Connection } from '@temporalio/client';
import { Context } from '@temporalio/activity';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pLimit from 'p-limit';
import { serveParent, setting } from './serve-parent.ts';

/** Before the first try of the activity, which is the delivery's second attempt, and before each later one. */
const [startDelay, ...waitsMs] = [1_000, 2_000, 4_000, 8_000] as const;

let ended = 0;
/** Fails until no wait is left. */
async function refuse(): Promise<void> {
  const nextRetryDelay = waitsMs[Context.current().info.attempt - 1];
  if (nextRetryDelay === undefined) ended += 1;
  else
    throw ApplicationFailure.create({
      message: 'refused',
      nextRetryDelay,
      category: ApplicationFailureCategory.BENIGN,
    });
}
const activities = { refuse };
export type BareActivities = typeof activities;

Runtime.install({ logger: new DefaultLogger('WARN') });
const address = setting('TEMPORAL_ADDRESS');
const taskQueue = `bare-${randomUUID()}`;
const client = new Client({ connection: await Connection.connect({ address }) });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  activities,
  workflowsPath: fileURLToPath(new URL('bare-workflow.ts', import.meta.url)),
  maxConcurrentWorkflowTaskExecutions: 80,
  maxConcurrentActivityTaskExecutions: 1_000,
  maxCachedWorkflows: 500,
});

/** Resolves when so many workflows have made their last try. */
async function run(count: number): Promise<void> {
  const limit = pLimit(16);
  const start = () =>
    client.workflow.start('bareRetries', { workflowId: `bare:${randomUUID()}`, taskQueue, startDelay });
  const wanted = ended + count;
  await Promise.all(Array.from({ length: count }, () => limit(start)));
  while (ended < wanted) await pause(50);
}

serveParent({}, { run: (count) => run(count as number) });
await worker.run();
