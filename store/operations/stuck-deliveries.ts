import type { DeliveryId } from '../../core/ids.ts';
import type { StoreConnection } from '../database/connection.ts';
import { deliveryOf, deliveryRows, type Delivery } from '../deliveries/deliveries.ts';

/** A delivery of any account: for operators only. */
export async function dangerouslyFindDelivery(store: StoreConnection, id: DeliveryId): Promise<Delivery | null> {
  const row = await deliveryRows(store).findOne({ _id: id });
  return row === null ? null : deliveryOf(row);
}
