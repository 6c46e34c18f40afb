import type { AccountId } from '../../rules/ids.ts';

/**
 * The server merges up to this many index ranges in order (`internalQueryMaxScansToExplode`); with more it reads and
 * sorts everything.
 */
const rangesMax = 200;
/** Parallel queries for one page. */
const atOnce = 4;

export interface CreatedRow {
  readonly _id: string;
  readonly createdAt: Date;
}

/** The position of a row in a list by creation, newest first. */
export interface CreatedPlace {
  readonly at: Date;
  readonly id: string;
}

interface AccountsWalk<Row> {
  /** Index ranges that one account adds to a query. */
  readonly rangesEach: number;
  readonly limit: number;
  /** The next `limit` rows of these accounts, newest first. */
  readonly find: (accounts: readonly AccountId[]) => Promise<readonly Row[]>;
}

/**
 * The next rows of many accounts in one order, newest first. A page costs a few index seeks for each account, however
 * many rows the accounts have.
 */
export async function newestOfAccounts<Row extends CreatedRow>(
  accounts: readonly AccountId[],
  { rangesEach, limit, find }: AccountsWalk<Row>,
): Promise<readonly Row[]> {
  const size = Math.max(1, Math.floor(rangesMax / rangesEach));
  const chunks = Array.from({ length: Math.ceil(accounts.length / size) }, (_, n) =>
    accounts.slice(n * size, (n + 1) * size),
  );
  let found: readonly Row[] = [];
  for (let n = 0; n < chunks.length; n += atOnce) {
    const parts = await Promise.all(chunks.slice(n, n + atOnce).map(find));
    found = [found, ...parts].flat().toSorted(newerFirst).slice(0, limit);
  }
  return found;
}

const newerFirst = (one: CreatedRow, other: CreatedRow): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (one._id < other._id ? 1 : -1);

/**
 * The condition for rows after a position. The first part bounds the index scan, the second distinguishes rows of the
 * same time. An `$or` would need two index ranges for each account, more than the server merges. Inside `$and` it does
 * not replace a period of the filter.
 */
export const behindCreated = (behind: CreatedPlace | null): object =>
  behind === null
    ? {}
    : { $and: [{ createdAt: { $lte: behind.at } }, { $nor: [{ createdAt: behind.at, _id: { $gte: behind.id } }] }] };
