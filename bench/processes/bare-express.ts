// The floor for PUT: what Express 5 and MongoDB take for one indexed read and one upsert that a majority has journaled,
// with a document of the product's size. No credential, no validation, no log.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { MongoClient } from 'mongodb';
import { serveParent, setting } from './serve-parent.ts';

interface Row {
  readonly _id: string;
  readonly accountId: string;
  readonly externalId: string;
}

const accountId = randomUUID();
const client = await MongoClient.connect(setting('MONGODB_URI'), {
  writeConcern: { w: 'majority', journal: true },
});
const items = client.db(setting('MONGODB_DATABASE')).collection<Row>('items');
await items.createIndex({ accountId: 1, externalId: 1 }, { unique: true }, {});
const padding = 'x'.repeat(Number(setting('BENCH_PADDING_BYTES')));

const app = express();
app.put('/items/:externalId', express.json(), async (request, response) => {
  const key = { accountId, externalId: request.params.externalId };
  const existing = await items.findOne(key);
  const now = new Date();
  await items.updateOne(
    key,
    { $set: { content: request.body, padding, updatedAt: now }, $setOnInsert: { _id: randomUUID(), createdAt: now } },
    { upsert: true },
  );
  const message = existing === null ? 'Item created' : 'Item updated';
  response.status(202).json({ success: true, itemId: existing?._id ?? null, message });
});

const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent({ url: `http://127.0.0.1:${port}` }, {});
});
