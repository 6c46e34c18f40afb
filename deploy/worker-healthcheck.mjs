// Is the worker of this container asking for work? A worker that hangs is alive but no longer polls, and only Temporal knows.
import { hostname } from 'node:os';
import { Connection } from '@temporalio/client';

const staleAfterMs = 180_000;
const activityQueue = 2;
const {
  TEMPORAL_ADDRESS = '127.0.0.1:7233',
  TEMPORAL_NAMESPACE = 'default',
  TEMPORAL_TASK_QUEUE = 'itembridge',
  WORKER_QUEUES = '',
} = process.env;
const kind = WORKER_QUEUES.split(',')[0]?.trim() || 'items';

const connection = await Connection.connect({ address: TEMPORAL_ADDRESS, connectTimeout: '5s' });
const { pollers } = await connection.withDeadline(Date.now() + 5000, () =>
  connection.workflowService.describeTaskQueue({
    namespace: TEMPORAL_NAMESPACE,
    taskQueue: { name: `${TEMPORAL_TASK_QUEUE}.${kind}` },
    taskQueueType: activityQueue,
  }),
);
// The SDK's default identity is pid@hostname, and the host name is the container's own.
const own = pollers.filter((poller) => poller.identity.endsWith(`@${hostname()}`));
const isRecent = (poller) => Date.now() - Number(poller.lastAccessTime.seconds) * 1000 < staleAfterMs;
await connection.close();
process.exitCode = own.some(isRecent) ? 0 : 1;
