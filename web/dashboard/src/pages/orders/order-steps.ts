export type OrderStatus = 'pending' | 'paid' | 'completed' | 'cancelled';
export const orderStatuses: readonly OrderStatus[] = ['pending', 'paid', 'completed', 'cancelled'];

/** What a person may make of an order: on first, off last. Completed and cancelled are final. */
export function stepsFrom(status: OrderStatus): readonly OrderStatus[] {
  if (status === 'pending') return ['paid', 'cancelled'];
  return status === 'paid' ? ['completed', 'cancelled'] : [];
}

export const isOrderStatus = (text: string | undefined): text is OrderStatus =>
  orderStatuses.some((status) => status === text);
