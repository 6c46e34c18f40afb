import { accountId, itemId } from '../../features/rules/ids.ts';
import { noEnrichment } from '../../features/items/rules/item-content.ts';
import type { Item, ListingState } from '../../features/items/rules/item.ts';
import type { Actor } from '../../features/items/rules/journal.ts';
import { createItem } from '../../features/items/rules/upsert-item.ts';
import { changeNewestListing, openListing, recordDraft } from '../../features/listings/rules/publication.ts';
import { anItemRequest } from './an-item-request.ts';

export const anAccountId = accountId('a0000000-0000-4000-8000-000000000001');
export const noon = new Date('2026-11-21T12:00:00Z');
export const later = (ms: number): Date => new Date(noon.getTime() + ms);

/** The owner's own API key. */
export const aCaller: Actor = { kind: 'api_key', accountId: anAccountId, keyId: 'key-1', requestId: 'request-1' };
/** A call of the owner, so many milliseconds after noon. */
export const aCall = (afterMs = 0): { now: Date; actor: Actor } => ({ now: later(afterMs), actor: aCaller });

/** The item with everything stored that it carries, as after the step `store-outbox`. */
export const emptied = (item: Item): Item => ({ ...item, outbox: [], journal: [], pendingOrders: [] });

/** An active item without images that is to be published. */
export function anItem(change: Partial<Item> = {}): Item {
  const id = itemId('10000000-0000-4000-8000-000000000001');
  const request = anItemRequest({}, { autoPublish: true });
  const item = createItem({
    id,
    accountId: anAccountId,
    externalId: 'A1',
    request,
    sequenceBefore: 0,
    actor: aCaller,
    now: noon,
  });
  // Its domain has no category of its own on the marketplace; that was found out before.
  const category = { title: request.content.title, categoryId: 341_500 };
  return { ...emptied(item), enrichment: { ...noEnrichment, category }, ...change };
}

/** The ad of its first publication. */
export const anAd = { adId: '9001', adUrl: 'https://marketplace.example/item/9001' } as const;

/** The same with its first publication in `state`. */
export const anItemBeingPublished = (state: ListingState, change: Partial<Item> = {}): Item =>
  emptied(
    changeNewestListing(recordDraft(openListing(anItem(change), noon), { requestId: '501', adId: anAd.adId }), {
      state,
    }),
  );

/** The same, live and settled at the marketplace's word. */
export const aLiveItem = (change: Partial<Item> = {}): Item => ({
  ...changeNewestListing(anItemBeingPublished('live'), { adUrl: anAd.adUrl, mayBeCommitted: true }),
  marketplaceStatus: 'active',
  ...change,
});
