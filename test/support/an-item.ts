import { accountId, itemId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import { createItem } from '../../core/items/upsert-item.ts';
import { changeNewestListing, openListing, recordDraft } from '../../core/listings/publication.ts';
import { anItemRequest } from './an-item-request.ts';

export const anAccountId = accountId('a0000000-0000-4000-8000-000000000001');
export const noon = new Date('2026-11-21T12:00:00Z');
export const later = (ms: number): Date => new Date(noon.getTime() + ms);

/** An active item without images that is to be published. */
export function anItem(change: Partial<Item> = {}): Item {
  const id = itemId('10000000-0000-4000-8000-000000000001');
  const request = anItemRequest({}, { autoPublish: true });
  return { ...createItem({ id, accountId: anAccountId, externalId: 'A1', request, now: noon }), outbox: [], ...change };
}

/** The same with its first publication in `state`. */
export const anItemBeingPublished = (state: 'drafting' | 'prepared' | 'committing', change: Partial<Item> = {}): Item =>
  changeNewestListing(recordDraft(openListing(anItem(change), noon), { requestId: '501', adId: '9001' }), { state });
