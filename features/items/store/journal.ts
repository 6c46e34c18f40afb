import { Schema, type ClientSession } from 'mongoose';
import type { AccountId, ItemId } from '../../rules/ids.ts';
import type { Item, ItemKey } from '../rules/item.ts';
import type { JournalEntry } from '../rules/journal.ts';
import { insertRows } from '../../../platform/database/batch.ts';
import { defineRows, type StoreConnection } from '../../../platform/database/connection.ts';

/** One entry of an item's history. It is also part of the account's audit log. */
export type JournalRow = JournalEntry & {
  /** `<itemId>:<number>`. */
  readonly _id: string;
  readonly accountId: AccountId;
  readonly itemId: ItemId;
  readonly externalId: string;
  /** When the entry is deleted; null while its item exists. */
  readonly purgeAt: Date | null;
};

const schema = new Schema();
schema.set('shardKey', { accountId: 1 });
schema.index({ itemId: 1, number: -1 });
// The log of an account, of one external id in it, and of what a reseller did for its members (features/accounts/store/audit.ts).
schema.index({ accountId: 1, at: -1, number: -1, _id: -1 });
schema.index({ accountId: 1, externalId: 1, at: -1, number: -1, _id: -1 });
schema.index(
  { 'actor.accountId': 1, at: -1, number: -1, _id: -1 },
  { partialFilterExpression: { 'actor.kind': 'reseller' } },
);
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0, partialFilterExpression: { purgeAt: { $type: 'date' } } });
/** Exported for the reader of the log (features/accounts/store/audit.ts). */
export const journalRows = defineRows<JournalRow>('journal', schema);

/** The history of a deleted item stays readable for its account this long. */
const keptAfterRemovalMs = 400 * 86_400_000;

export interface JournalPage {
  readonly before: number;
  readonly limit: number;
}

/** Entries of one item with a number below `before`, newest first. */
export const listNewestEntries = (
  store: StoreConnection,
  { id, accountId }: ItemKey,
  { before, limit }: JournalPage,
): Promise<JournalEntry[]> =>
  journalRows(store)
    .find({ itemId: id, accountId, number: { $lt: before } }, { sort: { number: -1 }, limit })
    .project<JournalEntry>({ _id: 0, number: 1, at: 1, kind: 1, details: 1, actor: 1 })
    .toArray();

export interface ToldItem {
  readonly next: Item;
  readonly journal: readonly JournalEntry[];
}

/**
 * Stores history in the transaction of its items. The end of an item changes how long its earlier entries are kept.
 * `isRepeated`: entries that are stored already are left out.
 */
export async function insertJournal(
  store: StoreConnection,
  told: readonly ToldItem[],
  { isRepeated, session }: { readonly isRepeated: boolean; readonly session: ClientSession },
): Promise<void> {
  const rows = told.flatMap(rowsOfItem);
  const stored = isRepeated ? await findStored(store, rows, session) : new Set();
  const fresh = rows.filter(({ _id }) => !stored.has(_id));
  await insertRows(store, 'journal', { rows: fresh, session, ordered: false });
  for (const { next, journal } of told) {
    if (next.current || journal.length === 0) continue;
    await journalRows(store).updateMany(
      { itemId: next.id, accountId: next.accountId },
      { $set: { purgeAt: purgeTime(next) } },
      { session },
    );
  }
}

const rowsOfItem = ({ next, journal }: ToldItem): JournalRow[] =>
  journal.map((entry) => ({
    ...entry,
    _id: `${next.id}:${String(entry.number)}`,
    accountId: next.accountId,
    itemId: next.id,
    externalId: next.externalId,
    purgeAt: purgeTime(next),
  }));

const purgeTime = ({ removedAt }: Item): Date | null =>
  removedAt === null ? null : new Date(removedAt.getTime() + keptAfterRemovalMs);

async function findStored(
  store: StoreConnection,
  rows: readonly JournalRow[],
  session: ClientSession,
): Promise<ReadonlySet<string>> {
  const ids = rows.map(({ _id }) => _id);
  const accounts = [...new Set(rows.map(({ accountId }) => accountId))];
  const options = { projection: { _id: 1 }, session };
  const found = await journalRows(store)
    .find({ _id: { $in: ids }, accountId: { $in: accounts } }, options)
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}
