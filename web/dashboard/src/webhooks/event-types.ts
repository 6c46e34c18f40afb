/** What an endpoint gets that names none. */
const specifiedEventTypes = [
  'item.created',
  'item.images_ready',
  'listing.created',
  'listing.ended',
  'listing.failed',
  'item.sold',
] as const;

/** What an endpoint can choose among, in the order in which they happen to an item; the last ones have to be chosen. */
export const eventTypes = [
  ...specifiedEventTypes,
  'order.paid',
  'order.shipped',
  'order.cancelled',
  'item.changed',
] as const;
export type EventType = (typeof eventTypes)[number];

/** What the log of deliveries may have. */
export const deliveredTypes = [...eventTypes, 'webhook.test'] as const;
export type DeliveredType = (typeof deliveredTypes)[number];

/** Those of `texts` that this page knows, in the order in which they happen. */
export const knownEventTypes = (texts: readonly string[]): EventType[] =>
  eventTypes.filter((type) => texts.includes(type));
