import { Schema, type ClientSession, type mongo } from 'mongoose';

import { dueFrom } from '../../core/due.ts';
import { accountId, itemId, type AccountId, type ItemId, type OrderId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import { newestFirst } from './former-items.ts';
import { batchedItems, type BatchedItems } from './batched-items.ts';
import { itemProof, replaceItem, type ItemProof } from './item-writes.ts';
import { accountsIndex, listIndex, problemIndex, termIndex } from './item-list-fields.ts';
import { itemFromRow, type ItemRow } from './item-row.ts';
import { noteChange } from '../changes/changes.ts';
import { defineCollection, rowsOf, type StoreConnection } from '../database/connection.ts';
import { indexDueRows } from '../dispatch/due-rows.ts';

export const uncountedIndex = { isUncounted: 1, accountId: 1, inventoryClass: 1, countedAs: 1 } as const;

const schema = new Schema<ItemRow>(
  {
    _id: String,
    accountId: String,
    externalId: String,
    current: Boolean,
    version: Number,
    revision: Number,
    settledRevision: Number,
    due: {},
    hasRun: Boolean,
    acceptedAt: Date,
    requestId: String,
    appliedChunks: [],
    writeIds: [],
    content: {},
    extendedAttributes: {},
    serviceStatus: String,
    marketplaceStatus: String,
    wantedPublication: Number,
    listings: [],
    isWatched: Boolean,
    hasListingUp: Boolean,
    blockedReason: String,
    blockedSince: Date,
    owedSince: Date,
    outboxAt: Date,
    pushHash: String,
    inventoryClass: String,
    countedAs: String,
    isUncounted: Boolean,
    isListed: Boolean,
    listDomain: String,
    searchTerms: [String],
    imageSet: {},
    outbox: [],
    sequence: Number,
    openOrderIds: [String],
    pendingOrders: [],
    processing: {},
    createdAt: Date,
    updatedAt: Date,
    changedAt: Date,
  },
  { versionKey: false, minimize: false },
);
// Partial, so that any number of tombstones may carry an external id that is in use again (protocol 5).
schema.index({ accountId: 1, externalId: 1 }, { unique: true, partialFilterExpression: { current: true } });
schema.index({ accountId: 1, externalId: 1, sequence: -1 }, { partialFilterExpression: { current: false } });
indexDueRows(schema, 'items');
schema.index({ accountId: 1, 'listings.adId': 1 }, { partialFilterExpression: { 'listings.adId': { $exists: true } } });
schema.index(
  { accountId: 1, 'processing.waitingFor': 1, 'processing.notBefore': 1 },
  { partialFilterExpression: { 'processing.waitingFor': { $type: 'string' } } },
);

// For operators (operations/stuck-rows.ts): the longest blocked first, of all accounts or of one.
const isBlocked = { partialFilterExpression: { blockedReason: { $type: 'string' } } } as const;
schema.index({ blockedReason: 1, blockedSince: 1, _id: 1 }, isBlocked);
schema.index({ accountId: 1, blockedReason: 1, blockedSince: 1, _id: 1 }, isBlocked);

schema.index({ accountId: 1 }, { partialFilterExpression: { isWatched: true } });
// The database deletes tombstones at rest (protocol 5).
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0, partialFilterExpression: { purgeAt: { $type: 'date' } } });
// With `purgeAt`, so that the search for an image reads one document even when thousands of tombstones used that image.
schema.index(
  { accountId: 1, 'imageSet.images.contentHash': 1, purgeAt: 1 },
  { partialFilterExpression: { 'imageSet.images.contentHash': { $type: 'string' } } },
);

// The list (item-list.ts).
for (const order of ['created', 'changed'] as const)
  for (const hasDomain of [false, true])
    schema.index(listIndex(order, hasDomain), { partialFilterExpression: { isListed: true } });
schema.index(termIndex);
schema.index(problemIndex, isBlocked);
schema.index(accountsIndex, { partialFilterExpression: { isListed: true } });

// Items that the inventory's tally has not counted yet. The index covers the query, so no document is read.
schema.index(uncountedIndex, { partialFilterExpression: { isUncounted: true } });

// The server uses a partial index only when the query repeats its condition, which is the reason for each `$type`
// below.
const model = defineCollection<ItemRow>('items', schema);

