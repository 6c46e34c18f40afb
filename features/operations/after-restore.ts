import type { ImageStore } from '../../gateways/image-store/port.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { listAccountIds } from '../accounts/store/accounts.ts';
import { endAllSessions } from '../accounts/store/sessions.ts';
import { isWrongStore, matchImages, type MatchedImages } from '../images/match-images.ts';
import { lookAtAllSellers } from '../listings/store/marketplace-watch.ts';
import { checkAllSubscriptions } from '../partner/store/subscriptions.ts';
import { closeRestore, drawFeedEpoch, numberAt, readFeedEpoch } from '../webhooks/store/feed-epoch.ts';
import { Refusal } from '../rules/errors.ts';
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
 * Returns null, and changes nothing, when all was done for this restore. Throws {@link Refusal} CONFLICT, and changes
 * nothing, when most images have no file, unless they are said to be lost: files of a store that is not the right one are deleted.
 */
export async function afterRestore(
  { store, imageStore, now }: Restored,
  { at, areImagesLost = false }: { readonly at: Date; readonly areImagesLost?: boolean },
): Promise<AfterRestore | null> {
  const { restoredTo, doneAt } = await readFeedEpoch(store);
  if (doneAt !== null && restoredTo?.getTime() === at.getTime()) return null;
  await imageStore.check();
  if (!areImagesLost && (await isWrongStore({ store, imageStore, now }, listAccountIds(store)))) throw wrongStore();
  const drawnAt = now();
  await drawFeedEpoch(store, { restoredTo: at, now: drawnAt });
  // First, so that nothing goes up unseen should API and workers be started too early.
  const sellers = await lookAtAllSellers(store, now());
  await raiseNumbers(store, numberAt(drawnAt));
  // Some were ended since, and would be open again.
  await endAllSessions(store, { at: now(), by: 'restore' });
  await checkAllSubscriptions(store, now());
  const images = await matchImages({ store, imageStore, now }, listAccountIds(store));
  await closeRestore(store, now());
  return { sellers, images };
}

const wrongStore = (): Refusal =>
  new Refusal(
    'CONFLICT',
    'The image store lacks most images that items show. Check that its settings are those of the service. If the images are lost, run it again with --images-lost: they are fetched again.',
  );
