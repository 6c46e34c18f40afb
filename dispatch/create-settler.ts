import type { Item } from '../core/items/item.ts';
import { Batcher } from '../platform/concurrency/batcher.ts';
import type { StoreConnection } from '../store/database/connection.ts';
import { settleItems, type Settled, type Settlement } from '../store/items/settle-items.ts';
import type { DeliveryLines } from './delivery-lines.ts';

/** Items whose steps are stored together. */
const itemsMax = 100;

/**
 * What hangs in the database, at a locked row or on a dead connection, holds those beside it and nothing that comes a second later.
 * Two transactions of one account would meet at its event counter, where the second one fails and is made again: what comes for an
 * account meanwhile waits for the first, and goes together.
 */
export const settlingPace = {
  sizeMax: itemsMax,
  atOnce: 2,
  begin: 'after this turn',
  patience: { countedMs: 1_000, underWayMax: 8, waitMaxMs: 10_000, commitMaxMs: 20_000 },
} as const;

/**
 * Stores what the items' steps come to: all that is handed over meanwhile in one transaction, whose deliveries are then sent. One
 * for each process. Resolves with null when the item has changed since it was read; rejects with its own error.
 */
export function createSettler(
  store: StoreConnection,
  { deliveries, now }: { readonly deliveries: Pick<DeliveryLines, 'plan'>; readonly now: () => Date },
): (settlement: Settlement) => Promise<Item | null> {
  const settler = new Batcher<Settlement, Settled>({
    ...settlingPace,
    keyOf: ({ previous }) => previous.accountId,
    commit: async (settlements) => {
      const plan = deliveries.plan();
      try {
        return await settleItems(store, settlements, { ...plan, now });
      } finally {
        plan.drop();
      }
    },
  });
  return async (settlement) => {
    const settled = await settler.add(settlement);
    if (settled instanceof Error) throw settled;
    return settled;
  };
}
