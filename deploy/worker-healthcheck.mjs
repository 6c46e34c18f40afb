// Is the worker of this container asking for work? A worker that hangs is alive but no longer polls, and only Temporal knows.
import { hostname } from 'node:os';
import { loadTemporalConfig } from '../dist/compose/config.js';
import { withTemporal } from '../dist/compose/reach-temporal.js';

const staleAfterMs = 180_000;
const activityQueue = 2;
const patienceMs = 5_000;
const kind = (process.env.WORKER_QUEUES ?? '').split(',')[0]?.trim() || 'items';

const temporal = loadTemporalConfig();
const { pollers } = await withTemporal(temporal, patienceMs, ({ workflowService }, namespace) =>
  workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: `${temporal.taskQueue}.${kind}` },
    taskQueueType: activityQueue,
  }),
);
// The SDK's default identity is pid@hostname, and the host name is the container's own.
const own = pollers.filter((poller) => poller.identity.endsWith(`@${hostname()}`));
const isRecent = (poller) => Date.now() - Number(poller.lastAccessTime.seconds) * 1000 < staleAfterMs;
process.exitCode = own.some(isRecent) ? 0 : 1;
