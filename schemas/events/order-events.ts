import Type from 'typebox';

import { commonEventData } from './event-data.ts';
import { eventEnvelope } from './event-envelope.ts';

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

/** Beside the specified events (decision 147). Nothing in them is about the buyer. */
export const orderEventSchemas = {
  'order.paid': orderEvent('order.paid', { id: 'OrderPaidEvent', description: 'The buyer has paid an order' }),
  'order.shipped': orderEvent('order.shipped', { id: 'OrderShippedEvent', description: 'An order was sent' }),
  'order.cancelled': orderEvent('order.cancelled', {
    id: 'OrderCancelledEvent',
    description: 'An order was cancelled',
  }),
};
