import type { mongo } from 'mongoose';
import type { Trace } from '../../rules/trace.ts';
import type { Item, ItemKey, OutboxEntry, PendingOrder } from '../rules/item.ts';
import type { JournalEntry } from '../rules/journal.ts';
import { isAtRest, isHeld } from '../rules/owed-work.ts';
import { completed } from '../rules/complete-write.ts';
import { requireLegalTransition } from '../rules/transitions.ts';
import { batchReads } from '../../../platform/database/batch.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { inheritTerms } from './item-list-fields.ts';
import { changedFields, inheritAttributes, rowFromItem, type ItemRow } from './item-row.ts';

interface RowInsert {
  readonly $setOnInsert: Omit<ItemRow, '_id' | 'acceptedAt' | 'changedAt'> & Partial<Pick<ItemRow, 'acceptedAt'>>;
  readonly $currentDate: Stamps;
}

interface RowChange {
  readonly stored: Item;
  readonly update: { readonly $set: Partial<ItemRow>; readonly $currentDate?: Stamps };
}

/** Fields that get the time of the database. */
type Stamps = Readonly<Partial<Record<'acceptedAt' | 'changedAt' | 'owedSince', true>>>;

/**
 * Fields that callers see, besides the content. A change of one of them sets `changedAt`, even when `updatedAt` stays.
 */
const shown: ReadonlySet<string> = new Set<keyof ItemRow>([
  ...(['extendedAttributes', 'enrichment', 'imageSet', 'listings'] as const),
  ...(['serviceStatus', 'marketplaceStatus', 'quantityLeft', 'removedAt', 'updatedAt'] as const),
]);

/** Owed, no bulk work that waits for its turn, and not waiting. An item that rests with a problem is held as well, but owes nothing. */
const isOwed = (item: Item): boolean => isHeld(item) && item.processing.waitingFor === null && !isAtRest(item);

/** An upsert, because only that can set a new row's times by the database's clock. */
function insertOf(item: Item, isAccepted: boolean): RowInsert {
  const { _id, acceptedAt, changedAt: _changedAt, ...row } = rowFromItem(item);
  const stamps: Stamps = { changedAt: true, ...(isAccepted && { acceptedAt: true }) };
  return { $setOnInsert: isAccepted ? row : { ...row, acceptedAt }, $currentDate: stamps };
}

/** The database refuses an operator without fields. */
const asOperator = (stamps: Stamps): { readonly $currentDate?: Stamps } =>
  Object.keys(stamps).length > 0 ? { $currentDate: stamps } : {};

/** The differences between two versions of an item. Throws IllegalTransition. */
export function changeOf(previous: Item, next: Item, isAccepted: boolean): RowChange {
  requireLegalTransition(previous, next);
  const stored: Item = { ...next, version: previous.version + 1 };
  inheritTerms(stored, previous);
  inheritAttributes(stored, previous);
  const isStamped = (name: string): boolean => name === 'changedAt' || (isAccepted && name === 'acceptedAt');
  const changed = changedFields(previous, stored).filter(([name]) => !isStamped(name));
  const stamps: Stamps = {
    ...(isAccepted && { acceptedAt: true }),
    ...(changed.some(([name]) => isShown(name)) && { changedAt: true }),
    ...(isOwed(next) && !isOwed(previous) && { owedSince: true }),
  };
  return { stored, update: { $set: Object.fromEntries(changed), ...asOperator(stamps) } };
}

const isShown = (name: string): boolean => shown.has(name) || name.startsWith('content.');

/** A write as it is stored, and what it brings to other collections. */
export interface PreparedWrite {
  readonly previous: Item | null;
  readonly next: Item;
  /** What the row holds afterwards. */
  readonly stored: Item;
  readonly operation: (now: Date) => mongo.AnyBulkWriteOperation<ItemRow>;
  readonly events: readonly OutboxEntry[];
  readonly journal: readonly JournalEntry[];
  readonly sales: readonly PendingOrder[];
  /** The trace of the call that caused it. */
  readonly trace: Trace | undefined;
}

/** With all that follows from the write in our own database. Throws IllegalTransition. */
export function prepareWrite(
  { previous, next: written }: { readonly previous: Item | null; readonly next: Item },
  { isAccepted = false }: { readonly isAccepted?: boolean | undefined } = {},
): PreparedWrite {
  const next = completed(previous, written);
  const trace = written.trace ?? undefined;
  const { outbox: events, journal, pendingOrders: sales } = next;
  const kept = { ...next, outbox: [], journal: [], pendingOrders: [] };
  const { id: _id, accountId, externalId } = next;
  const row =
    previous === null
      ? { stored: kept, filter: { _id, accountId, externalId }, update: insertOf(kept, isAccepted), upsert: true }
      : { ...changeOf(previous, kept, isAccepted), filter: { _id, accountId, version: previous.version } };
  const { stored, update, ...where } = row;
  const operation = (now: Date) => ({
    // So that no later event of the item is stored with an earlier time.
    updateOne: { ...where, update: events.length === 0 ? update : { ...update, $max: { lastEventAt: now } } },
  });
  return { previous, next, stored, operation, events, journal, sales, trace };
}

export interface ItemProof {
  /**
   * Whether the item is unchanged since it was read, at some moment after the call. It must be true before "unchanged" is
   * answered: a primary that is cut off does not notice for seconds, and its majority reads are equally stale.
   */
  isStill(item: ItemKey & Pick<Item, 'version'>): Promise<boolean>;
}

/**
 * Reads the versions in one transaction for all concurrent calls. To commit a transaction without writes, MongoDB
 * writes an entry of its own and waits for a majority, which only the present primary gets. A linearizable read gives
 * the same without the journal, but takes 100 ms.
 */
export function itemProof(store: StoreConnection, items: mongo.Collection<ItemRow>): ItemProof {
  const versions = batchReads<'', number>(async (_group, keys) => {
    const named = keys.map((key) => key.split(' '));
    const wanted = {
      accountId: { $in: named.map(([account = '']) => account) },
      _id: { $in: named.map(([, id = '']) => id) },
    };
    const rows = await inTransaction(store, (session) =>
      items.find(wanted, { projection: { accountId: 1, version: 1 }, session }).toArray(),
    );
    return new Map(rows.map(({ accountId, _id, version }) => [`${accountId} ${_id}`, version]));
  });
  return {
    isStill: async ({ accountId, id, version }) => (await versions('', `${accountId} ${id}`)) === version,
  };
}
