import { deepEqual } from '../../rules/deep-equal.ts';
import { emitChange, emitCreated } from '../../webhooks/rules/event-data.ts';
import type { AccountId, ItemId } from '../../rules/ids.ts';
import { acceptWrite, idle, notOwed } from './owed-work.ts';
import { noEnrichment, type ItemContent, type ItemRequest } from './item-content.ts';
import { allImagesFailed, firstImageSet, nextImageSet, refreshedImageSet } from '../../images/rules/image-set.ts';
import { setQuantityLeft } from './change-quantity.ts';
import { isHeldPrice } from './change-price.ts';
import { rememberShown } from '../../listings/rules/pending-changes.ts';
import { notRelisted, startPriceOre, type Item } from './item.ts';
import type { Actor } from './journal.ts';
import { note } from './note.ts';
import { serviceStatusAfter } from './transitions.ts';

export interface NewItem {
  readonly id: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
  readonly request: ItemRequest;
  /** Last sequence number of the item that had this external id before; 0 when none had. */
  readonly sequenceBefore: number;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * Room for events that the old item may still emit, so that the new item's numbers are always higher (protocol 11).
 * Each order has up to four events, and an item with many pieces may have thousands of orders.
 */
export const sequenceGap = 100_000;

/** A first push. An item without images is live on the service at once. */
export function createItem({ id, accountId, externalId, request, sequenceBefore, actor, now }: NewItem): Item {
  const item: Item = {
    id,
    accountId,
    externalId,
    current: true,
    removedAt: null,
    purgeAt: null,
    version: 1,
    revision: 1,
    settledRevision: 0,
    ...notOwed,
    acceptedAt: null,
    content: request.content,
    contentNumber: 1,
    refusedPriceOre: null,
    enrichment: noEnrichment,
    serviceStatus: request.content.imageUrls.length === 0 ? 'active' : 'draft',
    marketplaceStatus: 'pending_sync',
    wantedPublication: request.autoPublish ? 1 : 0,
    relisted: notRelisted,
    quantityLeft: request.content.quantity,
    listings: [],
    imageSet: firstImageSet(request.content.imageUrls),
    imagesFailedTold: 0,
    outbox: [],
    sequence: sequenceBefore === 0 ? 0 : sequenceBefore + sequenceGap,
    journal: [],
    journalNumber: 0,
    openOrderIds: [],
    pendingOrders: [],
    unpaidOrderIds: [],
    processing: idle(now),
    createdAt: now,
    updatedAt: now,
  };
  const { autoPublish } = request;
  return emitCreated(note(item, { at: now, kind: 'created', details: { autoPublish }, actor }), now);
}

/**
 * A repeated push. Returns the item unchanged when the caller's content equals the stored one, else the changed item as an
 * accepted write. A push never changes the wish to publish, and `serviceStatus` only for a draft without images
 * (interface-decisions "Items").
 */
export function updateItem(
  item: Item,
  { content: pushed, refreshImages }: ItemRequest,
  { now, actor }: { now: Date; actor: Actor },
): Item {
  const meant = contentAfter(item, pushed);
  const changedFields = fieldsThatDiffer(item.content, meant);
  const content = keepEqual(item.content, meant, changedFields);
  const imageSet =
    refreshImages === true
      ? refreshedImageSet(item.imageSet, content.imageUrls)
      : nextImageSet(item.imageSet, content.imageUrls);
  if (imageSet === item.imageSet && changedFields.length === 0) return item;
  const counted = countedAnew(item, content, now);
  const changed = rememberShown(item, {
    ...counted,
    content,
    imageSet,
    contentNumber: changedFields.some(isDrafted) ? item.contentNumber + 1 : item.contentNumber,
    relisted: changedFields.includes('priceOre') ? notLowered(counted.relisted) : counted.relisted,
    refusedPriceOre: content.priceOre === item.content.priceOre ? item.refusedPriceOre : null,
  });
  const canGoLive = changed.serviceStatus === 'draft' && imageSet.images.length === 0;
  const accepted = acceptWrite(
    {
      ...changed,
      serviceStatus: canGoLive ? serviceStatusAfter('ready', changed.serviceStatus) : changed.serviceStatus,
      processing: endsWait(changed) ? idle(now) : changed.processing,
    },
    now,
  );
  const noted = note(accepted, {
    at: now,
    kind: 'updated',
    details: {
      fields: [
        ...changedFields.map((field) => fieldNames[field]),
        ...(refreshImages === true && imageSet !== item.imageSet ? ['refreshImages'] : []),
      ],
    },
    actor,
  });
  const priceOreBefore = startPriceOre(item);
  return startPriceOre(noted) === priceOreBefore
    ? noted
    : emitChange(noted, { what: 'price', actor, priceOreBefore }, now);
}

/** A push without a number keeps the count, because the sending system may not know it. */
const contentAfter = (item: Item, pushed: ItemContent): ItemContent => ({
  ...pushed,
  quantity: pushed.quantity ?? item.content.quantity,
  priceOre: isHeldPrice(item, pushed.priceOre) ? item.content.priceOre : pushed.priceOre,
});

const notLowered = (relisted: Item['relisted']): Item['relisted'] =>
  relisted.loweredOre === 0 ? relisted : { ...relisted, loweredOre: 0 };

/** Equal parts stay the same object, so that the store sees at once what need not be written. */
function keepEqual(before: ItemContent, after: ItemContent, changed: readonly ContentField[]): ItemContent {
  const from = (field: ContentField): ItemContent => (changed.includes(field) ? after : before);
  return {
    ...after,
    imageUrls: from('imageUrls').imageUrls,
    domain: from('domain').domain,
    listing: from('listing').listing,
  };
}

function countedAnew(item: Item, { quantity }: ItemContent, now: Date): Item {
  if (quantity === null || quantity === item.content.quantity) return item;
  // An item without a number was a single piece: a first number of 1 does not undo its sale.
  const isSameOne = item.quantityLeft === null && quantity === 1;
  const isGone = item.serviceStatus === 'sold' || item.openOrderIds.length > 0;
  return isSameOne ? { ...item, quantityLeft: isGone ? 0 : 1 } : setQuantityLeft(item, quantity, now);
}

/** Whether a wait may end, because other images or another start came. */
const endsWait = (item: Item): boolean =>
  item.processing.waitingFor === 'start_time' || (item.processing.waitingFor === 'images' && !allImagesFailed(item));

type ContentField = keyof ItemContent;

/** Whether a draft made before must be made anew. Its start price is compared in kronor (publication.ts). */
const isDrafted = (field: ContentField): boolean => field !== 'priceOre' && field !== 'quantity';

function fieldsThatDiffer(before: ItemContent, after: ItemContent): ContentField[] {
  return contentFields.filter((field) => !deepEqual(before[field], after[field]));
}

const fieldNames = {
  title: 'title',
  description: 'description',
  priceOre: 'price',
  shippingCostOre: 'shippingCost',
  weightKg: 'weightKg',
  currency: 'currency',
  imageUrls: 'imageUrls',
  domain: 'domain',
  useAiEnhancement: 'useAiEnhancement',
  listing: 'listing',
  quantity: 'quantity',
} as const satisfies Readonly<Record<ContentField, string>>;

const contentFields: readonly ContentField[] = [
  'title',
  'description',
  'priceOre',
  'shippingCostOre',
  'weightKg',
  'currency',
  'imageUrls',
  'domain',
  'useAiEnhancement',
  'listing',
  'quantity',
];
