import type { ClientSession, mongo } from 'mongoose';
import type { Item } from '../../core/items/item.ts';
import { isAtRest } from '../../core/items/short-steps.ts';
import { requireLegalTransition } from '../../core/items/transitions.ts';
import { isDuplicateKey } from '../database/connection.ts';
import { inheritTerms } from './item-list-fields.ts';
import { changedFields, inheritAttributes, isUnstamped, rowFromItem, type ItemRow } from './item-row.ts';

export interface WriteOptions {
  /** A caller's write: the database stamps `acceptedAt` with its own time. */
  readonly isAccepted?: boolean;
  readonly session?: ClientSession;
}

/** The update operators that insert a new item. */
export interface RowInsert {
  readonly $setOnInsert: Omit<ItemRow, '_id' | 'acceptedAt' | 'changedAt'> & Partial<Pick<ItemRow, 'acceptedAt'>>;
  readonly $currentDate: Stamps;
}

export interface RowChange {
  readonly stored: Item;
  readonly update: { readonly $set: Partial<ItemRow>; readonly $currentDate?: Stamps };
}

/** Fields that get the time of the database. */
type Stamps = Readonly<Partial<Record<'acceptedAt' | 'changedAt' | 'owedSince' | 'outboxAt', true>>>;

/** Fields that callers see, beside those of the content: a change in one of them sets `changedAt`, whether or not it has raised `updatedAt`. */
const shown: ReadonlySet<string> = new Set<keyof ItemRow>([
  ...(['extendedAttributes', 'enrichment', 'imageSet', 'listings'] as const),
  ...(['serviceStatus', 'marketplaceStatus', 'quantityLeft', 'removedAt', 'updatedAt'] as const),
]);

/** Not in the backlog, not waiting, not settled. An item that rests with a problem has a date, too, and owes nothing. */
const isOwed = (item: Item): boolean =>
  item.due !== null && item.due.by !== 'backlog' && item.processing.waitingFor === null && !isAtRest(item);

/** An upsert, because only that can set a new row's times by the database's clock. A new item already carries an event. */
export function insertOf(item: Item, isAccepted: boolean): RowInsert {
  const { _id, acceptedAt, changedAt: _changedAt, ...row } = rowFromItem(item);
  const stamps: Stamps = { changedAt: true, ...(isAccepted && { acceptedAt: true }), ...outboxStamp(item) };
  return { $setOnInsert: isAccepted ? row : { ...row, acceptedAt }, $currentDate: stamps };
}

const outboxStamp = ({ outbox }: Item, before?: Item): Stamps =>
  outbox !== before?.outbox && outbox.some(isUnstamped) ? { outboxAt: true } : {};

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
  // Marked whatever the tally has done since `previous` was read, so that it counts the item again.
  const isToCount = changed.some(([name]) => name === 'inventoryClass');
  const stamps: Stamps = {
    ...(isAccepted && { acceptedAt: true }),
    ...(changed.some(([name]) => isShown(name)) && { changedAt: true }),
    ...(isOwed(next) && !isOwed(previous) && { owedSince: true }),
    ...outboxStamp(next, previous),
  };
  const $set = { ...Object.fromEntries(changed), ...(isToCount && { isUncounted: true as const }) };
  return { stored, update: { $set, ...asOperator(stamps) } };
}

const isShown = (name: string): boolean => shown.has(name) || name.startsWith('content.');

export async function insertItem(
  items: mongo.Collection<ItemRow>,
  item: Item,
  { isAccepted = false }: WriteOptions,
): Promise<boolean> {
  try {
    await items.updateOne({ _id: item.id }, insertOf(item, isAccepted), { upsert: true });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

export async function replaceItem(
  items: mongo.Collection<ItemRow>,
  { previous, next }: { readonly previous: Item; readonly next: Item },
  { isAccepted = false, session }: WriteOptions,
): Promise<Item | null> {
  const { stored, update } = changeOf(previous, next, isAccepted);
  const options = session === undefined ? {} : { session };
  const result = await items.updateOne({ _id: previous.id, version: previous.version }, update, options);
  return result.matchedCount === 1 ? stored : null;
}
