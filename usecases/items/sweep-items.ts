import { firstNudgeDelayMs } from '../../core/items/accept-write.ts';
import type { Orchestrator } from '../../gateways/orchestrator/port.ts';
import { hintAll } from '../hints.ts';
import { connectionReasons } from '../listings/seller-access.ts';
import type { ItemStore } from '../../store/items.ts';
import type { MarketplaceWatch } from '../../store/marketplace-watch.ts';

export interface SweepDependencies {
  readonly items: ItemStore;
  readonly watch: MarketplaceWatch;
  readonly orchestrator: Pick<Orchestrator, 'nudgeItem'>;
  readonly now: () => Date;
}

const rowsMax = 200;
const soon = (now: Date): Date => new Date(now.getTime() + firstNudgeDelayMs);

/** Nudges the items whose own nudge got lost, for whatever reason (protocol 4). Returns how many. */
export async function sweepItems({ items, orchestrator, now }: SweepDependencies): Promise<number> {
  const due = await items.claimDue(now(), rowsMax);
  const lost = await hintAll(due, (item) => orchestrator.nudgeItem(item));
  // While the engine is away the backoff must not grow: work goes on as soon as it is back.
  if (lost.length > 0)
    await items.releaseClaims(
      lost.map((item) => item.itemId),
      soon(now()),
    );
  return due.length - lost.length;
}

/** Makes the items of reconnected accounts due, and only then clears the mark that the reconnection left (protocol 4). */
export async function resumeReconnected({ items, watch, now }: SweepDependencies): Promise<number> {
  const owed = await watch.listResumeOwed(rowsMax);
  for (const row of owed) {
    await items.makeWaitingDue(row._id, connectionReasons, now());
    await watch.clearResumeOwed(row);
  }
  return owed.length;
}
