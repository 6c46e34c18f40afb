import type { mongo } from 'mongoose';
import { inventoryClass } from '../../core/analytics/analytics.ts';
import { groupBy } from '../../core/group-by.ts';
import type { Item, OutboxEntry } from '../../core/items/item.ts';
import type { JournalEntry } from '../../core/items/journal.ts';

import { asError } from '../batching/batch.ts';
import { isDuplicateKey, isStoreUnavailable, type StoreConnection } from '../database/connection.ts';
import { inTransaction, inTransactionOnce, isConflict, type Session } from '../database/transaction.ts';
import { insertDeliveries, type Delivery } from '../deliveries/deliveries.ts';
import { insertEvents, withoutStoredEvents, type DueEvent, type StoredEvent } from '../events/events.ts';
import { insertSaleNotices } from '../mail/mails.ts';
import { findTargets, type Target, type TargetsOf } from '../webhooks/webhook-targets.ts';
import { changeTallies, type CountMove } from './inventory-counts.ts';
import { countedOf, type ItemRow } from './item-row.ts';
import { changeOf, type RowChange } from './item-writes.ts';
import { itemCollection, noteItem } from './items.ts';
import { insertJournal } from './journal.ts';

/** The result of an item's short steps. All of it is stored, or none. */
export interface Settlement {
  /** The item as it was read. */
  readonly previous: Item;
  readonly next: Item;
  readonly events: readonly OutboxEntry[];
  readonly journal: readonly JournalEntry[];
}

export interface SettleOptions {
  /** Makes the deliveries of one event. Pure: it may be called several times. */
  readonly planDeliveries: (event: StoredEvent, targets: readonly Target[], now: Date) => Delivery[];
  /** Called once the deliveries are stored. */
  readonly onStored: (deliveries: readonly Delivery[]) => void;
  readonly now: () => Date;
}

/** The stored item; null when it has changed since it was read, and nothing was stored; or the item's own error. */
export type Settled = Item | null | Error;

/**
 * Stores many items with their events, deliveries and history in one transaction. When that fails, each account gets a
 * transaction of its own, which is repeated after conflicts with other processes. When that fails as well, each item is
 * stored alone.
 */
export async function settleItems(
  store: StoreConnection,
  settlements: readonly Settlement[],
  options: SettleOptions,
): Promise<Settled[]> {
  try {
    return await settleTogether(store, settlements, { ...options, transact: inTransactionOnce });
  } catch (error) {
    if (isStoreUnavailable(error) && !isConflict(error)) throw error;
    const accounts = [...groupBy(settlements, ({ previous }) => previous.accountId).values()];
    const settled = await Promise.all(accounts.map((own) => settleAccount(store, own, options)));
    const found = new Map(accounts.flatMap((own, group) => own.map((one, index) => [one, settled[group]?.[index]])));
    return settlements.map((one) => found.get(one) ?? null);
  }
}

/** Repeats after conflicts; then stores each item alone, so that only the faulty one fails. */
async function settleAccount(
  store: StoreConnection,
  settlements: readonly Settlement[],
  options: SettleOptions,
): Promise<Settled[]> {
  try {
    return await settleTogether(store, settlements, { ...options, transact: inTransaction });
  } catch (error) {
    if (isStoreUnavailable(error)) throw error;
    if (error instanceof Changed && settlements.length === 1) return [null];
    if (settlements.length === 1) return [asError(error)];
    return (await Promise.all(settlements.map((one) => settleAccount(store, [one], options)))).flat();
  }
}

/** An item has changed since it was read. */
class Changed extends Error {
  override readonly name = 'Changed';
}

type Transacting = SettleOptions & { readonly transact: typeof inTransaction };

async function settleTogether(
  store: StoreConnection,
  settlements: readonly Settlement[],
  options: Transacting,
): Promise<Settled[]> {
  try {
    return await settleUnchanged(store, settlements, options);
  } catch (error) {
    if (!(error instanceof Changed)) throw error;
    const changed = await findChanged(store, settlements);
    if (changed.size === 0) throw error;
    const rest = settlements.filter((one) => !changed.has(one));
    const settled = rest.length === 0 ? [] : await settleTogether(store, rest, options);
    return settlements.map((one) => (changed.has(one) ? null : (settled[rest.indexOf(one)] ?? null)));
  }
}

/** Throws {@link Changed}, and stores nothing, when one of the items has changed. */
async function settleUnchanged(
  store: StoreConnection,
  settlements: readonly Settlement[],
  { transact, ...options }: Transacting,
): Promise<Settled[]> {
  const accounts = settlements.flatMap((one) => (one.events.length > 0 ? [one.previous.accountId] : []));
  // The targets are read after the items: a target that is registered later gets none of these events.
  const looking = findTargets(store, [...new Set(accounts)]);
  // A failed read fails the transaction, which may have failed for another reason before.
  looking.catch(() => undefined);
  // A few settlements fit in any case, so they need not wait for the targets. That read takes a fifth of the time until a
  // single event is sent.
  const fit = rowsAtMost(settlements) <= rowsMax ? settlements.length : howManyFit(settlements, await looking);
  if (fit < settlements.length) {
    const first = await settleUnchanged(store, settlements.slice(0, fit), { transact, ...options });
    return [...first, ...(await settleUnchanged(store, settlements.slice(fit), { transact, ...options }))];
  }
  const settle = (isRepeated: boolean): Promise<Outcome> =>
    transact(store, (session) => settleIn(store, settlements, { ...options, looking, isRepeated, session }));
  const { settled, deliveries } = await settle(false).catch((error: unknown) => {
    // An event or a journal entry is stored already: a process that died or was slow did the same work before.
    if (!isDuplicateKey(error)) throw error;
    return settle(true);
  });
  for (const one of settled) if (!(one instanceof Error)) noteItem(store, one);
  options.onStored(deliveries);
  return settled;
}

