// What the benchmark knows of the product's insides besides processes/product-maker.ts: where its rows say that work is done.
import { setTimeout as pause } from 'node:timers/promises';
import { BSON, type Document } from 'mongodb';
import { until } from '../../test/support/until.ts';
import { ownIndexes } from './bare-collection.ts';
import type { Product } from './product.ts';
import type { BenchServers } from './servers.ts';

/** An item as its owner names it. */
export interface ItemKey {
  readonly accountId: string;
  readonly externalId: string;
}

const lookMs = 20;
const patienceMs = 20 * 60_000;

const collectionOf = ({ foundation }: Product, name: string) =>
  foundation.store.connection.collection<Document & { _id: string }>(name);

/** Waits until an item owes nothing: its events are stored and its status is settled. Looking costs one read by an index. */
export async function untilSettled(product: Product, { accountId, externalId }: ItemKey, everyMs = lookMs) {
  const [items, key] = [collectionOf(product, 'items'), { accountId, externalId, current: true }];
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const row = await items.findOne(key, { projection: { _id: 0, revision: 1, settledRevision: 1 } });
    if (row !== null && row['revision'] === row['settledRevision']) return;
    if (performance.now() > deadline) throw new Error(`${externalId} is not settled`);
    await pause(everyMs);
  }
}

const unsettled = { $expr: { $ne: ['$revision', '$settledRevision'] } };

/** Whether any item of any account still owes something. */
export const isAnyUnsettled = async (product: Product): Promise<boolean> =>
  (await collectionOf(product, 'items').findOne(unsettled, { projection: { _id: 1 } })) !== null;

/** Waits for one item after the other, the last first: when it is done most others are, and the rest is one look at all. */
export async function untilAllSettled(product: Product, last: ItemKey): Promise<void> {
  await untilSettled(product, last);
  await until('every item is settled', async () => !(await isAnyUnsettled(product)), patienceMs);
}

/** Waits until each delivery has its outcome and no workflow works on one. */
export async function untilDelivered(servers: BenchServers, product: Product): Promise<void> {
  const open = { state: 'pending' };
  const isDone = async () => (await collectionOf(product, 'deliveries').findOne(open)) === null;
  await until('every delivery has its outcome', isDone, patienceMs);
  await untilNoWorkflow(servers, `TaskQueue="${product.taskQueue}.deliveries" AND WorkflowType="deliverEvent"`);
}

/** Waits until none of these workflows is open. */
export async function untilNoWorkflow({ temporalClient }: BenchServers, which: string): Promise<void> {
  const query = `${which} AND ExecutionStatus="Running"`;
  const isDone = async () => (await temporalClient.workflow.count(query)).count === 0;
  await until(`no workflow with ${which} is open`, isDone, patienceMs);
}

/** Waits until the account's endpoint is disabled. */
export async function untilDisabled(product: Product, accountId: string): Promise<void> {
  const isDone = async () => collectionOf(product, 'webhook_endpoints').findOne({ accountId, active: false });
  await until('the endpoint is disabled', isDone, patienceMs);
}

/** What the product stores for one event that gets through at once, for senders that are to write the same. */
export interface StoredRows {
  readonly event: Document;
  /** The delivery while its first attempt is under way, and as it is left. */
  readonly begun: Document;
  readonly done: Document;
  readonly attempt: Document;
  /** Indexes of each collection, by its name. */
  readonly indexes: Readonly<Record<string, Document[]>>;
}

/** Reads the rows of an account's only event, whose receiver takes a while to answer. Gives them as extended JSON. */
export async function readStoredRows(product: Product, accountId: string): Promise<string> {
  const only = (name: string) => async (): Promise<Document | null> =>
    collectionOf(product, name).findOne({ accountId });
  const begun = await until('the delivery is stored', only('deliveries'));
  const attempt = await until('its attempt is logged', only('delivery_attempts'));
  await pause(500);
  const names = ['events', 'deliveries', 'delivery_attempts'];
  const indexes = names.map(async (name) => [name, await ownIndexes(collectionOf(product, name))] as const);
  const rows: StoredRows = {
    begun,
    attempt,
    event: (await only('events')()) ?? {},
    done: (await only('deliveries')()) ?? {},
    indexes: Object.fromEntries(await Promise.all(indexes)),
  };
  return BSON.EJSON.stringify(rows, { relaxed: false });
}
