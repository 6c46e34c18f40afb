import type { DeliveredType } from '../events/event-types.ts';
import type { AccountId } from '../ids.ts';
import type { Envelope } from './envelope.ts';

/** The item that every sample is about: none. */
export const sampleExternalId = 'itembridge-test';
const sampleItemId = '00000000-0000-4000-8000-000000000000';
const sampleAdId = '100000001';

/** What a sample has beyond the fields that all of them have. */
const sampleData: Readonly<Record<DeliveredType, Readonly<Record<string, unknown>>>> = {
  'webhook.test': {},
  'item.created': { type: 'item' },
  'item.images_ready': {
    imagesProcessed: 2,
    imagesFailed: [{ url: 'https://images.example.com/3.jpg', reason: 'HTTP 404' }],
  },
  'listing.created': {
    platform: 'marketplace',
    marketplaceAdId: sampleAdId,
    marketplaceAdUrl: `https://marketplace.example/item/${sampleAdId}`,
  },
  'listing.ended': { platform: 'marketplace', marketplaceAdId: sampleAdId },
  'listing.failed': {
    platform: 'marketplace',
    error: 'MARKETPLACE_TOKEN_EXPIRED: the marketplace token has expired; reconnect the marketplace account',
  },
  'item.sold': { platform: 'marketplace', salePrice: 725, marketplaceAdId: sampleAdId },
};

interface SampleWish {
  readonly accountId: AccountId;
  readonly eventId: string;
  /** Of the endpoint; `members` names a member that does not exist. */
  readonly scope?: 'self' | 'members';
  readonly now: Date;
}

/**
 * A body as a delivery of the type has it, about an item that does not exist and with `data.test`: true, to try out an endpoint.
 * It is none of the account's events: not kept, not in the feed.
 */
export function sampleEvent(type: DeliveredType, { accountId, eventId, scope = 'self', now }: SampleWish): Envelope {
  return {
    eventId,
    eventType: type,
    timestamp: now.toISOString(),
    data: {
      externalId: sampleExternalId,
      serviceItemId: sampleItemId,
      platform: 'service',
      salePrice: 0,
      currency: 'SEK',
      sequence: 1,
      ...sampleData[type],
      test: true,
      account: { serviceUserId: accountId, ...(scope === 'members' && { memberExternalId: sampleExternalId }) },
    },
  };
}
