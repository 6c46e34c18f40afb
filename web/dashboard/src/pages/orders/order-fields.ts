export type OrderStatus = 'pending' | 'paid' | 'completed' | 'cancelled';
export const orderStatuses: readonly OrderStatus[] = ['pending', 'paid', 'completed', 'cancelled'];

/** The possible next steps of an order, in their order. Completed and cancelled are final. */
export function stepsFrom(status: OrderStatus): readonly OrderStatus[] {
  if (status === 'pending') return ['paid', 'cancelled'];
  return status === 'paid' ? ['completed', 'cancelled'] : [];
}

/** Whether the text is a status of the interface. */
export const isOrderStatus = (text: string | undefined): text is OrderStatus =>
  orderStatuses.some((status) => status === text);

const amountMax = 100_000_000;

/** SEK as people write it: `1 499,50`, `349.5`, `200 kr`. undefined for any other text, and below one öre. */
export function readAmount(text: string): number | undefined {
  const plain = text
    .replace(/\s/g, '')
    .replace(/(kr|sek)$/i, '')
    .replace(',', '.');
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(plain)) return undefined;
  const sek = Number(plain);
  return sek >= 0.01 && sek <= amountMax ? sek : undefined;
}
