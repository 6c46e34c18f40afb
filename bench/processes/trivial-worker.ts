// The floor for everything that runs on Temporal: a worker with the product's number of slots, for workflows with one
// activity that does nothing.
import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { sharedNow } from '../support/clock.ts';
import { serveParent, setting } from './serve-parent.ts';

/** When each workflow's activity ran, in ms of the clock that all processes share. */
const noted = new Map<string, number>();

const activities = {
  note: async (workflowId: string): Promise<void> => {
    if (!noted.has(workflowId)) noted.set(workflowId, sharedNow());
  },
};
export type TrivialActivities = typeof activities;

Runtime.install({ logger: new DefaultLogger('WARN') });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: setting('TEMPORAL_ADDRESS') }),
  taskQueue: setting('TEMPORAL_TASK_QUEUE'),
  workflowsPath: fileURLToPath(new URL('trivial-workflows.ts', import.meta.url)),
  activities,
  maxConcurrentWorkflowTaskExecutions: 40,
  maxConcurrentLocalActivityExecutions: 40,
  maxConcurrentActivityTaskExecutions: 50,
  maxConcurrentActivityTaskPolls: 2,
  maxCachedWorkflows: 500,
});
serveParent({}, { count: () => noted.size, arrivals: () => [...noted], clear: () => noted.clear() });
await worker.run();
