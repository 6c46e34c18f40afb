import Type from 'typebox';
import { orderStates } from '../../features/orders/rules/order.ts';
import { platformSchema } from '../events/event-data.ts';
import { domainSlugSchema } from '../item-domains/item-domain.ts';
import { currencySchema, decimalNumber, nullableTime, time } from '../fields.ts';

const sek = (description: string) => decimalNumber({ minimum: 0, description: `SEK; ${description}` });

export const orderStatus = Type.Enum([...orderStates], {
  $id: 'OrderStatus',
  description: '`pending` until it is paid; `completed` and `cancelled` are final',
});

const nullableString = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const shippingSchema = Type.Object(
  {
    shippedAt: nullableTime('When it was first reported as sent; null until then'),
    carrier: nullableString('Who carries it'),
    trackingNumber: nullableString('What the carrier knows it by'),
    method: nullableString('The shipping that the buyer chose, as the marketplace calls it; null while unknown'),
    cost: Type.Unsafe<number | null>({
      ...sek('what the buyer pays for the shipping beside `amount`; null while unknown'),
      type: ['number', 'null'],
    }),
  },
  { $id: 'OrderShipping', description: 'How it goes to the buyer' },
);

const orderFields = {
  id: Type.String(),
  externalId: Type.String({ description: 'Your identifier of the item' }),
  itemId: Type.String({ format: 'uuid', description: "The service's id of the item" }),
  title: nullableString(
    'Title of the item, as it is now; null once a deleted item is no longer stored, 90 days after its deletion at the earliest',
  ),
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
  shipping: shippingSchema,
  conflictingOrderIds: Type.Array(Type.String(), {
    description:
      'Other orders in progress of the same item: it was sold more than once, so all but one have to be cancelled',
  }),
  soldAt: time('When it was sold'),
  paidAt: nullableTime('When it was reported as paid'),
  completedAt: nullableTime('When it was completed: the month in which it counts'),
  cancelledAt: nullableTime('When it was cancelled'),
  createdAt: time('When it was recorded'),
  updatedAt: time('When its status or its shipping changed last'),
};

/** Source: interface-decisions "Orders". */
export const orderSchema = Type.Object(orderFields, { $id: 'Order', title: 'Order', description: 'A sale' });

const addressSchema = Type.Object(
  {
    name: nullableString('To whom it goes'),
    line1: nullableString('Street and number'),
    line2: nullableString('What goes below the street'),
    postalCode: nullableString('As the marketplace gives it'),
    city: nullableString('As the marketplace gives it'),
    country: nullableString('Its name, as the marketplace gives it'),
  },
  { $id: 'OrderAddress', description: 'Where it goes' },
);

const buyerSchema = Type.Object(
  {
    marketplaceUserId: nullableString("The marketplace's id of the buyer"),
    alias: nullableString('The name at the marketplace'),
    name: nullableString('First and last name'),
    email: nullableString('As the marketplace gives it'),
    phone: nullableString('As the marketplace gives it'),
    address: addressSchema,
    keptUntil: time('When the service deletes these data; each step of the order moves it on'),
  },
  { $id: 'OrderBuyer', description: 'Personal data: docs/personal-data.md says what is kept, why and how long' },
);

/** The answer of `GET` for a single order. */
export const orderWithBuyerSchema = Type.Object(
  {
    ...orderFields,
    buyer: Type.Union([buyerSchema, Type.Null()], {
      description:
        'null for a direct sale, until the marketplace has given it, and once it is deleted. Each reading is in the log of the account',
    }),
  },
  { $id: 'OrderWithBuyer', title: 'OrderWithBuyer', description: 'A sale with its buyer' },
);
