import { accountId } from '../../features/rules/ids.ts';
import { settle } from '../../features/items/rules/owed-work.ts';
import { announceImages, recordImageOutcomes } from '../../features/images/rules/image-set.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { openListing } from '../../features/listings/rules/publication.ts';
import { withFailure, type FailureCause } from '../../features/listings/rules/listing-failure.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import type { ApiWorld, TestAccount } from './api-world.ts';

type Whose = Pick<TestAccount, 'id'> & { readonly externalId: string };

/** What the workflow of an item would have done to it, where there is no workflow. */
export async function happenTo(
  world: ApiWorld,
  { id, externalId }: Whose,
  change: (item: Item) => Item,
): Promise<Item> {
  const items = createItemStore(world.store);
  const item = await items.findCurrent(accountId(id), externalId);
  if (item === null) throw new Error(`no item ${externalId}`);
  const stored = await items.replace(item, change(item));
  if (stored === null) throw new Error(`${externalId} was changed meanwhile`);
  return stored;
}

/** Nothing is left to do for it, but the entries of its history are not stored yet. */
const atRest = (world: ApiWorld) => (item: Item) => settle({ ...item, outbox: [] }, world.now());

/** None of its images could be had. */
export const failImages = (world: ApiWorld, whose: Whose): Promise<Item> =>
  happenTo(world, whose, (item) => {
    const failed = item.imageSet.images.map(
      ({ sourceUrl }) => [sourceUrl, { state: 'failed', failure: { kind: 'not_found' } }] as const,
    );
    const outcomes = recordImageOutcomes(item, item.imageSet.number, new Map(failed));
    return atRest(world)(announceImages(outcomes, world.now()));
  });

/** Its publication met this; what is not given up waits. */
export const failListingOf = (world: ApiWorld, whose: Whose, cause: FailureCause): Promise<Item> =>
  happenTo(world, whose, (item) => {
    const now = world.now();
    const met = withFailure(
      openListing(item, now),
      { cause, message: 'why', retryAfterMs: 3_600_000 },
      { now, work: 'publish' },
    );
    return met.processing.waitingFor === null ? atRest(world)(met) : met;
  });
