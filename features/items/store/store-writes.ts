import type { mongo } from 'mongoose';
import { groupBy } from '../../rules/group-by.ts';
import type { Item } from '../rules/item.ts';
import { sequenceGap } from '../rules/upsert-item.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import type { Session } from '../../../platform/database/transaction.ts';
import { insertDeliveries, type Delivery } from '../../webhooks/store/deliveries.ts';
import type { DeliveryPlan } from '../../webhooks/store/make-deliveries.ts';
import { insertEvents, withoutStoredEvents, type DueEvent } from '../../webhooks/store/events.ts';
import { insertSaleNotices } from '../../mail/store/mails.ts';
import { insertSales } from '../../orders/store/sales.ts';
import { findTargets, type TargetsOf } from '../../webhooks/store/webhook-targets.ts';
import type { ItemRow } from './item-row.ts';
import type { PreparedWrite } from './item-writes.ts';
import { itemCollection } from './item-collection.ts';
import { insertJournal } from './journal.ts';

/** The write did not fit in the transaction, and goes into the next one. */
export const later = Symbol('later');

/** An item has changed since it was read. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

export interface StoreWritesOptions {
  readonly plan: DeliveryPlan;
  /** Looks for changed items, and for rows that are there already, before it writes: a look costs commands, an error the transaction. */
  readonly isCareful: boolean;
  /** Stores all writes or none: throws {@link Overtaken} before it writes where an item has changed or the rows are too many. */
  readonly isWhole?: boolean;
  readonly session: Session;
}

export interface StoredWrites {
  /** By write: the stored item, null for one that has changed since it was read, or {@link later}. */
  readonly outcomes: readonly (Item | null | typeof later)[];
  readonly deliveries: readonly Delivery[];
}

/**
 * Stores writes in one transaction: the items by compare-and-set, their events with a delivery for each target that exists, their
 * history and their orders. Throws {@link Overtaken} for an item that has changed, unless it is careful.
 */
export async function storeWrites(
  store: StoreConnection,
  writes: readonly PreparedWrite[],
  { plan, isCareful, isWhole = false, session }: StoreWritesOptions,
): Promise<StoredWrites> {
  if (writes.length === 0) return { outcomes: [], deliveries: [] };
  const outOfOrder = await findOutOfOrder(store, writes, session);
  if (outOfOrder.size > 0 && !isCareful) throw new Overtaken('the id had another item since it was read');
  const unchanged = isCareful ? await findUnchanged(store, writes, session) : new Set(writes);
  const fits = new Set(writes.filter((write) => unchanged.has(write) && !outOfOrder.has(write)));
  const present = [...fits];
  const withEvents = present.filter(({ events }) => events.length > 0);
  const targetsOf = await findTargets(store, accountsOf(withEvents), session);
  const taken = new Set(present.slice(0, howManyFit(present, targetsOf)));
  if (isWhole && taken.size < writes.length) throw new Overtaken('an item has changed, or the rows are too many');
  const outcome = (write: PreparedWrite) => (fits.has(write) ? (taken.has(write) ? write.stored : later) : null);
  const now = store.clock.now();
  await writeItems(store, [...taken], { now, session });
  const due = [...taken].flatMap(eventsOf);
  const events = await insertEvents(store, isCareful ? await withoutStoredEvents(store, due, session) : due, {
    now,
    session,
  });
  const deliveries = events.flatMap((event) => plan.planDeliveries(event, targetsOf(event.accountId), now));
  await insertDeliveries(store, deliveries, session);
  await insertSaleNotices(store, events, { at: now, session });
  await insertJournal(store, [...taken], { isRepeated: isCareful, session });
  await insertSales(store, [...taken], { now, isRepeated: isCareful, session });
  return { outcomes: writes.map(outcome), deliveries };
}

const accountsOf = (writes: readonly PreparedWrite[]) => [...new Set(writes.map(({ next }) => next.accountId))];

/**
 * New items whose external id had another item since it was read, which is deleted again: their events would have the numbers of its
 * events. Looked for in the snapshot of the transaction.
 */
