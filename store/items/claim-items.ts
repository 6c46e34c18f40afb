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
  /** Of the call that wrote it last; null when that is not known. */
  readonly requestId: string | null;
  /** As it was before the claim; undefined when the row can't be read. */
  readonly found: Item | undefined;
}

export interface ClaimWish {
  readonly limit: number;
  /** Of one account, no more than this; any number by default. */
  readonly share?: number;
  /** Accounts that have enough under way; none by default. */
  readonly without?: readonly AccountId[];
}

/** A claim that gets lost is nothing worse than an item looked at twice. */
const quickly = { writeConcern: { w: 1 }, maxTimeMS: 2_000 } as const;

/**
 * Moves due rows forward, so that no other sweep takes them, and gives the items (protocol 4): one query and one write, however
 * many they are. What somebody changes in between is noticed by whoever writes the item next, as ever.
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

/** Which of the rows are ours. Throws when none is and the database said why. */
async function claimed(items: mongo.Collection<ItemRow>, due: readonly ItemRow[], now: Date): Promise<boolean[]> {
  const claims = due.map((row) => claimOf(row, now));
  const outcomes = await claimAll(items, claims).catch((error: unknown) => {
    if (!tookTooLong(error)) throw error;
    // A row is locked: the others need not wait for it. Those that are ours already are due again soon.
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

/** The first of each account, in their order. */
function shared<Row extends { readonly accountId: string }>(rows: readonly Row[], share: number): Row[] {
  const counts = new Map<string, number>();
  return rows.filter(({ accountId: account }) => {
    const count = (counts.get(account) ?? 0) + 1;
    counts.set(account, count);
    return count <= share;
  });
}

/** One row that is damaged, or of a newer version, keeps none of the others waiting. */
function claimedItem(row: ItemRow): ClaimedItem {
  const { _id, accountId: account, externalId, requestId = null } = row;
  const names = { itemId: itemId(_id), accountId: accountId(account), externalId, requestId };
  try {
    return { ...names, found: itemFromRow(row) };
  } catch {
    // Whoever takes it on reads it again, and says what is wrong.
    return { ...names, found: undefined };
  }
}
