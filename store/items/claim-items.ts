import type { mongo } from 'mongoose';
import { accountId, itemId, type AccountId, type ItemId } from '../../core/ids.ts';
import { nudgeDelayMaxMs } from '../../core/items/accept-write.ts';
import type { Item } from '../../core/items/item.ts';
import { itemFromRow, type ItemRow } from './item-row.ts';
import { errorOf, failuresOf, foundNothing, strictUpdate, tookTooLong } from '../batching/bulk-write-items.ts';

export interface DueItem {
  readonly itemId: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
}

export interface ClaimedItem extends DueItem {
  /** Request id of the call that wrote the item last; null when unknown. */
  readonly requestId: string | null;
  /** The item before the claim; undefined when the row can't be read. */
  readonly found: Item | undefined;
}

export interface ClaimWish {
  readonly limit: number;
  /** Most items of one account; unlimited by default. */
  readonly share?: number;
  /** Accounts to skip, because they have enough work in progress; none by default. */
  readonly without?: readonly AccountId[];
}

/** No majority is needed: a lost claim only means that an item is checked twice. */
const quickly = { writeConcern: { w: 1 }, maxTimeMS: 2_000 } as const;

/**
 * Claims due rows by moving their due time, so that no other dispatcher takes them (protocol 4). One query and one write,
 * whatever the number of rows. A change in between is detected by the next compare-and-set on the item.
 */
export async function claimDue(
  items: mongo.Collection<ItemRow>,
  now: Date,
  { limit, share = limit, without = [] }: ClaimWish,
): Promise<ClaimedItem[]> {
  const others = without.length === 0 ? {} : { accountId: { $nin: [...without] } };
  const found = await items
    .find({ nextNudgeAt: { $lte: now, $type: 'date' }, ...others }, { sort: { nextNudgeAt: 1 }, limit })
    .toArray();
  const due = shared(found, share);
  const isClaimed = await claimed(items, due, now);
  return due.filter((_, index) => isClaimed[index]).map(claimedItem);
}

/** Which of the rows are claimed by us. Throws when none is and the database gave an error. */
async function claimed(items: mongo.Collection<ItemRow>, due: readonly ItemRow[], now: Date): Promise<boolean[]> {
  const claims = due.map((row) => claimOf(row, now));
  const outcomes = await claimAll(items, claims).catch((error: unknown) => {
    if (!tookTooLong(error)) throw error;
    // A row is locked, so each is claimed alone. Rows that the bulk has already claimed are due again soon.
    return Promise.all(
      claims.map(async (claim) => (await claimAll(items, [claim]).catch((): Claimed[] => ['locked']))[0]),
    );
  });
  const [problem] = outcomes.flatMap((outcome) => (outcome instanceof Error ? [outcome] : []));
  if (problem !== undefined && !outcomes.includes('ours')) throw problem;
  return outcomes.map((outcome) => outcome === 'ours');
}

type Claimed = 'ours' | 'taken' | 'locked' | Error;

async function claimAll(
  items: mongo.Collection<ItemRow>,
  claims: readonly mongo.AnyBulkWriteOperation<ItemRow>[],
): Promise<Claimed[]> {
  const failures = await failuresOf(items, claims, quickly);
  return claims.map((_, index) => {
    const failure = failures.get(index);
    if (failure === undefined) return 'ours';
    return failure.code === foundNothing ? 'taken' : errorOf(failure);
  });
}

const claimOf = ({ _id, nextNudgeAt, nudgeDelayMs }: ItemRow, now: Date): mongo.AnyBulkWriteOperation<ItemRow> => {
  const delayMs = Math.min(nudgeDelayMs * 2, nudgeDelayMaxMs);
  const $set = { nextNudgeAt: new Date(now.getTime() + nudgeDelayMs), nudgeDelayMs: delayMs };
  return strictUpdate({ _id, nextNudgeAt }, { $set });
};

/** The first `share` rows of each account, in their order. */
function shared<Row extends { readonly accountId: string }>(rows: readonly Row[], share: number): Row[] {
  const counts = new Map<string, number>();
  return rows.filter(({ accountId: account }) => {
    const count = (counts.get(account) ?? 0) + 1;
    counts.set(account, count);
    return count <= share;
  });
}

/** A row that is damaged, or of a newer version, must not block the others. */
function claimedItem(row: ItemRow): ClaimedItem {
  const { _id, accountId: account, externalId, requestId = null } = row;
  const names = { itemId: itemId(_id), accountId: accountId(account), externalId, requestId };
  try {
    return { ...names, found: itemFromRow(row) };
  } catch {
    // The worker that processes the item reads it again and reports the error.
    return { ...names, found: undefined };
  }
}
