import pLimit from 'p-limit';
import { dueFrom, retryPauseMs, type Due } from '../../core/due.ts';
import { accountId, itemId, type AccountId, type ItemId } from '../../core/ids.ts';
import type { StoreConnection } from '../database/connection.ts';
import { itemCollection } from './item-collection.ts';
import type { ItemRow } from './item-row.ts';

/** An item that owes work to a workflow: what its start needs. */
export interface OwedItem {
  readonly _id: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
  /** Request id of the call that wrote the item last; null when unknown. */
  readonly requestId: string | null;
  readonly due: Due;
}

const owedFields = { accountId: 1, externalId: 1, requestId: 1, due: 1 } as const;
type OwedRow = Pick<ItemRow, '_id' | 'accountId' | 'externalId' | 'requestId'> & { readonly due: Due };

const owedOf = ({ _id, accountId: account, externalId, requestId = null, due }: OwedRow): OwedItem => ({
  ...{ _id: itemId(_id), accountId: accountId(account), externalId, requestId, due },
});

/** Items whose date has passed, of all accounts, the longest first: their start or their workflow was lost. */
export async function findOwed(
  store: StoreConnection,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<OwedItem[]> {
  const rows = await itemCollection(store)
    .find({ 'due.by': 'workflow', 'due.at': { $lte: now } }, { sort: { 'due.at': 1 }, limit })
    .project<OwedRow>(owedFields)
    .toArray();
  return rows.map(owedOf);
}

/** Items of an account's bulk work, the longest due first. */
export async function findBacklog(
  store: StoreConnection,
  account: AccountId,
  { limit }: { readonly limit: number },
): Promise<OwedItem[]> {
  const rows = await itemCollection(store)
    .find({ 'due.by': 'backlog', accountId: account }, { sort: { 'due.at': 1 }, limit })
    .project<OwedRow>(owedFields)
    .toArray();
  return rows.map(owedOf);
}

/** The accounts whose bulk work waits. Reads one index key for each. */
export async function listBacklogAccounts(store: StoreConnection): Promise<AccountId[]> {
  const accounts = await itemCollection(store)
    .aggregate<{ readonly _id: string }>([
      { $match: { 'due.by': 'backlog' } },
      { $sort: { accountId: 1, 'due.at': 1 } },
      { $group: { _id: '$accountId', at: { $first: '$due.at' } } },
    ])
    .toArray();
  return accounts.map(({ _id }) => accountId(_id));
}

/** How many items of bulk work are with a workflow that works on them, `max` at most. */
export const countBulkAtWork = (store: StoreConnection, max: number): Promise<number> =>
  itemCollection(store).countDocuments({ 'due.isBulk': true }, { limit: max });

/** After this time without a workflow's own date an item is started again. */
const startGraceMs = 5_000;

/**
 * Gives owed items their next dates, in case what is begun now gets lost, and returns those that this process has given one.
 * Each date is a compare-and-set, so two processes never start one item.
 */
export const claimOwed = (store: StoreConnection, items: readonly OwedItem[], now: Date): Promise<OwedItem[]> =>
  claim(store, items, ({ tries, ...due }) => ({
    ...{ ...due, at: new Date(now.getTime() + retryPauseMs(tries)), tries: tries + 1 },
  }));

/** The same for bulk work, which is a workflow's from then on. */
export const claimBacklog = (store: StoreConnection, items: readonly OwedItem[], now: Date): Promise<OwedItem[]> =>
  claim(store, items, ({ trace }) => ({
    ...dueFrom('workflow', new Date(now.getTime() + startGraceMs), trace),
    isBulk: true,
  }));

const claimsAtOnce = 8;

async function claim(store: StoreConnection, items: readonly OwedItem[], next: (due: Due) => Due): Promise<OwedItem[]> {
  const limit = pLimit(claimsAtOnce);
  const claimed = await Promise.all(
    items.map((item) =>
      limit(async () => {
        const due = next(item.due);
        const { modifiedCount } = await itemCollection(store).updateOne(asRead(item), { $set: { due } });
        return modifiedCount === 1 ? [{ ...item, due }] : [];
      }),
    ),
  );
  return claimed.flat();
}

/** Lets an item be started again at that time. No effect on one that was written since. */
export async function postponeOwed(store: StoreConnection, items: readonly OwedItem[], at: Date): Promise<void> {
  const changes = items.map((item) => ({
    updateOne: { filter: asRead(item), update: { $set: { 'due.at': at, 'due.tries': 0 } } },
  }));
  if (changes.length > 0) await itemCollection(store).bulkWrite(changes, { ordered: false });
}

const asRead = ({ _id, accountId: account, due }: OwedItem) => ({
  ...{ _id, accountId: account, 'due.by': due.by, 'due.at': due.at },
});

/**
 * Longer than a relay waits before it starts a working workflow again, shorter than before it starts a resting one. For the
 * service's counts.
 */
export const atWorkMs = 120_000;
