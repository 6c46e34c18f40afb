import Type, { type Static } from 'typebox';

import { commonEventData } from './event-data.ts';
import { eventEnvelope } from './event-envelope.ts';

export const itemSoldSchema = eventEnvelope('item.sold', {
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
