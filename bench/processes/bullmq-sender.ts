// A webhook sender on BullMQ: as many attempts at once as the product has.
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { attemptBounds } from '../../core/webhooks/attempt-bounds.ts';
import { openAttempts, type QueuedDelivery } from '../support/queued-delivery.ts';
import { serveParent, setting } from './serve-parent.ts';

const attempt = await openAttempts();
const worker = new Worker<QueuedDelivery>(
  setting('BENCH_QUEUE'),
  ({ data, attemptsMade }) => attempt(data, attemptsMade + 1),
  {
    connection: new Redis({ port: Number(setting('BENCH_REDIS_PORT')), maxRetriesPerRequest: null }),
    concurrency: attemptBounds.inFlightMax,
  },
);
await worker.waitUntilReady();
serveParent({}, {});
