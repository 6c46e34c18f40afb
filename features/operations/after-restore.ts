import type { ImageStore } from '../../gateways/image-store/port.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { listAccountIds } from '../accounts/store/accounts.ts';
import { endAllSessions } from '../accounts/store/sessions.ts';
import { matchImages, type MatchedImages } from '../images/match-images.ts';
import { lookAtAllSellers } from '../listings/store/marketplace-watch.ts';
import { checkAllSubscriptions } from '../partner/store/subscriptions.ts';
import { closeRestore, drawFeedEpoch, readFeedEpoch } from '../webhooks/store/feed-epoch.ts';
import { raiseNumbers } from './store/raise-numbers.ts';

export interface AfterRestore {
  /** Connected sellers, each of which is looked at for auctions that came up and sales that were made after the backup. */
  readonly sellers: number;
  readonly images: MatchedImages;
}

interface Restored {
  readonly store: StoreConnection;
  readonly imageStore: ImageStore;
  readonly now: () => Date;
}

/**
 * After the database was restored to the moment `at`, before API and workers run on it: what the world outside has seen since is not
 * given out a second time, and what happened there since is looked for. A broken-off call is repeated as a whole, which does no harm.
 * Returns null, and changes nothing, when all was done for this restore.
 */
export async function afterRestore(
  { store, imageStore, now }: Restored,
  { at }: { readonly at: Date },
): Promise<AfterRestore | null> {
  const { restoredTo, doneAt } = await readFeedEpoch(store);
  if (doneAt !== null && restoredTo?.getTime() === at.getTime()) return null;
  await imageStore.check();
  await drawFeedEpoch(store, { restoredTo: at, now: now() });
  await raiseNumbers(store);
  // Some were ended since, and would be open again.
  await endAllSessions(store, { at: now(), by: 'restore' });
  const sellers = await lookAtAllSellers(store, now());
  await checkAllSubscriptions(store, now());
  const images = await matchImages({ store, imageStore, now }, listAccountIds(store));
  await closeRestore(store, now());
  return { sellers, images };
}
