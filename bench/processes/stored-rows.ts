// What the product stores for an event, written by senders that have nothing else of the product: the same rows, the same indexes.
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BSON, MongoClient, type Binary, type Collection, type Document, type IndexDescription } from 'mongodb';
import { Agent, request } from 'undici';
import type { StoredRows } from '../support/observe-product.ts';
import { setting } from './serve-parent.ts';

type Row = Document & { _id: string };

/** The rows of one new event. */
export interface NewEvent {
  readonly eventId: string;
  /** What the receiver gets. */
  readonly body: Buffer;
  readonly event: Row;
  readonly delivery: Row;
  readonly attempt: Row;
}

/** What a delivery gets when it is done. */
export type Outcome = Readonly<Document>;

export function readRows() {
  return BSON.EJSON.parse(readFileSync(setting('BENCH_ROWS_FILE'), 'utf8'), { relaxed: false }) as StoredRows;
}

/** What tells the ids of one event, its delivery and its attempt from those of another. */
const ownPart = /[0-9a-f]{32}/;

/** New events with ids of their own; everything else is as in the rows that were read from the product. */
export function createEvents({ event, begun, attempt }: StoredRows) {
  const known = ownPart.exec(String(event['_id']))?.[0];
  if (known === undefined) throw new Error(`events have other ids now: ${String(event['_id'])}`);
  const sample = Buffer.from((begun['body'] as Binary).buffer).toString();
  let made = 0;
  const attemptOf = (eventId: string): Row => {
    const own = ownPart.exec(eventId)?.[0] ?? '';
    const renamed = (id: unknown): string => String(id).replace(known, own);
    const ids = { _id: renamed(attempt['_id']), deliveryId: renamed(begun['_id']), eventId };
    return { ...attempt, ...ids, createdAt: new Date() };
  };
  const newEvent = (): NewEvent => {
    made += 1;
    const own = randomBytes(known.length / 2).toString('hex');
    const [eventId, body] = [String(event['_id']).replace(known, own), Buffer.from(sample.replaceAll(known, own))];
    const ids = { _id: String(begun['_id']).replace(known, own), eventId };
    const delivery = { ...begun, ...ids, body, createdAt: new Date() };
    return { eventId, body, event: { ...event, _id: eventId, number: made }, delivery, attempt: attemptOf(eventId) };
  };
  return { attemptOf, newEvents: (count: number): NewEvent[] => Array.from({ length: count }, newEvent) };
}

/** The fields that an attempt which got through has changed. */
export function outcomeOf({ begun, done }: StoredRows): Outcome {
  const changed = Object.keys(done).filter(
    (name) => BSON.EJSON.stringify(done[name]) !== BSON.EJSON.stringify(begun[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, done[name]]));
}

/** The collections of a database of its own, with the product's indexes, journaled by a majority. */
export async function openRows({ indexes }: StoredRows) {
  const client = await MongoClient.connect(setting('MONGODB_URI'), { writeConcern: { w: 'majority', journal: true } });
  const open = async (name: string): Promise<Collection<Row>> => {
    const collection = client.db(setting('MONGODB_DATABASE')).collection<Row>(name);
    await collection.createIndexes((indexes[name] ?? []) as IndexDescription[]);
    return collection;
  };
  const [events, deliveries, attempts] = [
    await open('events'),
    await open('deliveries'),
    await open('delivery_attempts'),
  ];
  return { client, events, deliveries, attempts };
}

const url = setting('BENCH_RECEIVER_URL');
const secret = randomBytes(32);

/** Signs and sends a body over connections that are kept. Throws when it is not accepted. */
export function createSender(connections: number): (eventId: string, body: Buffer) => Promise<void> {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  return async (eventId, body) => {
    const sentAt = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', secret).update(`${eventId}.${sentAt}.`).update(body).digest('base64');
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      dispatcher,
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': eventId,
        'webhook-timestamp': String(sentAt),
        'webhook-signature': `v1,${signature}`,
      },
    });
    await answer.dump();
    if (statusCode >= 300) throw new Error(`the receiver answered ${statusCode}`);
  };
}