export interface ItemStore extends BatchedItems, ItemProof {
  /** The item that GET shows (protocol 5): the current one, else the newest archived one. A majority read. */
  findVisible(account: AccountId, externalId: string): Promise<Item | null>;
  /** Whether a deleted item with that external id has a listing that is or may be up. */
  hasPredecessorUp(account: AccountId, externalId: string): Promise<boolean>;
  findById(id: ItemId): Promise<Item | null>;
  /** Items of an account to which any of the ad ids ever belonged. */
  findByAdIds(account: AccountId, adIds: readonly string[]): Promise<Item[]>;
  findByIds(account: AccountId, ids: readonly ItemId[]): Promise<Item[]>;
  /** What a look at the marketplace needs of the items that it may report something about; without texts and images. */
  listWatched(account: AccountId): Promise<WatchedItem[]>;
  hasWatchedListings(account: AccountId, session?: ClientSession): Promise<boolean>;
  /**
   * Which of the hashes an item of the account refers to, in any state of the image. Resting tombstones refer to none.
   */
  findReferencedImages(account: AccountId, contentHashes: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Makes waiting items of an account due at once: those that wait for one of `reasons` until later than now. Returns
   * their number.
   */
  makeWaitingDue(account: AccountId, wait: { reasons: readonly string[]; now: Date; limit: number }): Promise<number>;
  /** The same for the one current item under an external id, when it waits for `waitingFor`. */
  makeSuccessorDue(account: AccountId, externalId: string, wait: { waitingFor: string; now: Date }): Promise<void>;
}

export type WatchedItem = Pick<Item, 'id' | 'listings' | 'unpaidOrderIds'>;

/** The items' collection of the driver; for the files of this folder and for operators' queries. */
export const itemCollection = (store: StoreConnection): mongo.Collection<ItemRow> => rowsOf(model(store));

/** The facts about a sold item that bookkeeping needs. */
export interface SoldGoods {
  readonly title: string;
  /** Per cent, included in the price; absent when the item names no rate. */
  readonly vatPercent?: number;
}

/** By item id. A deleted item is there until its tombstone is removed. */
export async function findSoldGoods(
  store: StoreConnection,
  accounts: readonly AccountId[],
  ids: readonly ItemId[],
): Promise<ReadonlyMap<string, SoldGoods>> {
  const rows = await itemCollection(store)
    .find(
      { _id: { $in: [...ids] }, accountId: { $in: [...accounts] } },
      { projection: { 'content.title': 1, 'content.listing.vatPercent': 1 } },
    )
    .toArray();
  return new Map(
    rows.map(({ _id, content: { title, listing } }) => {
      const vatPercent = listing?.vatPercent;
      return [_id, { title, ...(vatPercent !== undefined && { vatPercent }) }];
    }),
  );
}

/** Which of the items have several pieces. */
export async function findCountedItems(
  store: StoreConnection,
  accounts: readonly AccountId[],
  ids: readonly ItemId[],
): Promise<ReadonlySet<ItemId>> {
  const counted = { _id: { $in: [...ids] }, accountId: { $in: [...accounts] }, quantityLeft: { $ne: null } };
  const rows = await itemCollection(store)
    .find(counted, { projection: { _id: 1 } })
    .toArray();
  return new Set(rows.map(({ _id }) => itemId(_id)));
}

/** Tells pages that show the item. */
export const noteItem = (
  store: StoreConnection,
  { accountId, externalId }: Pick<Item, 'accountId' | 'externalId'>,
  session?: ClientSession,
): void => noteChange(store, { accountId, kind: 'items', ids: [externalId] }, session);

/**
 * Items go through the driver's collection rather than mongoose documents: attributes are stored verbatim whatever their
 * keys (`a.b`, `$x`), which mongoose's casting of updates doesn't allow, and one write is one compare-and-set.
 */
export function createItemStore(store: StoreConnection): ItemStore {
  const items = itemCollection(store);
  return {
    ...batchedItems(items, (item) => noteItem(store, item)),
    ...itemProof(store, items),
    ...formerItems(items),
    findById: async (id) => {
      const row = await items.findOne({ _id: id });
      return row === null ? null : itemFromRow(row);
    },
    findByAdIds: async (account, adIds) => {
      const rows = await items.find({ accountId: account, 'listings.adId': { $in: [...adIds] } }).toArray();
      return rows.map(itemFromRow);
    },
    findByIds: async (account, ids) => {
      const rows = await items.find({ accountId: account, _id: { $in: [...ids] } }).toArray();
      return rows.map(itemFromRow);
    },
    listWatched: async (account) => {
      const options = { projection: { listings: 1, unpaidOrderIds: 1 } };
      const rows = await items.find({ accountId: account, isWatched: true }, options).toArray();
      return rows.map(({ _id, listings, unpaidOrderIds }) => ({ id: itemId(_id), listings, unpaidOrderIds }));
    },
    hasWatchedListings: async (account, session) => {
      const options = { projection: { _id: 1 }, ...(session !== undefined && { session }) };
      const watched = await items.findOne({ accountId: account, isWatched: true }, options);
      return watched !== null;
    },
    findReferencedImages: async (account, contentHashes) => {
      const isReferenced = async (hash: string): Promise<boolean> => {
        const path = 'imageSet.images.contentHash';
        // A tombstone whose auction is still up may become archived, so only a resting one releases its images.
        const filter = { accountId: account, purgeAt: null, [path]: { $eq: hash, $type: 'string' } };
        return (await items.findOne(filter, { projection: { _id: 1 } })) !== null;
      };
      const found = await Promise.all(contentHashes.map(async (hash) => ((await isReferenced(hash)) ? [hash] : [])));
      return new Set(found.flat());
    },
    makeWaitingDue: async (account, { reasons, now, limit }) => {
      const waiting = {
        accountId: account,
        'processing.waitingFor': { $in: [...reasons], $type: 'string' },
        'processing.notBefore': { $gt: now },
        $expr: { $ne: ['$revision', '$settledRevision'] },
      };
      const found = await items.find(waiting, { projection: { _id: 1 }, limit }).toArray();
      if (found.length > 0)
        await items.updateMany({ ...waiting, _id: { $in: found.map(({ _id }) => _id) } }, dueNow(now));
      return found.length;
    },
    makeSuccessorDue: async (account, externalId, { waitingFor, now }) => {
      await items.updateOne(
        { accountId: account, externalId, current: true, 'processing.waitingFor': waitingFor },
        dueNow(now),
      );
    },
  };
}

const dueNow = (now: Date) => ({
  $set: { 'processing.notBefore': now, due: dueFrom('worker', now) },
  $inc: { version: 1 },
});

/** Reads former items, whose external id may belong to another item now (protocol 5). */
function formerItems(items: mongo.Collection<ItemRow>): Pick<ItemStore, 'findVisible' | 'hasPredecessorUp'> {
  return {
    findVisible: async (account, externalId) => {
      const current = { accountId: account, externalId, current: true };
      const archived = { accountId: account, externalId, current: false, removedAt: null };
      const row = (await items.findOne(current)) ?? (await items.findOne(archived, newestFirst));
      return row === null ? null : itemFromRow(row);
    },
    hasPredecessorUp: async (account, externalId) => {
      const filter = { accountId: account, externalId, current: false, hasListingUp: true };
      return (await items.findOne(filter, { projection: { _id: 1 } })) !== null;
    },
  };
}

/**
 * The same within a transaction. A concurrent write of the item restarts the transaction, so `replace` never loses against
 * another write.
 */
export function itemsInTransaction(
  store: StoreConnection,
  session: ClientSession,
): Pick<ItemStore, 'findById' | 'replace'> {
  const items = itemCollection(store);
  return {
    findById: async (id) => {
      const row = await items.findOne({ _id: id }, { session });
      return row === null ? null : itemFromRow(row);
    },
    replace: async (previous, next, options = {}) => {
      const stored = await replaceItem(items, { previous, next }, { ...options, session });
      if (stored !== null) noteItem(store, stored, session);
      return stored;
    },
  };
}

/** Reads only the fields of an item that a log line contains. */
export async function findItemNames(
  store: StoreConnection,
  id: ItemId,
): Promise<Pick<Item, 'accountId' | 'externalId' | 'requestId'> | null> {
  const projection = { _id: 0, accountId: 1, externalId: 1, requestId: 1 } as const;
  const row = await itemCollection(store).findOne({ _id: id }, { projection });
  if (row === null) return null;
  const { externalId, requestId = null } = row;
  return { accountId: accountId(row.accountId), externalId, requestId };
}

/** The item under an external id that has this order in progress, even if it is deleted by now. A majority read. */
export async function findItemWithOrder(
  store: StoreConnection,
  account: AccountId,
  { externalId, orderId }: { externalId: string; orderId: OrderId },
): Promise<Item | null> {
  const items = itemCollection(store);
  const find = (current: boolean): Promise<ItemRow | null> =>
    items.findOne({ accountId: account, externalId, current, openOrderIds: orderId });
  const row = (await find(true)) ?? (await find(false));
  return row === null ? null : itemFromRow(row);
}