async function findOutOfOrder(
  store: StoreConnection,
  writes: readonly PreparedWrite[],
  session: Session,
): Promise<ReadonlySet<PreparedWrite>> {
  const branches = writes.filter(isNew).flatMap(({ next: { accountId, externalId }, events: [first] }) => {
    if (first === undefined) return [];
    const sequence = { $gt: first.sequence - 1 - sequenceGap };
    return [{ accountId, externalId, current: false, sequence }];
  });
  if (branches.length === 0) return new Set();
  const rows = await itemCollection(store)
    .find({ $or: branches }, { session })
    .project<Pick<ItemRow, 'accountId' | 'externalId'>>({ _id: 0, accountId: 1, externalId: 1 })
    .toArray();
  const names = new Set(rows.map(nameOf));
  return new Set(writes.filter((write) => isNew(write) && names.has(nameOf(write.next))));
}

const nameOf = ({ accountId, externalId }: Pick<ItemRow, 'accountId' | 'externalId'>): string =>
  `${accountId} ${externalId}`;

/** The writes whose items are as they were read, in the snapshot of the transaction. */
async function findUnchanged(
  store: StoreConnection,
  writes: readonly PreparedWrite[],
  session: Session,
): Promise<ReadonlySet<PreparedWrite>> {
  const branches = [...groupBy(writes, ({ next }) => next.accountId)].flatMap(([accountId, own]) => [
    { accountId, _id: { $in: own.map(({ next }) => next.id) } },
    { accountId, externalId: { $in: own.filter(isNew).map(({ next }) => next.externalId) }, current: true },
  ]);
  const rows = await itemCollection(store)
    .find({ $or: branches }, { session })
    .project<Pick<ItemRow, '_id' | 'accountId' | 'externalId' | 'current' | 'version'>>({
      accountId: 1,
      externalId: 1,
      current: 1,
      version: 1,
    })
    .toArray();
  const versions = new Map(rows.map((row) => [row._id, row.version]));
  const names = new Set(rows.filter(({ current }) => current).map(nameOf));
  return new Set(
    writes.filter(({ previous, next }) =>
      previous === null
        ? !versions.has(next.id) && !names.has(nameOf(next))
        : versions.get(next.id) === previous.version,
    ),
  );
}

/** Throws {@link Overtaken} when one of the items of an account has changed since it was read. */
export async function requireUnchanged(
  store: StoreConnection,
  items: readonly Item[],
  session: Session,
): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  const own = { accountId: first.accountId, _id: { $in: items.map(({ id }) => id) } };
  const rows = await itemCollection(store)
    .find(own, { session })
    .project<Pick<ItemRow, '_id' | 'version'>>({ version: 1 })
    .toArray();
  const versions = new Map(rows.map(({ _id, version }) => [_id, version]));
  if (items.some(({ id, version }) => versions.get(id) !== version)) throw new Overtaken('an item has changed');
}

const isNew = ({ previous }: PreparedWrite): boolean => previous === null;

/**
 * The number of rows that MongoDB recommends for one transaction. Even at 1 ms a row the transaction ends well within the five
 * seconds that a server may allow. One write with all its rows always fits.
 */
const rowsMax = 1_000;

function howManyFit(writes: readonly PreparedWrite[], targetsOf: TargetsOf): number {
  let rows = 0;
  const tooMany = writes.findIndex(({ next, events, journal, sales }) => {
    rows += 1 + journal.length + sales.length + events.length * (1 + targetsOf(next.accountId).length);
    return rows > rowsMax;
  });
  return tooMany === -1 ? writes.length : Math.max(1, tooMany);
}

/** A row that another transaction is writing ends this one. */
async function writeItems(
  store: StoreConnection,
  writes: readonly PreparedWrite[],
  { now, session }: { readonly now: Date; readonly session: Session },
): Promise<void> {
  if (writes.length === 0) return;
  const operations: mongo.AnyBulkWriteOperation<ItemRow>[] = writes.map(({ operation }) => operation(now));
  const { matchedCount, upsertedCount } = await itemCollection(store).bulkWrite(operations, { session });
  const inserts = writes.filter(isNew).length;
  if (upsertedCount < inserts || matchedCount < writes.length - inserts) throw new Overtaken('an item has changed');
}

const eventsOf = ({ next, events, trace }: PreparedWrite): DueEvent[] =>
  events.map((entry) => ({
    entry,
    accountId: next.accountId,
    itemId: next.id,
    externalId: next.externalId,
    trace,
    notBefore: next.lastEventAt,
  }));
