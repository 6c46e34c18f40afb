// Starts trivial workflows; their ids stand for events.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import pLimit from 'p-limit';
import { serveMaker } from '../support/serve-maker.ts';
import { setting } from './serve-parent.ts';

const connection = await Connection.connect({ address: setting('TEMPORAL_ADDRESS') });
const client = new Client({ connection });
const taskQueue = setting('TEMPORAL_TASK_QUEUE');
const type = setting('BENCH_WORKFLOW');
/** As many as the product's own starts. */
const limit = pLimit(16);

serveMaker(async (_account, count, begin) => {
  const start = async (): Promise<void> => {
    const workflowId = `trivial:${randomUUID()}`;
    begin(workflowId);
    await client.workflow.start(type, { workflowId, taskQueue });
  };
  await Promise.all(Array.from({ length: count }, () => limit(start)));
});
