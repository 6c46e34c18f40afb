import type { AccountId, ItemId } from '../../core/ids.ts';
import type { Orchestrator } from '../../gateways/orchestrator/port.ts';
import type { BacklogItem, BacklogProgress, ItemBacklog } from '../../store/item-backlog.ts';
import { hintAll } from '../hints.ts';

export interface FeedDependencies {
  readonly backlog: ItemBacklog;
  readonly orchestrator: Pick<Orchestrator, 'nudgeItem'>;
  readonly now: () => Date;
}

/** Items of the lane that are worked on at once, for each worker process: few, so that other work hardly notices them. */
export const windowMax = 16;
/** One account has no more than this while others are waiting, … */
export const shareMax = 4;
/** … and never more than this, so that whoever comes next finds a place at once. */
export const aloneMax = 12;
/** An item that was looked at and is still kept by its images or the marketplace is no work of ours: its place goes to the next. */
const lookedAtMaxMs = 3_000;
/** A workflow that never came is the sweep's business. */
const placeMaxMs = 30_000;
/** Longer than an item takes to be looked at; a dead worker's items are nudged by the sweep then. */
const leaseMs = 10_000;

interface Place extends BacklogItem {
  readonly takenAtMs: number;
}

function isFree({ version }: Place, seen: BacklogProgress | undefined, heldMs: number): boolean {
  if (seen === undefined || seen.isSettled || heldMs >= placeMaxMs) return true;
  return seen.version > version && (seen.isWaiting || heldMs >= lookedAtMaxMs);
}

/**
 * The loop that gives the backlog lane its turns. Each round frees the places of items that are settled, wait or took long, and
 * fills them with the next item of the next account, at the engine's low priority: 50,000 items of one account never stand
 * before another's.
 */
export function createBacklogFeeder({ backlog, orchestrator, now }: FeedDependencies): () => Promise<void> {
  const places = new Map<ItemId, Place>();
  let after = '';

  const freePlaces = async (): Promise<void> => {
    if (places.size === 0) return;
    const progress = new Map((await backlog.readProgress([...places.keys()])).map((of) => [of.itemId, of]));
    for (const [id, place] of places) {
      if (isFree(place, progress.get(id), now().getTime() - place.takenAtMs)) places.delete(id);
    }
  };

  const heldBy = (most: number): AccountId[] => {
    const counts = new Map<AccountId, number>();
    for (const { accountId } of places.values()) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= most).map(([accountId]) => accountId);
  };

  /** Of all accounts but these, the next one's first item; from the first account again when the last has had its turn. */
  const claimOf = async (without: readonly AccountId[], sweepAt: Date): Promise<BacklogItem | null> => {
    const next = await backlog.claimNext({ without, sweepAt, after });
    return next ?? (after === '' ? null : backlog.claimNext({ without, sweepAt, after: '' }));
  };

  const claimNext = async (sweepAt: Date): Promise<BacklogItem | null> => {
    const served = heldBy(shareMax);
    const next = await claimOf(served, sweepAt);
    const item = next ?? (served.length === 0 ? null : await claimOf(heldBy(aloneMax), sweepAt));
    after = item?.accountId ?? '';
    return item;
  };

  return async () => {
    await freePlaces();
    const sweepAt = new Date(now().getTime() + leaseMs);
    const claimed: BacklogItem[] = [];
    while (places.size < windowMax) {
      const item = await claimNext(sweepAt);
      if (item === null) break;
      places.set(item.itemId, { ...item, takenAtMs: now().getTime() });
      claimed.push(item);
    }
    const lost = await hintAll(claimed, (item) => orchestrator.nudgeItem({ ...item, isBacklog: true }));
    // While the engine is away the lane stands still, and every item keeps its place in it.
    await Promise.all(lost.map(({ itemId, since }) => backlog.putBack(itemId, { sweepAt, since })));
    for (const { itemId } of lost) places.delete(itemId);
  };
}
