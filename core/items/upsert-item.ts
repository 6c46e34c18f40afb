import { deepEqual } from '../deep-equal.ts';
import { itemCreatedId } from '../events/event-id.ts';
import { emit } from '../events/outbox.ts';
import type { AccountId, ItemId } from '../ids.ts';
import { acceptWrite, firstNudgeDelayMs, idle } from './accept-write.ts';
import { allImagesFailed, firstImageSet, nextImageSet } from './image-set.ts';
import type { Item } from './item.ts';
import type { ItemRequest } from './item-content.ts';

export interface NewItem {
  readonly id: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
  readonly request: ItemRequest;
  readonly now: Date;
}

/** A first push. Without images there is nothing to wait for, so the item is live on the service at once. */
export function createItem({ id, accountId, externalId, request, now }: NewItem): Item {
  const item: Item = {
    id,
    accountId,
    externalId,
    current: true,
    version: 1,
    revision: 1,
    settledRevision: 0,
    nextNudgeAt: new Date(now.getTime() + firstNudgeDelayMs),
    nudgeDelayMs: firstNudgeDelayMs,
    content: request.content,
    serviceStatus: request.content.imageUrls.length === 0 ? 'active' : 'draft',
    marketplaceStatus: 'pending_sync',
    wantedPublication: request.autoPublish ? 1 : 0,
    listings: [],
    imageSet: firstImageSet(request.content.imageUrls),
    outbox: [],
    sequence: 0,
    openOrderIds: [],
    pendingOrders: [],
    processing: idle(now),
    createdAt: now,
    updatedAt: now,
  };
  return emit(item, {
    eventId: itemCreatedId(id),
    type: 'item.created',
    occurredAt: now,
    platform: 'service',
    extra: { type: 'item' },
  });
}

/**
 * A repeated push: the item itself when the caller's content equals what is stored (nothing to write, no work), else the
 * changed item as an accepted write. `serviceStatus` and the wish to publish never change here (decisions "Items").
 */
export function updateItem(item: Item, request: ItemRequest, now: Date): Item {
  const imageSet = nextImageSet(item.imageSet, request.content.imageUrls);
  if (imageSet === item.imageSet && deepEqual(item.content, request.content)) return item;
  const changed: Item = { ...item, content: request.content, imageSet };
  const canGoLive = changed.serviceStatus === 'draft' && imageSet.images.length === 0;
  const wasStuckOnImages = changed.processing.waitingFor === 'images' && !allImagesFailed(changed);
  return acceptWrite(
    {
      ...changed,
      serviceStatus: canGoLive ? 'active' : changed.serviceStatus,
      processing: wasStuckOnImages ? idle(now) : changed.processing,
    },
    now,
  );
}
