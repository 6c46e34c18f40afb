import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';

/** Resolves when the server hands out the task of a workflow that was started just now: until then nobody could do better. */
export async function untilTemporalServes(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 30_000 });
  try {
    await connection.withDeadline(Date.now() + 60_000, () => serve(new Client({ connection })));
  } finally {
    await connection.close();
  }
}

async function serve(client: Client): Promise<void> {
  const queue = `probe-${randomUUID()}`;
  const run = await client.workflow.start('probe', { taskQueue: queue, workflowId: queue });
  const namespace = client.options.namespace;
  await client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: queue }, identity: queue });
  await run.terminate();
}
