/** Source: specification "Event types". */
export const eventTypes = [
  'item.created',
  'item.images_ready',
  'listing.created',
  'listing.ended',
  'listing.failed',
  'item.sold',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Sent on request to try out an endpoint. It reports no occurrence, so an endpoint can neither select it nor leave it out. */
export const testEventType = 'webhook.test';

/** Everything that a receiver may find in `eventType`. */
export const deliveredTypes = [...eventTypes, testEventType] as const;
export type DeliveredType = (typeof deliveredTypes)[number];
