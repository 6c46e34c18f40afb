import type { TObject } from 'typebox';

import type { DeliveredType, EventType } from '../../core/events/event-types.ts';
import { itemChangedSchema } from './item-changed.ts';
import { itemCreatedSchema } from './item-created.ts';
import { itemImagesReadySchema } from './item-images-ready.ts';
import { itemSoldSchema } from './item-sold.ts';
import { listingCreatedSchema } from './listing-created.ts';
import { listingEndedSchema } from './listing-ended.ts';
import { listingFailedSchema } from './listing-failed.ts';
import { orderEventSchemas } from './order-events.ts';
import { webhookTestSchema } from './webhook-test.ts';

/** The body of every event type, in deliveries and in the feed. */
export const eventSchemas: Readonly<Record<EventType, TObject>> = {
  'item.created': itemCreatedSchema,
  'item.images_ready': itemImagesReadySchema,
  'listing.created': listingCreatedSchema,
  'listing.ended': listingEndedSchema,
  'listing.failed': listingFailedSchema,
  'item.sold': itemSoldSchema,
  ...orderEventSchemas,
  'item.changed': itemChangedSchema,
};

/** Every body that a receiver may get, for the interface document and to validate what is sent. */
export const deliveredSchemas: Readonly<Record<DeliveredType, TObject>> = {
  ...eventSchemas,
  'webhook.test': webhookTestSchema,
};