/**
 * The number of rows that MongoDB recommends for one transaction. Even at 1 ms a row the transaction ends well within the five
 * seconds that a server may allow; a longer one would be repeated for ever. One event with all its targets has 42 rows.
 */
const rowsMax = 1_000;
const rowsOfEventMax = 42;

const rowCount = ({ events, journal }: Settlement, ofEvent: number): number =>
  1 + journal.length + events.length * ofEvent;

const rowsAtMost = (settlements: readonly Settlement[]): number =>
  settlements.reduce((rows, one) => rows + rowCount(one, rowsOfEventMax), 0);

function howManyFit(settlements: readonly Settlement[], targetsOf: TargetsOf): number {
  let rows = 0;
  const tooMany = settlements.findIndex((one) => {
    rows += rowCount(one, 1 + targetsOf(one.previous.accountId).length);
    return rows > rowsMax;
  });
  return tooMany === -1 ? settlements.length : Math.max(1, tooMany);
}

interface Outcome {
  readonly settled: (Item | Error)[];
  readonly deliveries: readonly Delivery[];
}

interface Settling extends SettleOptions {
  readonly looking: Promise<TargetsOf>;
  /** Leaves out rows that are stored already. */
  readonly isRepeated: boolean;
  readonly session: Session;
}

async function settleIn(
  store: StoreConnection,
  settlements: readonly Settlement[],
  { planDeliveries, now, looking, isRepeated, session }: Settling,
): Promise<Outcome> {
  const at = now();
  const settled = await writeItems(store, settlements, session);
  const written = settlements.filter((_one, index) => !(settled[index] instanceof Error));
  const due = written.flatMap(eventsOf);
  const events = isRepeated ? await withoutStoredEvents(store, due, session) : due;
  const numbered = await insertEvents(store, events, { now: at, session });
  const targetsOf = await looking;
  const deliveries = numbered.flatMap((event) => planDeliveries(event, targetsOf(event.accountId), at));
  await insertDeliveries(store, deliveries, session);
  await insertSaleNotices(store, numbered, { at, session });
  await insertJournal(store, written, { isRepeated, session });
  await changeTallies(store, written.flatMap(moveOf), session);
  return { settled, deliveries };
}

const eventsOf = ({ previous: { accountId, id: itemId, externalId, due }, events }: Settlement): DueEvent[] =>
  events.map((entry) => ({ entry, accountId, itemId, externalId, trace: due?.trace }));

/** A row that another transaction is writing aborts this one. Throws {@link Changed}. */
async function writeItems(
  store: StoreConnection,
  settlements: readonly Settlement[],
  session: Session,
): Promise<(Item | Error)[]> {
  const prepared = settlements.map(prepare);
  const operations = prepared.flatMap((write) => (write instanceof Error ? [] : [write.operation]));
  if (operations.length > 0) {
    const { matchedCount } = await itemCollection(store).bulkWrite(operations, { session });
    if (matchedCount < operations.length) throw new Changed(`${operations.length - matchedCount} items have changed`);
  }
  return prepared.map((write) => (write instanceof Error ? write : write.stored));
}

interface Prepared {
  readonly stored: Item;
  readonly operation: mongo.AnyBulkWriteOperation<ItemRow>;
}

/** An illegal change of status fails only its own item. */
function prepare({ previous, next }: Settlement): Prepared | Error {
  try {
    const { stored, update } = changeOf(previous, next, false);
    const asRead = { _id: previous.id, version: previous.version };
    const countedAs = countedOf(previous);
    if (countedAs === undefined) return { stored, operation: { updateOne: { filter: asRead, update } } };
    return { stored, operation: { updateOne: { filter: { ...asRead, countedAs }, update: counted(update, next) } } };
  } catch (error) {
    return asError(error);
  }
}

/** The tally counts the item in the same transaction, so no mark is left for the counting loop. */
const counted = ({ $set: { isUncounted: _mark, ...$set }, ...update }: RowChange['update'], next: Item) => ({
  ...update,
  $set: { ...$set, countedAs: inventoryClass(next) },
  $unset: { isUncounted: '' as const },
});

function moveOf({ previous, next }: Settlement): CountMove[] {
  const from = countedOf(previous);
  return from === undefined ? [] : [{ accountId: previous.accountId, from, to: inventoryClass(next) }];
}

async function findChanged(
  store: StoreConnection,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<Settlement>> {
  const ids = settlements.map(({ previous }) => previous.id);
  const rows = await itemCollection(store)
    .find({ _id: { $in: ids } })
    .project<Pick<ItemRow, '_id' | 'version' | 'countedAs'>>({ version: 1, countedAs: 1 })
    .toArray();
  const present = new Map(rows.map((row) => [row._id, row]));
  return new Set(
    settlements.filter(({ previous }) => {
      const row = present.get(previous.id);
      return row?.version !== previous.version || row.countedAs !== (countedOf(previous) ?? row.countedAs);
    }),
  );
}
