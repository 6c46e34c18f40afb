// Stores events in MongoDB, then queues their deliveries in Redis.
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { attemptsMax } from '../../core/webhooks/retry-schedule.ts';
import { openEventStore } from '../support/queued-delivery.ts';
import { serveMaker } from '../support/serve-maker.ts';
import { setting } from './serve-parent.ts';

const queue = new Queue(setting('BENCH_QUEUE'), {
  connection: new Redis({ port: Number(setting('BENCH_REDIS_PORT')), maxRetriesPerRequest: null }),
  defaultJobOptions: {
    attempts: attemptsMax,
    // 1, 2, 4 and 8 s
    backoff: { type: 'exponential', delay: 1_000 },
    removeOnComplete: true,
  },
});
await queue.waitUntilReady();
const store = await openEventStore();

serveMaker(async (account, count, begin) => {
  const deliveries = await store(account, count, begin);
  await queue.addBulk(deliveries.map((data) => ({ name: 'deliver', data, opts: { jobId: data.eventId } })));
});
