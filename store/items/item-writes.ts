import type { ClientSession, mongo } from 'mongoose';
import type { Item } from '../../core/items/item.ts';
import { requireLegalTransition } from '../../core/items/transitions.ts';
import { isDuplicateKey } from '../database/connection.ts';
import { inheritTerms } from './item-list-fields.ts';
import { isUnstamped, rowFromItem, type ItemRow } from './item-row.ts';

export interface WriteOptions {
  /** A caller's write: the database stamps `acceptedAt` with its own time. */
  readonly isAccepted?: boolean;
  readonly session?: ClientSession;
}

/** The operators that make a row of a new item. */
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

/** A row that differs in one of these looks different to its caller, whether or not the change has raised `updatedAt`. */
const shown: ReadonlySet<string> = new Set<keyof ItemRow>([
  ...(['content', 'extendedAttributes', 'enrichment', 'imageSet', 'listings'] as const),
  ...(['serviceStatus', 'marketplaceStatus', 'removedAt', 'updatedAt'] as const),
]);

/** Due for whoever is free: not in the backlog, not waiting, not settled. */
const isOwed = ({ nextNudgeAt, processing }: Item): boolean => nextNudgeAt !== null && processing.waitingFor === null;

/** Only an upsert can stamp a new row with the database's time; an item carries an event from its first write on. */
export function insertOf(item: Item, isAccepted: boolean): RowInsert {
  const { _id, acceptedAt, changedAt: _changedAt, ...row } = rowFromItem(item);
  const stamps: Stamps = { changedAt: true, ...(isAccepted && { acceptedAt: true }), ...outboxStamp(item) };
  return { $setOnInsert: isAccepted ? row : { ...row, acceptedAt }, $currentDate: stamps };
}

const outboxStamp = ({ outbox }: Item, before?: Item): Stamps =>
  outbox !== before?.outbox && outbox.some(isUnstamped) ? { outboxAt: true } : {};

/** An operator without fields is refused. */
const asOperator = (stamps: Stamps): { readonly $currentDate?: Stamps } =>
  Object.keys(stamps).length > 0 ? { $currentDate: stamps } : {};

/** What differs between two versions of an item. Throws IllegalTransition. */
export function changeOf(previous: Item, next: Item, isAccepted: boolean): RowChange {
  requireLegalTransition(previous, next);
  const stored: Item = { ...next, version: previous.version + 1 };
  const rowBefore = rowFromItem(previous);
  inheritTerms(stored, previous);
  const row = rowFromItem(stored);
  const before: ReadonlyMap<string, unknown> = new Map(Object.entries(rowBefore));
  const differs = ([key, value]: [string, unknown]): boolean => before.get(key) !== value;
  const isStamped = ([key]: [string, unknown]): boolean => key === 'changedAt' || (isAccepted && key === 'acceptedAt');
  const changed = Object.entries(row).filter((entry) => differs(entry) && !isStamped(entry));
  // Whatever the tally did since `previous` was read: it looks at the item again.
  if (row.inventoryClass !== rowBefore.inventoryClass) changed.push(['isUncounted', true]);
  const stamps: Stamps = {
    ...(isAccepted && { acceptedAt: true }),
    ...(changed.some(([key]) => shown.has(key)) && { changedAt: true }),
    ...(isOwed(next) && !isOwed(previous) && { owedSince: true }),
    ...outboxStamp(next, previous),
  };
  return { stored, update: { $set: Object.fromEntries(changed), ...asOperator(stamps) } };
}

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
