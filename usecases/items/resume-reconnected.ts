import { connectionReasons } from '../listings/seller-access.ts';
import { dueLine } from '../../store/dispatch/due-rows.ts';
import type { ItemStore } from '../../store/items/items.ts';
import type { MarketplaceWatch } from '../../store/marketplace/marketplace-watch.ts';
import type { Context } from '../context.ts';

/**
 * Items of reconnected accounts that one round makes due, all accounts together. A seller may have tens of thousands waiting: each
 * of them starts a workflow, and the engine starts some dozens a second.
 */
export const resumedPerRound = 30;

/** What an item may say that it waits for although the connection is in that state: such an item looks again. */
const staleReasons = {
  connected: connectionReasons,
  expired: ['marketplace_connection'],
  removed: ['marketplace_reconnection'],
} as const;

export interface ResumeDependencies extends Pick<Context, 'ring' | 'now'> {
  readonly items: ItemStore;
  readonly watch: MarketplaceWatch;
}

/**
 * Makes some items due of each account whose connection has changed, and clears the mark that the change left only when none is
 * left waiting (protocol 4): a worker that dies in between is made good for by the next round. When more accounts are owed than a
 * round has items, they take turns. Returns how many.
 */
export async function resumeReconnected({ items, watch, ring, now }: ResumeDependencies): Promise<number> {
  const owed = await watch.listResumeOwed(resumedPerRound);
  const limit = Math.floor(resumedPerRound / Math.max(1, owed.length));
  let resumed = 0;
  for (const row of owed) {
    const count = await items.makeWaitingDue(row._id, { reasons: staleReasons[row.state], now: now(), limit });
    if (count > 0) ring(dueLine('items', 'worker', row._id));
    if (count < limit) await watch.clearResumeOwed(row);
    else await watch.endResumeTurn(row, now());
    resumed += count;
  }
  return resumed;
}
