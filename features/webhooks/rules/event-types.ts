import { eventId, type EventId, type ItemId, type OrderId } from '../../rules/ids.ts';

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
 * Types beside the specified ones. Only a target that names one gets it, so a partner that knows none of them sees no difference.
 */
export const namedEventTypes = ['order.paid', 'order.shipped', 'order.cancelled', 'item.changed'] as const;

export const eventTypes = [...specifiedEventTypes, ...namedEventTypes] as const;
export type EventType = (typeof eventTypes)[number];

/** Whether a target without a list of types gets the type. */
export const isSpecified = (type: EventType): boolean => specifiedEventTypes.some((one) => one === type);

/** The types about an order. A reseller gets them only for members that share their orders. */
export const isAboutOrder = (type: string): boolean => type.startsWith('order.');

/** Sent on request to try out an endpoint. It reports no occurrence, so an endpoint can neither select it nor leave it out. */
export const testEventType = 'webhook.test';

/** Every value of `eventType` that a receiver may get. */
export const deliveredTypes = [...eventTypes, testEventType] as const;
export type DeliveredType = (typeof deliveredTypes)[number];

/**
 * Event ids are built from the occurrence, so an event re-emitted after a crash has the same id and is stored once (protocol 11).
 * They are readable on purpose: an operator can see from the id what happened to which item.
 */
const forItem = (itemId: ItemId, occurrence: string): EventId =>
  eventId(`evt_${itemId.replaceAll('-', '')}_${occurrence}`);

/** Ids of the events about an item; each is unique by what happened and to which item. */
export const itemCreatedId = (itemId: ItemId): EventId => forItem(itemId, 'created');
export const imagesReadyId = (itemId: ItemId, imageSet: number): EventId => forItem(itemId, `images_${imageSet}`);
/** By the ad: after a restore another auction may carry the number of a publication that the database has forgotten. */
export const listingCreatedId = (itemId: ItemId, adId: string): EventId => forItem(itemId, `live_${adId}`);
export const listingEndedId = (itemId: ItemId, adId: string): EventId => forItem(itemId, `ended_${adId}`);
export const itemSoldId = (itemId: ItemId, order: OrderId): EventId => forItem(itemId, `sold_${order}`);

export const orderEventId = (itemId: ItemId, order: OrderId, what: 'paid' | 'shipped' | 'cancelled'): EventId =>
  forItem(itemId, `${what}_${order}`);
/** `revision` is the one that the change made. */
export const itemChangedId = (itemId: ItemId, revision: number): EventId => forItem(itemId, `changed_${revision}`);

export interface FailureOccurrence {
  readonly publication: number;
  readonly cause: string;
  /** Revision whose change was refused; 0 when the publication itself failed. */
  readonly refusedRevision: number;
}

export const listingFailedId = (itemId: ItemId, failure: FailureOccurrence): EventId =>
  forItem(itemId, `failed_${failure.publication}_${failure.cause.toLowerCase()}_${failure.refusedRevision}`);
