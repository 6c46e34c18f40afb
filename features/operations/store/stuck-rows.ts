import type { mongo } from 'mongoose';
import { accountId, itemId, type AccountId, type DeliveryId, type ItemId } from '../../rules/ids.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { deliveryOf, deliveryRows, type Delivery } from '../../webhooks/store/deliveries.ts';
import type { Item, ItemKey } from '../../items/rules/item.ts';
import { itemFromRow, type ItemRow } from '../../items/store/item-row.ts';
import { itemCollection } from '../../items/store/item-collection.ts';
import { findOldestStart, owedItems } from '../../items/store/owed-items.ts';

/** A blocked item (features/operations/rules/explain-wait.ts), as a list shows it. */
export interface StuckItem {
  readonly itemId: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
  readonly reason: string;
  readonly since: Date;
  readonly stage: string;
  readonly attempts: number;
  readonly lastError: string | null;
  /** Time of the next try; null when none is planned. */
  readonly notBefore: Date | null;
}

export interface StuckQuery {
  /** All reasons when left out. */
  readonly reasons?: readonly string[];
  readonly account?: AccountId;
  /** Only items blocked since then or longer. */
  readonly before: Date;
  /** Only items after this position in the order of {@link listStuckItems}. */
  readonly after?: StuckPosition | null;
}

export interface StuckCount {
  readonly reason: string;
  readonly count: number;
  readonly oldest: Date;
}

/** The `$type` conditions allow the server to use the partial indexes. */
const inTrouble = ({ reasons, account, before, after = null }: StuckQuery) => ({
  ...(account !== undefined && { accountId: account }),
  blockedReason: { $type: 'string' as const, ...(reasons !== undefined && { $in: [...reasons] }) },
  blockedSince: { $lte: before },
  ...(after !== null && behind(after, before)),
});

/** Number of blocked items by reason, the most frequent first. Reads index entries only. */
export async function countStuckItems(store: StoreConnection, query: StuckQuery): Promise<StuckCount[]> {
  const counts = await itemCollection(store)
    .aggregate<{ _id: string; count: number; oldest: Date }>([
      { $match: inTrouble(query) },
      { $group: { _id: '$blockedReason', count: { $sum: 1 }, oldest: { $min: '$blockedSince' } } },
      { $sort: { count: -1, _id: 1 } },
    ])
    .toArray();
  return counts.map(({ _id, count, oldest }) => ({ reason: _id, count, oldest }));
}

/** Position at which a list of stuck items continues. */
export type StuckPosition = Pick<StuckItem, 'since' | 'itemId'>;

/** The longest blocked first. Because `reasons` are named, the server merges them from the index without sorting. */
export async function listStuckItems(
  store: StoreConnection,
  query: StuckQuery & { readonly reasons: readonly string[] },
  { limit }: { limit: number },
): Promise<StuckItem[]> {
  const rows = await itemCollection(store)
    .find(inTrouble(query))
    .sort({ blockedSince: 1, _id: 1 })
    .limit(limit)
    .project<Listed>({ accountId: 1, externalId: 1, blockedReason: 1, blockedSince: 1, processing: 1 })
    .toArray();
  return rows.map(fromRow);
}

const behind = ({ since, itemId: last }: StuckPosition, before: Date) => ({
  blockedSince: { $gte: since, $lte: before },
  $or: [{ blockedSince: { $gt: since } }, { blockedSince: since, _id: { $gt: last } }],
});

type Listed = Pick<ItemRow, '_id' | 'accountId' | 'externalId' | 'blockedReason' | 'blockedSince' | 'processing'>;

const fromRow = ({ _id, processing, blockedReason, blockedSince, ...row }: Listed): StuckItem => ({
  itemId: itemId(_id),
  accountId: accountId(row.accountId),
  externalId: row.externalId,
  reason: blockedReason ?? '',
  since: blockedSince ?? processing.updatedAt,
  stage: processing.stage,
  attempts: processing.attempts,
  lastError: processing.lastError,
  notBefore: processing.notBefore,
});

/** Items that have been due since `before` or longer: no relay runs, or none can reach the engine. */
export async function countOverdue(
  store: StoreConnection,
  before: Date,
): Promise<{ readonly count: number; readonly oldest: Date | null }> {
  const [count, oldest] = await Promise.all([
    itemCollection(store).countDocuments(owedItems(before), { limit: overdueMax }),
    findOldestStart(store),
  ]);
  return { count, oldest: oldest !== null && oldest > before ? null : oldest };
}

/** The count stops here: a higher number has no further use. */
const overdueMax = 100_000;

/** Current items under an external id in any of `accounts`, which are queried one after the other by index. */
export async function findByExternalId(
  store: StoreConnection,
  externalId: string,
  accounts: readonly AccountId[],
): Promise<ItemKey[]> {
  const items: mongo.Collection<ItemRow> = itemCollection(store);
  const found: ItemKey[] = [];
  for (let start = 0; start < accounts.length; start += accountsAtOnce) {
    const some = accounts.slice(start, start + accountsAtOnce);
    const filter = { accountId: { $in: some }, externalId, current: true };
    const rows = await items.find(filter, { projection: { accountId: 1 } }).toArray();
    found.push(...rows.map((row) => ({ accountId: accountId(row.accountId), id: itemId(row._id) })));
  }
  return found;
}

const accountsAtOnce = 1_000;

/** An item of any account: for operators only. */
export async function dangerouslyFindItem(store: StoreConnection, id: ItemId): Promise<Item | null> {
  const row = await itemCollection(store).findOne({ _id: id });
  return row === null ? null : itemFromRow(row);
}

/** A delivery of any account: for operators only. */
export async function dangerouslyFindDelivery(store: StoreConnection, id: DeliveryId): Promise<Delivery | null> {
  const row = await deliveryRows(store).findOne({ _id: id });
  return row === null ? null : deliveryOf(row);
}
