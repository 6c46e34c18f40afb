// The marketplace's orders, with the data of their buyers. The rules at the head of wire.ts apply here, too.
import { Type } from 'typebox';
import type { Address } from '../../core/orders/order.ts';
import type { SellerOrder } from './port.ts';
import { id, query, reader, time, timeOf } from './wire.ts';

/** Orders are queried by the date of their last update, not of their creation. */
const changedOrders = '1';

/** Paths of the order calls. */
export const orderPaths = {
  changed: (since: Date) => `/v4/orders?${query({ fromDate: since.toISOString(), queryDateMode: changedOrders })}`,
  ship: (orderId: string) => `/v4/orders/${encodeURIComponent(orderId)}/ship`,
} as const;

const maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const addressLines = { addressLine1: maybe, addressLine2: maybe, zipCode: maybe, city: maybe, countryName: maybe };
const OrdersAnswer = Type.Array(
  Type.Object({
    orderId: id,
    lastUpdatedDate: time,
    buyer: Type.Object({
      ...{ userId: id, alias: maybe, firstName: maybe, lastName: maybe, email: maybe, phone: maybe },
      ...addressLines,
    }),
    shipTo: Type.Object({ name: maybe, ...addressLines }),
    items: Type.Union([Type.Array(Type.Object({ itemId: id, unitPrice: Type.Number({ minimum: 0 }) })), Type.Null()]),
    sellerOrderPayments: Type.Union([Type.Array(Type.Object({})), Type.Null()]),
    shippingType: maybe,
    shippingCost: Type.Number({ minimum: 0 }),
  }),
);

const ordersAnswer = reader(OrdersAnswer);

/** The orders in an answer. Throws {@link UnreadableAnswer}. */
export function readSellerOrders(body: unknown): SellerOrder[] {
  return ordersAnswer(body).map(({ buyer, shipTo, ...row }) => ({
    marketplaceOrderId: String(row.orderId),
    updatedAt: timeOf(row.lastUpdatedDate),
    isPaid: (row.sellerOrderPayments ?? []).length > 0,
    buyer: {
      marketplaceUserId: String(buyer.userId),
      alias: told(buyer.alias),
      name: told(
        [buyer.firstName, buyer.lastName]
          .map(told)
          .filter((part) => part !== null)
          .join(' '),
      ),
      email: told(buyer.email),
      phone: told(buyer.phone),
      // An order that the buyer collects has no address of its own.
      address: told(shipTo.addressLine1) === null ? addressOf({ ...buyer, name: null }) : addressOf(shipTo),
    },
    lines: (row.items ?? []).map(({ itemId, unitPrice }) => ({ adId: String(itemId), amountKronor: unitPrice })),
    shippingKronor: row.shippingCost,
    shippingMethod: told(row.shippingType),
  }));
}

type Maybe = string | null | undefined;

/** null for a missing text and for blanks. */
const told = (text: Maybe): string | null => (text == null || text.trim() === '' ? null : text.trim());

const addressOf = (wire: {
  readonly [Name in 'name' | 'addressLine1' | 'addressLine2' | 'zipCode' | 'city' | 'countryName']?: Maybe;
}): Address => ({
  name: told(wire.name),
  line1: told(wire.addressLine1),
  line2: told(wire.addressLine2),
  postalCode: told(wire.zipCode),
  city: told(wire.city),
  country: told(wire.countryName),
});
