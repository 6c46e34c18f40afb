import { retryPauseMs } from '../../rules/backoff.ts';
import type { Trace } from '../../rules/trace.ts';
import { accountId, itemId, type AccountId, type ItemId } from '../../rules/ids.ts';
import { claimEach } from '../../../platform/database/claim-row.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { itemCollection } from './item-collection.ts';
import type { ItemRow } from './item-row.ts';

/** An item that owes work to a workflow: what its start needs. */
export interface OwedItem {
  readonly _id: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
  /** Request id of the call that wrote the item last; null when unknown. */
  readonly requestId: string | null;
  readonly startAt: Date | null;
  readonly starts: number;
  readonly trace: Trace | null;
}

const owedFields = { accountId: 1, externalId: 1, requestId: 1, startAt: 1, starts: 1, trace: 1 } as const;
type OwedRow = Pick<ItemRow, '_id' | keyof typeof owedFields>;

const owedOf = ({ _id, accountId: account, requestId = null, ...names }: OwedRow): OwedItem => ({
  ...names,
  _id: itemId(_id),
  accountId: accountId(account),
  requestId,
});

/** So that the partial index is used. */
const hasStart = { $type: 'date' } as const;

/** Items that owe work to a workflow, all of them or by a date. Bulk work that waits for its turn is not among them. */
export const owedItems = (by?: Date) =>
  ({ bulk: { $in: [null, 'started'] }, startAt: { ...hasStart, ...(by !== undefined && { $lte: by }) } }) as const;

/** Since when the longest waiting of such items should have been started, or of bulk work; null when there is none. */
export async function findOldestStart(store: StoreConnection, bulk?: 'waits'): Promise<Date | null> {
  const those = bulk === undefined ? owedItems() : { bulk, startAt: hasStart };
  const row = await itemCollection(store).findOne(those, { sort: { startAt: 1 }, projection: { startAt: 1 } });
  return row?.startAt ?? null;
}

/** Items whose date has passed, of all accounts, the longest first: their start or their workflow was lost. */
export async function findOwed(
  store: StoreConnection,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<OwedItem[]> {
  const rows = await itemCollection(store)
    .find(owedItems(now), { sort: { startAt: 1 }, limit })
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
    .find({ bulk: 'waits', accountId: account }, { sort: { startAt: 1 }, limit })
    .project<OwedRow>(owedFields)
    .toArray();
  return rows.map(owedOf);
}

/** The accounts whose bulk work waits. Reads one index key for each. */
export async function listBacklogAccounts(store: StoreConnection): Promise<AccountId[]> {
  const accounts = await itemCollection(store)
    .aggregate<{ readonly _id: string }>([
      { $match: { bulk: 'waits' } },
      { $sort: { accountId: 1, startAt: 1 } },
      { $group: { _id: '$accountId', at: { $first: '$startAt' } } },
    ])
    .toArray();
  return accounts.map(({ _id }) => accountId(_id));
}

/** How many items of bulk work are with a workflow that works on them, `max` at most. */
export async function countBulkAtWork(store: StoreConnection, max: number): Promise<number> {
  return await itemCollection(store).countDocuments({ bulk: 'started', startAt: hasStart }, { limit: max });
}

/** After this time without a workflow's own date an item is started again. */
const startGraceMs = 5_000;

/** The date of the next start, and the state of bulk work. */
type Claim = Pick<ItemRow, 'startAt' | 'starts'> & Partial<Pick<ItemRow, 'bulk'>>;

/**
 * Gives owed items their next dates, in case what is begun now gets lost, and returns those that this process has given one.
 * Each date is a compare-and-set, so two processes never start one item.
 */
export const claimOwed = (store: StoreConnection, items: readonly OwedItem[], now: Date): Promise<OwedItem[]> =>
  claim(store, items, ({ starts }) => ({
    startAt: new Date(now.getTime() + retryPauseMs(starts)),
    starts: starts + 1,
  }));

/** The same for bulk work, which a workflow holds from then on. */
export const claimBacklog = (store: StoreConnection, items: readonly OwedItem[], now: Date): Promise<OwedItem[]> =>
  claim(store, items, () => ({ startAt: new Date(now.getTime() + startGraceMs), starts: 0, bulk: 'started' }));

async function claim(
  store: StoreConnection,
  items: readonly OwedItem[],
  next: (item: OwedItem) => Claim,
): Promise<OwedItem[]> {
  const claimed = await claimEach(items, (item, options) =>
    itemCollection(store).updateOne(asRead(item), { $set: next(item) }, options),
  );
  return claimed.map((item) => ({ ...item, ...next(item) }));
}

/** Lets an item be started again at that time. No effect on one that was written since. */
export async function postponeOwed(store: StoreConnection, items: readonly OwedItem[], at: Date): Promise<void> {
  const changes = items.map((item) => ({
    updateOne: { filter: asRead(item), update: { $set: { startAt: at, starts: 0 } } },
  }));
  if (changes.length > 0) await itemCollection(store).bulkWrite(changes, { ordered: false });
}

const asRead = ({ _id, accountId: account, startAt }: OwedItem) => ({ _id, accountId: account, startAt });

/**
 * Longer than a relay waits before it starts a working workflow again, shorter than before it starts a resting one. For the
 * service's counts.
 */
export const atWorkMs = 120_000;
