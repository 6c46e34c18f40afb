// A webhook sender on BullMQ: reads the endpoint, signs, sends, and writes the product's log row for each attempt.
import { Worker } from 'bullmq';
import { serveParent, setting } from './serve-parent.ts';
import { createEvents, createSender, openRows, readRows } from './stored-rows.ts';

/** As many attempts at once as Outpost is given. */
const concurrency = 100;
const rows = readRows();
const { attemptOf } = createEvents(rows);
const send = createSender(concurrency);
const { attempts, events, client } = await openRows(rows);
const endpoints = client.db(setting('MONGODB_DATABASE')).collection<{ _id: string }>('webhook_endpoints');
await endpoints.insertOne({ _id: 'endpoint' });
const worker = new Worker<{ eventId: string; body: string }>(
  setting('BENCH_QUEUE'),
  async ({ data: { eventId, body } }) => {
    await endpoints.findOne({ _id: 'endpoint' });
    await send(eventId, Buffer.from(body));
    await attempts.insertOne(attemptOf(eventId));
  },
  { connection: { port: Number(setting('BENCH_REDIS_PORT')), maxRetriesPerRequest: null }, concurrency },
);
await worker.waitUntilReady();
serveParent(
  {},
  { open: async () => (await events.estimatedDocumentCount()) - (await attempts.estimatedDocumentCount()) },
);
