import type { StoreConnection } from '../../platform/database/connection.ts';
import { drawFeedEpoch } from '../webhooks/store/feed-epoch.ts';
import { lookAtAllSellers } from '../listings/store/marketplace-watch.ts';

export interface AfterRestore {
  /** Connected sellers, each of which is looked at once for auctions that came up after the backup. */
  readonly sellers: number;
}

/**
 * After the database was restored to the moment `at`, before workers run on it. Readers of the feeds are told to begin again, because
 * numbers after that moment are given a second time. Each seller is looked at with one list of its running auctions: those that
 * came up after the backup are matched with their items by our own reference. A repeated call does the same again.
 */
export async function afterRestore(
  { store, now }: { readonly store: StoreConnection; readonly now: () => Date },
  { at }: { readonly at: Date },
): Promise<AfterRestore> {
  await drawFeedEpoch(store, { restoredTo: at, now: now() });
  return { sellers: await lookAtAllSellers(store, now()) };
}
