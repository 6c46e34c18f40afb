import Type, { type Static, type TObject } from 'typebox';
import type { DeliveredType, EventType } from '../../features/webhooks/rules/event-types.ts';
import { itemChangers, itemChanges } from '../../features/webhooks/rules/event-data.ts';
import { serviceStatuses } from '../../features/items/rules/transitions.ts';
import { decimalNumber } from '../fields.ts';
import { imageFailureKindSchema } from '../items/item-status.ts';
import { commonEventData, eventEnvelope, marketplaceAdId } from './event-data.ts';

export const itemCreatedSchema = eventEnvelope('item.created', {
  id: 'ItemCreatedEvent',
  description: 'A new item was synced through the API',
  data: Type.Object(
    {
      ...commonEventData,
      type: Type.Enum(['item', 'container'], { $id: 'CreatedType', description: 'What was created' }),
    },
    { $id: 'ItemCreatedEventData' },
  ),
});
export type ItemCreatedEvent = Static<typeof itemCreatedSchema>;

const itemImagesReadySchema = eventEnvelope('item.images_ready', {
  id: 'ItemImagesReadyEvent',
  description: 'Every image of an item has its outcome; sent once per image list that is not empty',
  data: Type.Object(
    {
      ...commonEventData,
      imagesProcessed: Type.Integer({ minimum: 0, description: 'How many images are hosted; 0 when all failed' }),
      imagesFailed: Type.Optional(
        Type.Array(
          Type.Object(
            {
              url: Type.String({ description: 'The URL as it was sent' }),
              reason: Type.String({ description: 'Why it could not be used, in English, with what helps' }),
              kind: imageFailureKindSchema,
            },
            { $id: 'FailedImage', description: 'An image that could not be used' },
          ),
          { description: 'The images that failed; left out when none did' },
        ),
      ),
    },
    { $id: 'ItemImagesReadyEventData' },
  ),
});
export type ItemImagesReadyEvent = Static<typeof itemImagesReadySchema>;

/** Not in the specification. */
const itemChangedSchema = eventEnvelope('item.changed', {
  id: 'ItemChangedEvent',
  description: "Another than a key of the item's own account changed an item; only for who names the type",
  data: Type.Object(
    {
      ...commonEventData,
      what: Type.Enum([...itemChanges], {
        $id: 'ItemChange',
        description:
          '`taken_down`: it is off sale, by a status, because none is left, or because its auction was removed at the marketplace itself',
      }),
      by: Type.Enum([...itemChangers], { $id: 'ItemChanger', description: 'Who did it' }),
      price: decimalNumber({ minimum: 0, description: 'SEK; the price of the item after the change' }),
      previousPrice: Type.Optional(
        decimalNumber({ minimum: 0, description: 'SEK; the price before. Only where `what` is `price`' }),
      ),
      quantityLeft: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'How many are left after the change; only of an item that has a quantity',
        }),
      ),
      serviceStatus: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        enum: [...serviceStatuses, null],
        description: 'Of the item after the change; null when it is gone',
      }),
    },
    { $id: 'ItemChangedEventData' },
  ),
});

const itemSoldSchema = eventEnvelope('item.sold', {
  id: 'ItemSoldEvent',
  description: 'An item was sold, on the marketplace or directly; salePrice is the price it went for',
  data: Type.Object(
    {
      ...commonEventData,
      marketplaceAdId: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: "The marketplace's id of the auction; null for a direct sale of an item that had none",
      }),
      quantityLeft: Type.Optional(
        Type.Integer({ minimum: 0, description: 'How many are left; only of an item that has a quantity' }),
      ),
      orderId: Type.Optional(
        Type.String({ description: '`id` of the order, as `GET /integration/v1/orders/{id}` takes it' }),
      ),
    },
    { $id: 'ItemSoldEventData' },
  ),
});
export type ItemSoldEvent = Static<typeof itemSoldSchema>;

const listingCreatedSchema = eventEnvelope('listing.created', {
  id: 'ListingCreatedEvent',
  description: 'A marketplace auction went live',
  data: Type.Object(
    {
      ...commonEventData,
      marketplaceAdId,
      marketplaceAdUrl: Type.String({ format: 'uri', description: 'Address of the auction' }),
    },
    { $id: 'ListingCreatedEventData' },
  ),
});
export type ListingCreatedEvent = Static<typeof listingCreatedSchema>;

const listingEndedSchema = eventEnvelope('listing.ended', {
  id: 'ListingEndedEvent',
  description: 'A marketplace auction closed without a winning bid; never sent when it was taken down',
  data: Type.Object({ ...commonEventData, marketplaceAdId }, { $id: 'ListingEndedEventData' }),
});
export type ListingEndedEvent = Static<typeof listingEndedSchema>;

const listingFailedSchema = eventEnvelope('listing.failed', {
  id: 'ListingFailedEvent',
  description: 'An auction could not be published, changed or taken down, or waits for something; sent once per cause',
  data: Type.Object(
    {
      ...commonEventData,
      error: Type.String({ pattern: '^[A-Z][A-Z_]*: .+', description: 'A stable code, a colon, and words for people' }),
    },
    { $id: 'ListingFailedEventData' },
  ),
});
export type ListingFailedEvent = Static<typeof listingFailedSchema>;

const orderEvent = <Name extends 'order.paid' | 'order.shipped' | 'order.cancelled'>(
  eventType: Name,
  { id, description }: { readonly id: string; readonly description: string },
) =>
  eventEnvelope(eventType, {
    id,
    description: `${description}; only for who names the type`,
    data: Type.Object(
      {
        ...commonEventData,
        orderId: Type.String({ description: '`id` of the order: read it for the rest, its buyer too' }),
        marketplaceAdId: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: "The marketplace's id of the auction that was won; null for a direct sale",
        }),
      },
      { $id: `${id}Data` },
    ),
  });

/** Not in the specification. They say nothing about the buyer. */
const orderEventSchemas = {
  'order.paid': orderEvent('order.paid', { id: 'OrderPaidEvent', description: 'The buyer has paid an order' }),
  'order.shipped': orderEvent('order.shipped', { id: 'OrderShippedEvent', description: 'An order was sent' }),
  'order.cancelled': orderEvent('order.cancelled', {
    id: 'OrderCancelledEvent',
    description:
      'An order was cancelled, by its seller or by the operator of the service, who may cancel a completed one',
  }),
};

const webhookTestSchema = eventEnvelope('webhook.test', {
  id: 'WebhookTestEvent',
  description: 'Sent on request to try out an endpoint, whatever its eventTypes; it is about no item',
  data: Type.Object(
    {
      ...commonEventData,
      test: Type.Literal(true, { description: 'Nothing happened: check the signature, answer, and do no more' }),
    },
    { $id: 'WebhookTestEventData' },
  ),
});
export type WebhookTestEvent = Static<typeof webhookTestSchema>;

/** The body of each event type, in deliveries and in the feed. */
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
