import type { ClientSession, mongo } from 'mongoose';
import { accountId, itemId, type AccountId, type ItemId, type OrderId } from '../../rules/ids.ts';
import { isBeingPublished } from '../../images/rules/image-set.ts';
import { isUnwanted, isUp, type Item, type ItemKey } from '../rules/item.ts';
import { asError, batchReads } from '../../../platform/database/batch.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { whenEnded, type Session } from '../../../platform/database/transaction.ts';
import type { Delivery } from '../../webhooks/store/deliveries.ts';
import {
  acceptorThatSendsNothing,
  isHandedOver,
  type AcceptOptions,
  type Acceptor,
  type AcceptParts,
} from './accept-writes.ts';
import { findNewestFormer, newestFirst } from './former-items.ts';
import { itemCollection } from './item-collection.ts';
import { itemFromRow, type ItemRow } from './item-row.ts';
import { itemProof, prepareWrite, type ItemProof } from './item-writes.ts';
import { storeWrites } from './store-writes.ts';

export interface ItemStore extends ItemProof {
  /** The current item as a majority of the replica set has it. Concurrent calls are one query. */
  findCurrent(account: AccountId, externalId: string): Promise<Item | null>;
  /** The newest of the former items with the external id: archived ones and tombstones. Concurrent calls are one query. */
  findPredecessor(account: AccountId, externalId: string): Promise<{ readonly sequence: number } | null>;
  /** Stores a new item. Returns null when the account already has a current item with that external id. */
  insert(item: Item, options?: AcceptOptions): Promise<Item | null>;
  /**
   * Stores the differences by compare-and-set. Returns the stored item, or null when it has changed since `previous` was read.
   */
  replace(previous: Item, next: Item, options?: AcceptOptions): Promise<Item | null>;
  /** The item that GET shows (protocol 5): the current one, else the newest archived one. A majority read. */
  findVisible(account: AccountId, externalId: string): Promise<Item | null>;
  /** Whether a deleted item with that external id has a listing that is or may be up. */
  hasPredecessorUp(account: AccountId, externalId: string): Promise<boolean>;
  findById(item: ItemKey): Promise<Item | null>;
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

/** The items of an account with an auction that is up, or about to be. */
export async function listUpOrWanted(store: StoreConnection, account: AccountId): Promise<ItemId[]> {
  const fields = { listings: 1, wantedPublication: 1, current: 1, serviceStatus: 1, quantityLeft: 1 } as const;
  const published = { accountId: account, $or: [{ hasListingUp: true }, { wantedPublication: { $gt: 0 } }] };
  const found: ItemId[] = [];
  const rows = itemCollection(store).find(published).project<{ _id: string } & Pick<Item, keyof typeof fields>>(fields);
  for await (const row of rows)
    if (row.listings.some(isUp) || (isBeingPublished(row) && !isUnwanted(row))) found.push(itemId(row._id));
  return found;
}

/** When an auction of the account was last known to be up; null: never. */
export async function findLastSeenUp(store: StoreConnection, account: AccountId): Promise<Date | null> {
  const last = { $max: ['$listings.seen.at', '$listings.pricedAt'] };
  const found = await itemCollection(store)
    .aggregate<{ readonly at: Date | null }>([
      { $match: { accountId: account, wantedPublication: { $gt: 0 } } },
      { $unwind: '$listings' },
      { $group: { _id: null, at: { $max: last } } },
    ])
    .toArray();
  return found[0]?.at ?? null;
}

/**
 * Items go through the driver's collection rather than mongoose documents: attributes are stored verbatim whatever their
 * keys (`a.b`, `$x`), which mongoose's casting of updates doesn't allow, and one write is one compare-and-set.
 */
export function createItemStore(
  store: StoreConnection,
  { accept }: Pick<Acceptor, 'accept'> = acceptorThatSendsNothing(store),
): ItemStore {
  const items = itemCollection(store);
  return {
    ...gatheredReads(store, items),
    ...itemProof(store, items),
    ...formerItems(items),
    ...waitingItems(items),
    insert: (next, options) => accept({ previous: null, next }, options),
    replace: (previous, next, options) => accept({ previous, next }, options),
    findById: async ({ accountId: account, id }) => {
      const row = await items.findOne({ _id: id, accountId: account });
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
  };
}

/** Ends waits of items: a relay starts their workflows. */
function waitingItems(items: mongo.Collection<ItemRow>): Pick<ItemStore, 'makeWaitingDue' | 'makeSuccessorDue'> {
  return {
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
  $set: { 'processing.notBefore': now, startAt: now, starts: 0, bulk: null },
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

/** The reads of every push: concurrent ones of an account go to the database together. */
function gatheredReads(
  store: StoreConnection,
  items: mongo.Collection<ItemRow>,
): Pick<ItemStore, 'findCurrent' | 'findPredecessor'> {
  const current = batchReads<AccountId, Item>(async (account, externalIds) => {
    const filter = { accountId: account, externalId: { $in: [...externalIds] }, current: true };
    const rows = await items.find(filter).toArray();
    // A damaged row, or one of a newer version, fails only its own caller.
    return new Map(rows.map((row) => [row.externalId, itemOrError(row)]));
  });
  const predecessors = batchReads((account: AccountId, ids) => findNewestFormer(store, account, ids));
  return {
    findCurrent: async (account, externalId) => (await current(account, externalId)) ?? null,
    findPredecessor: async (account, externalId) => (await predecessors(account, externalId)) ?? null,
  };
}

function itemOrError(row: ItemRow): Item | Error {
  try {
    return itemFromRow(row);
  } catch (error) {
    return asError(error);
  }
}

/** The same within a transaction of the caller. A concurrent write of the item restarts that transaction. */
export function itemsInTransaction(
  store: StoreConnection,
  session: Session,
  { plan, start }: Pick<AcceptParts, 'plan' | 'start'>,
): { readonly findById: ItemStore['findById']; readonly replace: (previous: Item, next: Item) => Promise<Item> } {
  return {
    findById: async ({ accountId: account, id }) => {
      const row = await itemCollection(store).findOne({ _id: id, accountId: account }, { session });
      return row === null ? null : itemFromRow(row);
    },
    replace: async (previous, next) => {
      const write = prepareWrite({ previous, next });
      const planned = plan();
      let stored: readonly Delivery[] = [];
      whenEnded(session, (isStored) => {
        if (isStored) planned.onStored(stored);
        if (isStored && isHandedOver(write)) start(write.stored);
        planned.drop();
      });
      ({ deliveries: stored } = await storeWrites(store, [write], { plan: planned, isCareful: false, session }));
      return write.stored;
    },
  };
}

/** The current items of an account that have images. */
export async function* listItemsWithImages(
  store: StoreConnection,
  account: AccountId,
): AsyncGenerator<ItemKey & Pick<Item, 'imageSet'>> {
  const filter = { accountId: account, current: true, 'imageSet.images.contentHash': { $type: 'string' } } as const;
  for await (const { _id, imageSet } of itemCollection(store).find(filter, { projection: { imageSet: 1 } }))
    yield { id: itemId(_id), accountId: account, imageSet };
}

/** Reads only the fields of an item that a log line contains. */
export async function findItemNames(
  store: StoreConnection,
  { accountId: account, id }: ItemKey,
): Promise<Pick<Item, 'accountId' | 'externalId' | 'requestId'> | null> {
  const projection = { _id: 0, accountId: 1, externalId: 1, requestId: 1 } as const;
  const row = await itemCollection(store).findOne({ _id: id, accountId: account }, { projection });
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
