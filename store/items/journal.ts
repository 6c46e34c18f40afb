import { Schema, type mongo } from 'mongoose';
import type { AccountId, ItemId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import type { JournalEntry } from '../../core/items/journal.ts';
import { defineCollection, duplicateKey, type StoreConnection } from '../database/connection.ts';
import { batchWrites } from '../batching/batch.ts';
import { errorOf, failuresOf } from '../batching/bulk-write-items.ts';

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

const schema = new Schema(
  {
    _id: String,
    accountId: String,
    itemId: String,
    externalId: String,
    number: Number,
    at: Date,
    kind: String,
    details: {},
    actor: {},
    purgeAt: Date,
  },
  { versionKey: false, minimize: false },
);
schema.index({ itemId: 1, number: -1 });
// The log of an account, of one external id in it, and of what a reseller did for its members (store/accounts/audit-log.ts).
schema.index({ accountId: 1, at: -1, number: -1, _id: -1 });
schema.index({ accountId: 1, externalId: 1, at: -1, number: -1, _id: -1 });
schema.index(
  { 'actor.accountId': 1, at: -1, number: -1, _id: -1 },
  { partialFilterExpression: { 'actor.kind': 'reseller' } },
);
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0, partialFilterExpression: { purgeAt: { $type: 'date' } } });
/** Exported for the reader of the log (store/accounts/audit-log.ts). */
export const journalRows = defineCollection<JournalRow>('journal', schema);

/** The history of a deleted item stays readable for its account this long. */
const keptAfterRemovalMs = 400 * 86_400_000;

export interface JournalStore {
  /** Stores the entries that an item carries. Entries that are stored already do not change. */
  storeOnce(item: Item): Promise<void>;
  /** Entries of one item with a number below `before`, newest first. */
  listNewest(account: AccountId, item: ItemId, page: JournalPage): Promise<JournalEntry[]>;
}

export interface JournalPage {
  readonly before: number;
  readonly limit: number;
}

export function createJournalStore(store: StoreConnection): JournalStore {
  const journal = journalRows(store);
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- mongoose types its collection without the row
  const rows = journal.collection as unknown as mongo.Collection<JournalRow>;
  const storeTogether = batchWrites<readonly JournalRow[], undefined>((lists) => insertOnce(rows, lists));
  return {
    storeOnce: async (item) => {
      if (item.journal.length === 0) return;
      await storeTogether(rowsOf(item));
      // A deleted item, or one that becomes archived after that, changes the retention of its earlier entries too.
      if (!item.current) await journal.updateMany({ itemId: item.id }, { $set: { purgeAt: purgeTime(item) } });
    },
    listNewest: (account, item, { before, limit }) =>
      journal
        .find(
          { itemId: item, accountId: account, number: { $lt: before } },
          { _id: 0, number: 1, at: 1, kind: 1, details: 1, actor: 1 },
          { sort: { number: -1 }, limit },
        )
        .lean<JournalEntry[]>(),
  };
}

const rowsOf = (item: Item): JournalRow[] =>
  item.journal.map((entry) => ({
    ...entry,
    _id: `${item.id}:${String(entry.number)}`,
    accountId: item.accountId,
    itemId: item.id,
    externalId: item.externalId,
    purgeAt: purgeTime(item),
  }));

const purgeTime = ({ removedAt }: Item): Date | null =>
  removedAt === null ? null : new Date(removedAt.getTime() + keptAfterRemovalMs);

/** Inserts lists of several items. Entries that are stored already do not change. Each list gets only its own error. */
async function insertOnce(
  journal: mongo.Collection<JournalRow>,
  lists: readonly (readonly JournalRow[])[],
): Promise<(Error | undefined)[]> {
  const inserts = lists.flatMap((rows, list) =>
    rows.map((document) => ({ list, operation: { insertOne: { document } } })),
  );
  const failures = await failuresOf(
    journal,
    inserts.map(({ operation }) => operation),
    { ignoreUndefined: true },
  );
  const outcomes = lists.map((): Error | undefined => undefined);
  for (const [index, failure] of failures) {
    const list = inserts[index]?.list;
    if (list !== undefined && failure.code !== duplicateKey) outcomes[list] = errorOf(failure);
  }
  return outcomes;
}
