/** States of an order. Source: interface-decisions "Orders". */
export const orderStates = ['pending', 'paid', 'completed', 'cancelled'] as const;
export type OrderState = (typeof orderStates)[number];

/** All changes of state that a caller may ask for. The same state again is no change; any other change is refused. */
export const orderTransitions = {
  pending: ['paid', 'cancelled'],
  paid: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
} as const satisfies Readonly<Record<OrderState, readonly OrderState[]>>;

export const canBecome = (from: OrderState, to: OrderState): boolean =>
  orderTransitions[from].some((state) => state === to);

/** While an order is in progress, its item can't be removed, only archived (protocol 5). */
export const isInProgress = (state: OrderState): boolean => state === 'pending' || state === 'paid';

/** The states of {@link isInProgress}, for queries. */
export const statesInProgress: readonly OrderState[] = orderStates.filter(isInProgress);

/** The fields of an order that change after the sale. */
export interface OrderProgress {
  readonly state: OrderState;
  readonly paidAt: Date | null;
  readonly completedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly updatedAt: Date;
  /** Raised by every change: with the id it is the ETag. */
  readonly revision: number;
}

/** The order in its new state, with its time. The same order when it has that state; null when the change is not allowed. */
export function moveOrder<Order extends OrderProgress>(order: Order, to: OrderState, now: Date): Order | null {
  if (order.state === to) return order;
  if (!canBecome(order.state, to)) return null;
  return { ...order, ...timesOf(to, now), state: to, updatedAt: now, revision: order.revision + 1 };
}

/**
 * The order as an operator takes it out of all sums: cancelled, whatever it was before. A completed one is completed no more.
 * The same order when it is cancelled already.
 */
export function voidOrder<Order extends OrderProgress>(order: Order, now: Date): Order {
  if (order.state === 'cancelled') return order;
  const times = { completedAt: null, cancelledAt: now, updatedAt: now };
  return { ...order, ...times, state: 'cancelled', revision: order.revision + 1 };
}

/** The time fields that a change to `state` sets. */
export function timesOf(
  state: OrderState,
  now: Date,
): Partial<Pick<OrderProgress, `${Exclude<OrderState, 'pending'>}At`>> {
  switch (state) {
    case 'pending':
      return {};
    case 'paid':
      return { paidAt: now };
    case 'completed':
      return { completedAt: now };
    case 'cancelled':
      return { cancelledAt: now };
  }
}

/** Platforms on which a partner sells beside the marketplace, reported as direct sales. Source: interface-decisions "Orders". */
export const directPlatforms = ['service', 'service_card', 'service_mobile'] as const;
export type DirectPlatform = (typeof directPlatforms)[number];

/** Source: specification "Envelope". */
export type SalePlatform = 'marketplace' | DirectPlatform;

export interface Shipping {
  /** null until it was sent. */
  readonly shippedAt: Date | null;
  readonly carrier: string | null;
  readonly trackingNumber: string | null;
}

/** A caller's report about shipping: a missing field stays unchanged, null removes it. */
export interface ShippingReport {
  readonly carrier?: string | null | undefined;
  readonly trackingNumber?: string | null | undefined;
}

/**
 * The order marked as sent. A further report corrects carrier and tracking number and keeps the time. Returns the same
 * order when nothing changes; null for a cancelled one, which can't be sent.
 */
export function shipOrder<Order extends OrderProgress & Shipping>(
  order: Order,
  { carrier = order.carrier, trackingNumber = order.trackingNumber }: ShippingReport,
  now: Date,
): Order | null {
  if (order.state === 'cancelled') return null;
  if (order.shippedAt !== null && carrier === order.carrier && trackingNumber === order.trackingNumber) return order;
  const shippedAt = order.shippedAt ?? now;
  return { ...order, carrier, trackingNumber, shippedAt, updatedAt: now, revision: order.revision + 1 };
}

/** A delivery address; parts that the marketplace does not give are null. */
export interface Address {
  readonly name: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly country: string | null;
}

/**
 * The buyer of an order, as the marketplace gives it. Personal data: it stays in rows of its own, and never goes into
 * an event.
 */
export interface Buyer {
  /** The marketplace's id of the buyer; null when it does not say. */
  readonly marketplaceUserId: string | null;
  readonly alias: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: Address;
}
