import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { OrchestratorUnavailable } from '../../gateways/orchestrator/port.ts';
import type { ClaimedItem } from '../../store/items/claim-items.ts';
import { createLookPlaces } from './look-places.ts';
import type { LookFirst } from './look-first.ts';
import { nudgeOf, type SweepDependencies } from './sweep-items.ts';

/** Items looked at at once: few enough that they hold neither processor nor database. */
const looksMax = 25;
/** Of one account, so that one whose rows are locked, or that has very many, leaves places to the others. */
const shareMax = 12;
/** Claims come in groups, because what is looked at together is stored together. */
const groupMin = 10;
/** The claim of a look that takes longer has run out. */
const placeMaxMs = 5_000;
const shareWaitMs = 50;
const nudgesAtOnce = 4;
/** Items that are, or wait to be, nudged. What is more is tried again a little later. */
const nudgesMax = 500;
const laterMs = 5_000;
/** An engine that is away is asked again after this. */
const awayMs = 2_000;
/** While it is away, whatever needs it goes round at this pace, so that the database is not kept busy for nothing. */
const awayPauseMs = 500;
const drainMaxMs = 3_000;

export interface ItemLaneDependencies extends SweepDependencies {
  readonly lookFirst: LookFirst;
}

export interface ItemLane {
  /** Begins to look at what is due, as far as there are places. Returns whether there may be more. */
  readonly round: () => Promise<boolean>;
  /** Resolves when nothing is under way, or takes too long. */
  readonly drain: () => Promise<void>;
}

/**
 * The sweep where the worker looks first (look-first.ts): what is short is settled, the rest is nudged beside that. Neither an engine that
 * is slow or away nor an account whose rows are locked keeps others' items from being settled.
 */
export function createItemLane(dependencies: ItemLaneDependencies): ItemLane {
  const { items, lookFirst, now } = dependencies;
  const places = createLookPlaces(looksMax, placeMaxMs);
  const nudges = createNudges(dependencies);
  const look = async (item: ClaimedItem): Promise<void> => {
    if (!(await lookFirst(item.itemId, item.found))) nudges.add(item);
  };
  return {
    round: async () => {
      if (nudges.isResting()) return false;
      await places.untilFree(groupMin);
      const without = places.accountsWith(shareMax);
      const due = await items.claimDue(now(), { limit: places.free(), share: shareMax, without });
      for (const item of due) places.take(item.accountId, look(item));
      if (due.length > 0 || without.length === 0) return due.length > 0;
      // Theirs go on as soon as one of them is done; others' may have come by then, too.
      await Promise.race([places.untilFree(places.free() + 1), pause(shareWaitMs)]);
      return true;
    },
    drain: async () => {
      const timer = new AbortController();
      const late = pause(drainMaxMs, undefined, { signal: timer.signal }).catch(() => undefined);
      await Promise.race([places.untilFree(looksMax).then(nudges.drain), late]);
      timer.abort();
    },
  };
}

/** What needs the engine, a few at a time. What it certainly did not take is due again soon, with its backoff begun anew. */
function createNudges({ items, orchestrator, now }: SweepDependencies) {
  const limit = pLimit(nudgesAtOnce);
  const running = new Set<Promise<void>>();
  let awayUntilMs = 0;
  let restUntilMs = 0;
  const isAway = (): boolean => now().getTime() < awayUntilMs;

  const release = ({ itemId }: ClaimedItem, inMs: number): Promise<void> =>
    items.releaseClaims([itemId], new Date(now().getTime() + inMs));

  const nudge = async (item: ClaimedItem): Promise<void> => {
    if (isAway()) return release(item, awayMs);
    try {
      await orchestrator.nudgeItem(nudgeOf(item));
    } catch (error) {
      // One that merely took too long keeps its growing backoff, or a slow engine would be asked more and more often.
      if (!(error instanceof OrchestratorUnavailable)) return;
      awayUntilMs = now().getTime() + awayMs;
      await release(item, awayMs);
    }
  };

  return {
    isResting: (): boolean => now().getTime() < restUntilMs,
    add: (item: ClaimedItem): void => {
      if (isAway()) restUntilMs = now().getTime() + awayPauseMs;
      const work = running.size < nudgesMax ? limit(() => nudge(item)) : release(item, laterMs);
      // A release that fails leaves the claim, which runs out.
      const done = work.catch(() => undefined).finally(() => running.delete(done));
      running.add(done);
    },
    drain: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
}
