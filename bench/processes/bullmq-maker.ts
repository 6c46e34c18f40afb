// Stores events in MongoDB, then queues their deliveries in Redis.
import { Queue } from 'bullmq';
import { serveMaker } from './serve-maker.ts';
import { setting } from './serve-parent.ts';
import { createEvents, openRows, readRows } from './stored-rows.ts';

const queue = new Queue(setting('BENCH_QUEUE'), {
  connection: { port: Number(setting('BENCH_REDIS_PORT')), maxRetriesPerRequest: null },
  // 1, 2, 4 and 8 s
  defaultJobOptions: { attempts: 5, backoff: { type: 'exponential', delay: 1_000 }, removeOnComplete: true },
});
await queue.waitUntilReady();
const rows = readRows();
const { newEvents } = createEvents(rows);
const { events } = await openRows(rows);

serveMaker(async (_account, count, begin) => {
  const made = newEvents(count);
  for (const { eventId } of made) begin(eventId);
  await events.insertMany(made.map(({ event }) => event));
  await queue.addBulk(
    made.map(({ eventId, body }) => ({
      name: 'deliver',
      data: { eventId, body: body.toString() },
      opts: { jobId: eventId },
    })),
  );
});
