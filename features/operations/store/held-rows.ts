import type { mongo } from 'mongoose';
import { accountId, type AccountId } from '../../rules/ids.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import type { Session } from '../../../platform/database/transaction.ts';
import { heldRows, type Filter, type Held, type Holder } from '../rules/held-rows.ts';

type Row = mongo.Document;

const rowsIn = ({ connection }: StoreConnection, name: string) => connection.collection<Row>(name);

/** The collections that hold something of accounts, in the order of an erasure. */
const holding = Object.entries(heldRows).flatMap(([name, held]): [string, Held][] =>
  typeof held === 'string' ? [] : [[name, held]],
);

/** What the rows of an account are found by: some rows tell where others are. */
export async function findHolder(
  store: StoreConnection,
  account: Pick<Holder, 'id' | 'email' | 'mailQueue'>,
): Promise<Holder> {
  const { id } = account;
  const texts = async (name: string, field: string, filter: Row): Promise<string[]> =>
    (await rowsIn(store, name).distinct(field, filter)).filter((value): value is string => typeof value === 'string');
  const [resellers, formers, uploads] = await Promise.all([
    texts('deals', 'resellerAccountId', { accountId: id }),
    texts('audit', 'details.former', { accountId: id, kind: 'email_changed' }),
    // Not those with lines for several accounts, which are their sender's.
    texts('bulk_syncs', 'uploadId', { $or: [{ actingAccountId: id }, { accountId: id }] }),
  ]);
  const known = [...formers, ...(account.email === null ? [] : [account.email])];
  const ofOthers = new Set(await texts('accounts', 'email', { email: { $in: known }, _id: { $ne: id } }));
  const addresses = known.filter((address) => !ofOthers.has(address));
  return { ...account, addresses, resellers: resellers.map(accountId), uploads };
}

const uploadsAtOnce = 200;

/** Filters of an account's own rows. */
function ownFilters({ own, isByUpload }: Held, holder: Holder): Exclude<Filter, null>[] {
  const { uploads } = holder;
  const parts = Array.from({ length: Math.ceil(uploads.length / uploadsAtOnce) }, (_none, number) => ({
    ...holder,
    uploads: uploads.slice(number * uploadsAtOnce, (number + 1) * uploadsAtOnce),
  }));
  const filters = (isByUpload === true ? parts : [holder]).map((part) => own?.(part) ?? null);
  return filters.filter((filter) => filter !== null);
}

/** The own rows of an account that people can read, by collection; collections without any are left out. */
export async function* readHeldRows(
  store: StoreConnection,
  holder: Holder,
): AsyncGenerator<{ readonly collection: string; readonly rows: AsyncIterable<Row> }> {
  for (const [collection, held] of holding) {
    if (held.isUnreadable === true) continue;
    const rows = rowsIn(store, collection);
    const filters = ownFilters(held, holder);
    const some = await Promise.all(filters.map((filter) => rows.findOne(filter, { projection: { _id: 1 } })));
    if (some.some((row) => row !== null)) yield { collection, rows: rowsOfAll(rows, filters) };
  }
}

async function* rowsOfAll(rows: mongo.Collection, filters: readonly object[]): AsyncGenerator<Row> {
  for (const filter of filters) yield* rows.find(filter);
}

export type RowCounts = Readonly<Record<string, number>>;

/** How many rows {@link eraseHeldRows} would delete or empty, and how many stay as they are; by collection. */
export async function countHeldRows(store: StoreConnection, holder: Holder): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const [name, held] of holding)
    for (const filter of [...ownFilters(held, holder), held.about?.(holder) ?? null])
      if (filter !== null) counts[name] = (counts[name] ?? 0) + (await rowsIn(store, name).countDocuments(filter));
  return counts;
}

/** How many rows of an account by `accountId` a collection has. */
export const countRows = (store: StoreConnection, name: string, account: AccountId): Promise<number> =>
  rowsIn(store, name).countDocuments({ accountId: account });

/**
 * Deletes or empties the rows of an account in every collection but `accounts`. It may be broken off anywhere and called again.
 * `after` the pictures their records go, by which a call in another shell sees that its image store is not that of the worker.
 * It ends at rows that must stay, because what comes later serves them: a connection its auctions. Returns how many rows it
 * changed, these included.
 */
export async function eraseHeldRows(store: StoreConnection, holder: Holder, after?: 'pictures'): Promise<number> {
  let changed = 0;
  for (const [name, held] of holding) {
    if (held.after !== after) continue;
    changed += await eraseIn(store, [name, held], holder);
    const busy = await countBusy(store, [name, held], holder);
    if (busy > 0) return changed + busy;
  }
  return changed;
}

async function countBusy(
  store: StoreConnection,
  [name, { own, isBusy }]: readonly [string, Held],
  holder: Holder,
): Promise<number> {
  const mine = own?.(holder) ?? null;
  if (mine === null || isBusy === undefined || holder.email === null) return 0;
  return rowsIn(store, name).countDocuments({ $and: [mine, isBusy] });
}

async function eraseIn(store: StoreConnection, held: readonly [string, Held], holder: Holder): Promise<number> {
  const [name, { about, blank }] = held;
  const rows = rowsIn(store, name);
  let changed = 0;
  for (const filter of ownFilters(held[1], holder)) changed += await eraseOwn(rows, [held[1], filter], holder);
  const others = about?.(holder) ?? null;
  if (others !== null) changed += (await rows.deleteMany(others)).deletedCount;
  const { filter, change } = blank?.(holder) ?? { filter: null };
  if (filter !== null) changed += (await rows.updateMany(filter, [{ $set: change }])).modifiedCount;
  return changed;
}

async function eraseOwn(
  rows: mongo.Collection,
  [{ without, isBusy }, mine]: readonly [Held, object],
  holder: Holder,
): Promise<number> {
  const isSandbox = holder.email === null;
  if (isSandbox || without === undefined) {
    const free = isBusy === undefined || isSandbox ? mine : { $and: [mine], $nor: [isBusy] };
    return (await rows.deleteMany(free)).deletedCount;
  }
  if (Object.keys(without).length === 0) return 0;
  return (await rows.updateMany(mine, { $set: without })).modifiedCount;
}

/**
 * Part of a transaction: nothing names the account and its sandbox as accounts any more. Returns false, and deletes nothing, when
 * the account has another address.
 */
export async function eraseAccountRows(
  store: StoreConnection,
  {
    account,
    ids,
  }: { readonly account: { readonly _id: string; readonly email: string }; readonly ids: readonly string[] },
  session: Session,
): Promise<boolean> {
  const accounts = store.connection.collection<{ _id: string; email?: string }>('accounts');
  const { _id, email } = account;
  if ((await accounts.findOne({ _id, email: { $ne: email } }, { session })) !== null) return false;
  await accounts.deleteMany({ _id: { $in: ids } }, { session });
  return true;
}
