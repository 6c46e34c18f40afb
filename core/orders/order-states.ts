/** States of an order. Source: interface-decisions "Orders". */
export const orderStates = ['pending', 'paid', 'completed', 'cancelled'] as const;
export type OrderState = (typeof orderStates)[number];

/** All allowed changes of state. The same state again is no change; any other change is refused. */
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
