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
