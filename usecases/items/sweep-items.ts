import { firstNudgeDelayMs } from '../../core/items/accept-write.ts';
import type { Item } from '../../core/items/item.ts';
import type { Orchestrator } from '../../gateways/orchestrator/port.ts';
import { hintAll } from '../hints.ts';
import { connectionReasons } from '../listings/seller-access.ts';
import type { ItemStore } from '../../store/items.ts';
import type { MarketplaceWatch } from '../../store/marketplace-watch.ts';
import type { LookFirst } from './look-first.ts';
import { nudgeOf } from './nudge-of.ts';

export interface SweepDependencies {
  readonly items: ItemStore;
  readonly orchestrator: Pick<Orchestrator, 'nudgeItem'>;
  readonly now: () => Date;
}

const rowsMax = 200;
const soon = (now: Date): Date => new Date(now.getTime() + firstNudgeDelayMs);

/** Nudges the items whose own nudge got lost, for whatever reason (protocol 4). Returns how many. */
export async function sweepItems(dependencies: SweepDependencies): Promise<number> {
  const { items, now } = dependencies;
  return nudgeAll(dependencies, await items.claimDue(now(), rowsMax));
}

/** Returns how many were taken by the engine. */
async function nudgeAll({ items, orchestrator, now }: SweepDependencies, due: readonly Item[]): Promise<number> {
  const lost = await hintAll(due, (item) => orchestrator.nudgeItem(nudgeOf(item)));
  // While the engine is away the backoff must not grow: work goes on as soon as it is back.
  if (lost.length > 0)
    await items.releaseClaims(
      lost.map(({ id }) => id),
      soon(now()),
    );
  return due.length - lost.length;
}

/** Looks at once, few enough that single processor and database are not held by a line of them. */
const looksMax = 25;
/** Groups that are being nudged; with more, the round waits for one of them. */
const nudgingMax = 20;

export interface ItemLane {
  /** Looks at what is due; what is short is settled then, the rest is nudged beside the round. Returns how many were looked at. */
  readonly round: () => Promise<number>;
  /** Resolves when no nudge is under way. */
  readonly drain: () => Promise<void>;
}

/** The sweep where the worker looks first (look-first.ts): an engine that is slow or away keeps nothing from being settled that does not need it. */
export function createItemLane(dependencies: SweepDependencies & { readonly lookFirst: LookFirst }): ItemLane {
  const { items, lookFirst, now } = dependencies;
  const nudging = new Set<Promise<unknown>>();
  const nudge = (due: readonly Item[]): void => {
    const nudged = nudgeAll(dependencies, due)
      // Their claims run out.
      .catch(() => 0)
      .finally(() => nudging.delete(nudged));
    nudging.add(nudged);
  };
  return {
    round: async () => {
      if (nudging.size >= nudgingMax) await Promise.race(nudging);
      const due = await items.claimDue(now(), looksMax);
      const areSettled = await Promise.all(due.map((item) => lookFirst(item.id, item)));
      const left = due.filter((_item, index) => areSettled[index] !== true);
      if (left.length > 0) nudge(left);
      return due.length;
    },
    drain: async () => {
      await Promise.all(nudging);
    },
  };
}

/**
 * Items of reconnected accounts that one round makes due, all accounts together. A seller may have tens of thousands waiting:
 * due all at once, they would stand in line before everybody else's work.
 */
export const resumedPerRound = 30;

/**
 * Makes some items of each reconnected account due, and clears the mark that the reconnection left only when none is left
 * waiting (protocol 4): a worker that dies in between is made good for by the next round. When more accounts are owed than a
 * round has items, they take turns. Returns how many.
 */
export async function resumeReconnected({
  items,
  watch,
  now,
}: Pick<SweepDependencies, 'items' | 'now'> & { readonly watch: MarketplaceWatch }): Promise<number> {
  const owed = await watch.listResumeOwed(resumedPerRound);
  const limit = Math.floor(resumedPerRound / Math.max(1, owed.length));
  let resumed = 0;
  for (const row of owed) {
    const count = await items.makeWaitingDue(row._id, { reasons: connectionReasons, now: now(), limit });
    if (count < limit) await watch.clearResumeOwed(row);
    else await watch.endResumeTurn(row, now());
    resumed += count;
  }
  return resumed;
}
