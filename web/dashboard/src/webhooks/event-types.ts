/** The types for an endpoint that names none. */
const specifiedEventTypes = [
  'item.created',
  'item.images_ready',
  'listing.created',
  'listing.ended',
  'listing.failed',
  'item.sold',
] as const;

/**
 * The types that an endpoint can choose, in the order in which they happen to an item. The last ones are sent only when
 * chosen.
 */
export const eventTypes = [
  ...specifiedEventTypes,
  'order.paid',
  'order.shipped',
  'order.cancelled',
  'item.changed',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The types in the log of deliveries. */
export const deliveredTypes = [...eventTypes, 'webhook.test'] as const;
export type DeliveredType = (typeof deliveredTypes)[number];

/** The known types among `texts`, in the order in which they happen. */
export const knownEventTypes = (texts: readonly string[]): EventType[] =>
  eventTypes.filter((type) => texts.includes(type));
