import { setTimeout as pause } from 'node:timers/promises';
import type { AccountId, ItemId } from '../../core/ids.ts';
import type { Orchestrator } from '../../gateways/orchestrator/port.ts';
import type { BacklogItem, BacklogProgress, ItemBacklog } from '../../store/items/item-backlog.ts';
import { hintAll } from '../hints.ts';
import { accountsWithAtLeast } from './held-by-account.ts';
import type { LookFirst } from './look-first.ts';

export interface FeedDependencies {
  readonly backlog: ItemBacklog;
  readonly orchestrator: Pick<Orchestrator, 'nudgeItem'>;
  readonly now: () => Date;
  /** The worker's own look, which settles what is short. Left out: all goes to workflows. */
  readonly lookFirst?: LookFirst;
  /** Whether single writes are being worked on in this process, which bulk work makes room for. Left out: never. */
  readonly isOthersTurn?: () => boolean;
}

/** Items of the lane that are worked on at once, for each worker process. */
interface Places {
  readonly window: number;
  /** One account has no more than this while others are waiting, … */
  readonly share: number;
  /** … and never more than this, so that whoever comes next finds a place at once. */
  readonly alone: number;
}

/** While nobody waits for a single write: as many as keep two processors busy. */
export const usualPlaces: Places = { window: 16, share: 4, alone: 12 };
/** So few that single writes hardly notice them. */
export const courteousPlaces: Places = { window: 2, share: 1, alone: 1 };
/** An item that was looked at and is still kept by its images or the marketplace is no work of ours: its place goes to the next. */
const lookedAtMaxMs = 3_000;
/** A workflow that never came is the sweep's business. */
const placeMaxMs = 30_000;
/** Longer than an item takes to be looked at; a dead worker's items are nudged by the sweep then. */
const leaseMs = 10_000;

/** A look that takes longer, at rows that are locked, keeps its own place and nobody else's. */
const lookMaxMs = 5_000;

async function inTime(look: Promise<boolean>): Promise<'settled' | 'left' | 'late'> {
  const timer = new AbortController();
  const late = pause(lookMaxMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
  const end = await Promise.race([look.then((isSettled) => (isSettled ? 'settled' : 'left')), late]);
  timer.abort();
  return end;
}

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
 * before another's. A round gives how many items it settled by a look of its own.
 */
export function createBacklogFeeder(dependencies: FeedDependencies): () => Promise<number> {
  const { backlog, orchestrator, now, lookFirst, isOthersTurn = () => false } = dependencies;
  const places = new Map<ItemId, Place>();
  let after = '';

  const freePlaces = async (): Promise<void> => {
    if (places.size === 0) return;
    const progress = new Map((await backlog.readProgress([...places.keys()])).map((of) => [of.itemId, of]));
    for (const [id, place] of places) {
      if (isFree(place, progress.get(id), now().getTime() - place.takenAtMs)) places.delete(id);
    }
  };

  const heldBy = (most: number): AccountId[] =>
    accountsWithAtLeast(
      most,
      [...places.values()].map(({ accountId }) => accountId),
    );

  /** Of all accounts but these, the next one's first item; from the first account again when the last has had its turn. */
  const claimOf = async (without: readonly AccountId[], sweepAt: Date): Promise<BacklogItem | null> => {
    const next = await backlog.claimNext({ without, sweepAt, after });
    return next ?? (after === '' ? null : backlog.claimNext({ without, sweepAt, after: '' }));
  };

  const claimNext = async (sweepAt: Date, { share, alone }: Places): Promise<BacklogItem | null> => {
    const served = heldBy(share);
    const next = await claimOf(served, sweepAt);
    const item = next ?? (served.length === 0 ? null : await claimOf(heldBy(alone), sweepAt));
    after = item?.accountId ?? '';
    return item;
  };

  /** Those that need a workflow; the places of the others are free. */
  const lookAt = async (claimed: readonly BacklogItem[]): Promise<readonly BacklogItem[]> => {
    if (lookFirst === undefined) return claimed;
    const ends = await Promise.all(claimed.map(({ itemId }) => inTime(lookFirst(itemId))));
    for (const [index, { itemId }] of claimed.entries()) if (ends[index] === 'settled') places.delete(itemId);
    return claimed.filter((_item, index) => ends[index] === 'left');
  };

  return async () => {
    await freePlaces();
    const sweepAt = new Date(now().getTime() + leaseMs);
    const claimed: BacklogItem[] = [];
    const most = isOthersTurn() ? courteousPlaces : usualPlaces;
    while (places.size < most.window) {
      const item = await claimNext(sweepAt, most);
      if (item === null) break;
      places.set(item.itemId, { ...item, takenAtMs: now().getTime() });
      claimed.push(item);
    }
    const left = await lookAt(claimed);
    const lost = await hintAll(left, (item) => orchestrator.nudgeItem({ ...item, isBacklog: true }));
    // While the engine is away the lane stands still, and every item keeps its place in it.
    await Promise.all(lost.map(({ itemId, since }) => backlog.putBack(itemId, { sweepAt, since })));
    for (const { itemId } of lost) places.delete(itemId);
    return claimed.length - left.length;
  };
}
