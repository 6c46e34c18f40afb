/** Source: specification "Event types". */
export const specifiedEventTypes = [
  'item.created',
  'item.images_ready',
  'listing.created',
  'listing.ended',
  'listing.failed',
  'item.sold',
] as const;

/**
 * Types beside the specified ones. Only a target that names one gets it, so a partner that knows none of them sees no difference
 * (decision 147).
 */
export const namedEventTypes = ['order.paid', 'order.shipped', 'order.cancelled', 'item.changed'] as const;

export const eventTypes = [...specifiedEventTypes, ...namedEventTypes] as const;
export type EventType = (typeof eventTypes)[number];

/** Whether a target gets the type that names none at all. */
export const isSpecified = (type: EventType): boolean => specifiedEventTypes.some((one) => one === type);

/** The types about an order: a reseller hears of them only for members that share their orders with it. */
export const isAboutOrder = (type: string): boolean => type.startsWith('order.');

/** Sent on request to try out an endpoint. It reports no occurrence, so an endpoint can neither select it nor leave it out. */
export const testEventType = 'webhook.test';

/** Everything that a receiver may find in `eventType`. */
export const deliveredTypes = [...eventTypes, testEventType] as const;
export type DeliveredType = (typeof deliveredTypes)[number];
