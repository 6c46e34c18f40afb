import type { DeliveredType } from './event-types.ts';
import type { AccountId } from '../../rules/ids.ts';
import type { Envelope } from './envelope.ts';

/** External id in every sample; no such item exists. */
export const sampleExternalId = 'itembridge-test';
const sampleItemId = '00000000-0000-4000-8000-000000000000';
const sampleAdId = '100000001';
const sampleOrderId = 'ord_100000001';
const ofSampleOrder = { platform: 'marketplace', orderId: sampleOrderId, marketplaceAdId: sampleAdId };

/** Fields of each sample beyond the common ones. */
const sampleData: Readonly<Record<DeliveredType, Readonly<Record<string, unknown>>>> = {
  'webhook.test': {},
  'item.created': { type: 'item' },
  'item.images_ready': {
    imagesProcessed: 2,
    imagesFailed: [
      {
        url: 'https://images.example.com/3.jpg',
        reason: 'there is no image at this address (HTTP 404)',
        kind: 'not_found',
      },
    ],
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
  'item.sold': {
    platform: 'marketplace',
    salePrice: 725,
    marketplaceAdId: sampleAdId,
    orderId: sampleOrderId,
    quantityLeft: 2,
  },
  'order.paid': ofSampleOrder,
  'order.shipped': ofSampleOrder,
  'order.cancelled': ofSampleOrder,
  'item.changed': { what: 'price', by: 'dashboard', price: 495, previousPrice: 450, serviceStatus: 'active' },
};

interface SampleWish {
  readonly accountId: AccountId;
  readonly eventId: string;
  /** Scope of the endpoint; `members` names a member that does not exist. */
  readonly scope?: 'self' | 'members';
  readonly now: Date;
}

/**
 * A sample body of a delivery of the type, to try out an endpoint. It is about an item that does not exist and has `data.test`:
 * true. It is no event of the account: it is neither stored nor in the feed.
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
