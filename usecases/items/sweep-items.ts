import { firstNudgeDelayMs } from '../../core/items/accept-write.ts';
import type { NudgedItem, Orchestrator } from '../../gateways/orchestrator/port.ts';
import { hintAll } from '../hints.ts';
import { connectionReasons } from '../listings/seller-access.ts';
import type { ClaimedItem } from '../../store/items/claim-items.ts';
import type { ItemStore } from '../../store/items/items.ts';
import type { MarketplaceWatch } from '../../store/marketplace/marketplace-watch.ts';

export interface SweepDependencies {
  readonly items: ItemStore;
  readonly orchestrator: Pick<Orchestrator, 'nudgeItem'>;
  readonly now: () => Date;
}

const rowsMax = 200;
const soon = (now: Date): Date => new Date(now.getTime() + firstNudgeDelayMs);

export const nudgeOf = ({ itemId, accountId, externalId, requestId }: ClaimedItem): NudgedItem => ({
  itemId,
  accountId,
  externalId,
  requestId,
});

/** Nudges the items whose own nudge got lost, for whatever reason (protocol 4). Returns how many. */
export async function sweepItems({ items, orchestrator, now }: SweepDependencies): Promise<number> {
  const due = await items.claimDue(now(), { limit: rowsMax });
  const lost = await hintAll(due, (item) => orchestrator.nudgeItem(nudgeOf(item)));
  // While the engine is away the backoff must not grow: work goes on as soon as it is back.
  if (lost.length > 0)
    await items.releaseClaims(
      lost.map(({ itemId }) => itemId),
      soon(now()),
    );
  return due.length - lost.length;
}

/**
 * Items of reconnected accounts that one round makes due, all accounts together. A seller may have tens of thousands waiting:
 * due all at once, they would stand in line before everybody else's work.
 */
export const resumedPerRound = 30;

/** What an item may say that it waits for although the connection is in that state: such an item looks again. */
const staleReasons = {
  connected: connectionReasons,
  expired: ['marketplace_connection'],
  removed: ['marketplace_reconnection'],
} as const;

/**
 * Makes some items due of each account whose connection has changed, and clears the mark that the change left only when none is
 * left waiting (protocol 4): a worker that dies in between is made good for by the next round. When more accounts are owed than a
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
    const count = await items.makeWaitingDue(row._id, { reasons: staleReasons[row.state], now: now(), limit });
    if (count < limit) await watch.clearResumeOwed(row);
    else await watch.endResumeTurn(row, now());
    resumed += count;
  }
  return resumed;
}
