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
  const [resellers, sent, seen] = await Promise.all([
    texts('deals', 'resellerAccountId', { accountId: id }),
    texts('bulk_syncs', 'uploadId', { actingAccountId: id }),
    texts('bulk_chunks', 'uploadId', { accountId: id }),
  ]);
  // Lines for it that its reseller has sent: what the upload has besides is the reseller's.
  const ofResellers = new Set(
    await texts('bulk_syncs', 'uploadId', { uploadId: { $in: seen }, actingAccountId: { $ne: id } }),
  );
  const uploads = [...new Set([...sent, ...seen])].filter((upload) => !ofResellers.has(upload));
  return { ...account, resellers: resellers.map(accountId), uploads };
}

/** The own rows of an account that people can read, by collection; collections without any are left out. */
export async function* readHeldRows(
  store: StoreConnection,
  holder: Holder,
): AsyncGenerator<{ readonly collection: string; readonly rows: AsyncIterable<Row> }> {
  for (const [collection, { own, isUnreadable }] of holding) {
    const filter = isUnreadable === true ? null : (own?.(holder) ?? null);
    if (filter === null || (await rowsIn(store, collection).findOne(filter, { projection: { _id: 1 } })) === null)
      continue;
    yield { collection, rows: rowsIn(store, collection).find(filter) };
  }
}

export type RowCounts = Readonly<Record<string, number>>;

/** How many rows {@link eraseHeldRows} would delete or empty, and how many stay as they are; by collection. */
export async function countHeldRows(store: StoreConnection, holder: Holder): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const [name, { own, about }] of holding)
    for (const filter of [own?.(holder) ?? null, about?.(holder) ?? null])
      if (filter !== null) counts[name] = (counts[name] ?? 0) + (await rowsIn(store, name).countDocuments(filter));
  return counts;
}

/**
 * Deletes or empties the rows of an account in every collection but `accounts`. It may be broken off anywhere and called again.
 * Returns how many rows it changed.
 */
export async function eraseHeldRows(store: StoreConnection, holder: Holder): Promise<number> {
  let changed = 0;
  for (const [name, held] of holding) if (held.isLast !== true) changed += await eraseIn(store, [name, held], holder);
  return changed;
}

async function eraseIn(
  store: StoreConnection,
  [name, { own, about, without, isBusy }]: readonly [string, Held],
  holder: Holder,
): Promise<number> {
  const rows = rowsIn(store, name);
  const remove = async (filter: Filter): Promise<number> =>
    filter === null ? 0 : (await rows.deleteMany(filter)).deletedCount;
  const mine = own?.(holder) ?? null;
  const others = await remove(about?.(holder) ?? null);
  if (mine === null || holder.email === null) return others + (await remove(mine));
  if (without === undefined)
    return others + (await remove(isBusy === undefined ? mine : { $and: [mine], $nor: [isBusy] }));
  if (Object.keys(without).length === 0) return others;
  return others + (await rows.updateMany(mine, { $set: without })).modifiedCount;
}

/** Part of a transaction: nothing names these accounts as accounts any more. */
export async function eraseAccountRows(
  store: StoreConnection,
  accounts: readonly AccountId[],
  session: Session,
): Promise<void> {
  await store.connection.collection<{ _id: string }>('accounts').deleteMany({ _id: { $in: accounts } }, { session });
}
