import type { Delivery } from '../../store/deliveries/deliveries.ts';

/** A delivery that a person asked for; how it went is in the log under its id. */
export interface MadeDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
}

export const describeMade = ({ _id, eventId }: Delivery): MadeDelivery => ({ deliveryId: _id, eventId });
