import Type from 'typebox';
import { orderStates } from '../../core/orders/order-states.ts';
import { platformSchema } from '../events/event-data.ts';
import { domainSlugSchema } from '../item-domains/item-domain.ts';
import { currencySchema, decimalNumber } from '../number.ts';
import { nullableTime, time } from '../time.ts';

const sek = (description: string) => decimalNumber({ minimum: 0, description: `SEK; ${description}` });

export const orderStatus = Type.Enum([...orderStates], {
  $id: 'OrderStatus',
  description: '`pending` until it is paid; `completed` and `cancelled` are final',
});

/** Source: interface-decisions "Orders". */
export const orderSchema = Type.Object(
  {
    id: Type.String(),
    externalId: Type.String({ description: 'Your identifier of the item' }),
    itemId: Type.String({ format: 'uuid', description: "The service's id of the item" }),
    platform: platformSchema,
    amount: sek('the price it went for'),
    fee: sek("the platform's fee, as it was at the sale"),
    net: sek('amount minus fee'),
    currency: currencySchema,
    feeBps: Type.Integer({ minimum: 0, description: 'The fee in hundredths of a per cent of the amount' }),
    status: orderStatus,
    category: Type.String({ description: 'Name of the category at the sale, as analytics show it' }),
    domain: domainSlugSchema,
    marketplaceAdId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The auction that was won; null for a direct sale',
    }),
    conflictingOrderIds: Type.Array(Type.String(), {
      description:
        'Other orders in progress of the same item: it was sold more than once, so all but one have to be cancelled',
    }),
    soldAt: time('When it was sold'),
    paidAt: nullableTime('When it was reported as paid'),
    completedAt: nullableTime('When it was completed: the month in which it counts'),
    cancelledAt: nullableTime('When it was cancelled'),
    createdAt: time('When it was recorded'),
    updatedAt: time('When its status changed last'),
  },
  { $id: 'Order', title: 'Order', description: 'A sale' },
);
