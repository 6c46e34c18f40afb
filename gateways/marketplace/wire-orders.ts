// The marketplace's orders, with the data of their buyers. Of an auction `shipTo` is null, and payments are there with integrated payment
// alone.
import { Type, type Static } from 'typebox';
import type { Address, Buyer } from '../../features/orders/rules/order.ts';
import type { SellerOrder } from './port.ts';
import { eachRow } from './wire-items.ts';
import { anything, id, kronor, maybe, requiredTimeOf, rowsReader, told, type ReportRows } from './wire-kit.ts';
import { query } from './wire.ts';

/** Orders are queried by the date of their last update, not of their creation. */
const byLastUpdate = '1';
const dayMs = 86_400_000;

export const orderPaths = {
  /** Up to tomorrow: an end that is left out may mean the year 1. */
  changed: (since: Date, now: Date) =>
    `/v4/orders?${query({
      fromDate: since.toISOString(),
      toDate: new Date(now.getTime() + dayMs).toISOString(),
      queryDateMode: byLastUpdate,
    })}`,
  ship: (orderId: string) => `/v4/orders/${encodeURIComponent(orderId)}/ship`,
} as const;

const addressLines = {
  addressLine1: anything,
  addressLine2: anything,
  zipCode: anything,
  city: anything,
  countryName: anything,
};
const names = { alias: anything, firstName: anything, lastName: anything, email: anything, phone: anything };
/** User 0 is none. */
const Person = Type.Object({ userId: anything, ...names, ...addressLines });
const orderRows = rowsReader(
  Type.Object({
    orderId: id,
    lastUpdatedDate: Type.String(),
    buyer: maybe(Person),
    shipTo: maybe(Type.Object({ name: anything, ...addressLines })),
    items: maybe(Type.Array(Type.Object({ itemId: id, unitPrice: kronor }))),
    sellerOrderPayments: maybe(Type.Array(Type.Unknown())),
    shippingType: anything,
    shippingCost: maybe(kronor),
  }),
);

/** The orders in an answer. Throws {@link UnreadableAnswer}. */
export const readSellerOrders = (body: unknown, report: ReportRows): SellerOrder[] =>
  eachRow(
    orderRows(body, report),
    ({ buyer, shipTo, ...row }) => ({
      marketplaceOrderId: String(row.orderId),
      updatedAt: requiredTimeOf(row.lastUpdatedDate),
      isPaid: (row.sellerOrderPayments ?? []).length > 0,
      buyer: buyer == null && shipTo == null ? null : buyerOf(buyer ?? {}, shipTo ?? {}),
      lines: (row.items ?? []).map(({ itemId, unitPrice }) => ({
        adId: String(itemId),
        amountKronor: Number(unitPrice),
      })),
      shippingKronor: Number(row.shippingCost ?? 0),
      shippingMethod: told(row.shippingType),
    }),
    report,
  );

type AddressOnWire = {
  readonly [Name in 'name' | 'addressLine1' | 'addressLine2' | 'zipCode' | 'city' | 'countryName']?: unknown;
};

const buyerOf = (buyer: Static<typeof Person>, shipTo: AddressOnWire): Buyer => ({
  marketplaceUserId: told(buyer.userId) === '0' ? null : told(buyer.userId),
  alias: told(buyer.alias),
  name: nameOf(buyer),
  email: told(buyer.email),
  phone: told(buyer.phone),
  address: addressOf(told(shipTo.addressLine1) === null ? { ...buyer, name: null } : shipTo),
});

const nameOf = ({
  firstName,
  lastName,
}: {
  readonly firstName?: unknown;
  readonly lastName?: unknown;
}): string | null => told([told(firstName), told(lastName)].filter((part) => part !== null).join(' '));

const addressOf = (wire: AddressOnWire): Address => ({
  name: told(wire.name),
  line1: told(wire.addressLine1),
  line2: told(wire.addressLine2),
  postalCode: told(wire.zipCode),
  city: told(wire.city),
  country: told(wire.countryName),
});
