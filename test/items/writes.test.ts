import test from 'ava';
import { settle, tombstoneMs } from '../../features/items/rules/owed-work.ts';
import { itemWithStatus } from '../../features/items/rules/change-status.ts';
import { deletedItem } from '../../features/items/rules/delete-item.ts';
import { itemWithPrice, isHeldPrice } from '../../features/items/rules/change-price.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { isPublishable, publishItem } from '../../features/items/rules/publish-item.ts';
import type { WaitingFor } from '../../features/items/rules/processing.ts';
import { createItem, updateItem } from '../../features/items/rules/upsert-item.ts';
import { orderId } from '../../features/rules/ids.ts';
import { closeOrder } from '../../features/listings/rules/auction-end.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import { askedPrices, recordPriceRefused } from '../../features/listings/rules/price.ts';
import { followOrder, followShipping } from '../../features/orders/rules/follow-order.ts';
import { withFailure } from '../../features/listings/rules/listing-failure.ts';
import {
  aCall,
  aCaller,
  aLiveItem,
  anAccountId,
  anItem,
  anItemBeingPublished,
  emptied,
  later,
  noon,
} from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

const newest = (item: Item) => item.listings.at(-1);
const order = orderId('ord_1');

/** A live auction with bids on which 500 SEK was refused. */
function withRefusedPrice(): Item {
  const dearer = itemWithPrice(aLiveItem(), 50_000, aCall());
  const [listing] = dearer.listings;
  if (listing === undefined) throw new Error('no listing');
  const seen = { startPriceKronor: 450, reservePriceKronor: null, buyNowPriceKronor: null };
  return emptied(recordPriceRefused(dearer, askedPrices(dearer, listing), { seen, now: noon }));
}

// --- PATCH price

test('a new price is stored at once, counts as accepted and is noted', (t) => {
  const changed = itemWithPrice(aLiveItem(), 50_000, aCall(5));
  t.is(changed.content.priceOre, 50_000);
  t.like(changed, { revision: 2, updatedAt: later(5), serviceStatus: 'active', marketplaceStatus: 'active' });
  t.like(changed.journal.at(-1), { kind: 'price_changed', actor: aCaller });
  t.is(newest(changed)?.itemPriceOre, 45_000);
});

test('the price that the item has already changes nothing', (t) => {
  const item = aLiveItem();
  t.is(itemWithPrice(item, 45_000, aCall()), item);
});

// specification: patch-price-of-what
test('an item that is not active takes a new price without any other effect', (t) => {
  for (const serviceStatus of ['draft', 'not_listed', 'sold'] as const) {
    const changed = itemWithPrice(anItem({ serviceStatus, wantedPublication: 0 }), 50_000, aCall());
    t.like(changed, { serviceStatus, marketplaceStatus: 'pending_sync', wantedPublication: 0 });
  }
});

// --- a price that was refused

test('a refused price sent again is unchanged while the auction has bids, by PATCH and by PUT', (t) => {
  const item = withRefusedPrice();
  t.true(isHeldPrice(item, 50_000));
  t.is(itemWithPrice(item, 50_000, aCall()), item);
  t.is(updateItem(item, anItemRequest({ priceOre: 50_000 }), aCall()), item);
  const renamed = updateItem(item, anItemRequest({ priceOre: 50_000, title: 'Annan' }), aCall());
  t.like(renamed.content, { priceOre: 45_000, title: 'Annan' });
});

test('a refused price is held on the way down too, and no longer when the auction is over', (t) => {
  const item = withRefusedPrice();
  t.true(isHeldPrice(changeNewestListing(item, { state: 'leaving' }), 50_000));
  for (const state of ['ended', 'sold', 'removed', 'failed', 'cancelled'] as const)
    t.false(isHeldPrice(changeNewestListing(item, { state }), 50_000));
  t.false(isHeldPrice(changeNewestListing(item, { hasBids: false }), 50_000));
  t.false(isHeldPrice(item, 60_000));
});

test('another price than the refused one is tried', (t) => {
  const changed = itemWithPrice(withRefusedPrice(), 60_000, aCall());
  t.is(changed.content.priceOre, 60_000);
  t.is(changed.refusedPriceOre, null);
});

// --- PATCH status

for (const status of ['not_listed', 'sold'] as const) {
  test(`PATCH ${status}: the auction has to come down, the item is off the service at once`, (t) => {
    const changed = itemWithStatus(aLiveItem(), status, aCall());
    t.like(changed, { serviceStatus: status, marketplaceStatus: 'active', revision: 2 });
    t.is(newest(changed)?.state, 'leaving');
    t.deepEqual(changed.outbox, []);
  });

  // specification: patch-not-listed-or
  test(`PATCH ${status} on a draft calls a publication off that was not begun`, (t) => {
    const changed = itemWithStatus(anItem({ serviceStatus: 'draft' }), status, aCall());
    t.like(changed, { serviceStatus: status, wantedPublication: 0, marketplaceStatus: 'pending_sync' });
  });

  test(`PATCH ${status} twice changes nothing`, (t) => {
    const changed = itemWithStatus(aLiveItem(), status, aCall());
    t.is(itemWithStatus(changed, status, aCall(1)), changed);
  });

  test(`PATCH ${status} leaves a draft auction behind, but follows one whose commit may be on its way`, (t) => {
    for (const state of ['drafting', 'prepared'] as const) {
      t.is(newest(itemWithStatus(anItemBeingPublished(state), status, aCall()))?.state, 'cancelled');
      const sent = changeNewestListing(anItemBeingPublished(state), { mayBeCommitted: true });
      t.is(newest(itemWithStatus(sent, status, aCall()))?.state, state);
    }
    t.is(newest(itemWithStatus(anItemBeingPublished('committing'), status, aCall()))?.state, 'committing');
  });
}

test('sold and not listed lead to each other', (t) => {
  const sold = anItem({ serviceStatus: 'sold' });
  t.is(itemWithStatus(sold, 'not_listed', aCall()).serviceStatus, 'not_listed');
  t.is(itemWithStatus(anItem({ serviceStatus: 'not_listed' }), 'sold', aCall()).serviceStatus, 'sold');
});

// --- DELETE

// specification: any-delete-the-active
test('DELETE frees the external id with the very write, and its auction has to come down', (t) => {
  const deleted = deletedItem(aLiveItem(), aCall(7));
  t.like(deleted, { current: false, removedAt: later(7), revision: 2 });
  t.is(newest(deleted)?.state, 'leaving');
});

test('DELETE of an item with an order in progress archives it', (t) => {
  const archived = deletedItem(anItem({ serviceStatus: 'sold', openOrderIds: [order] }), aCall());
  t.like(archived, { current: false, removedAt: null, serviceStatus: 'archived' });
});

test('DELETE of an archived item does nothing while the order is open, and removes it afterwards', (t) => {
  const archived = deletedItem(anItem({ serviceStatus: 'sold', openOrderIds: [order] }), aCall());
  t.is(deletedItem(archived, aCall(1)), archived);
  const removed = deletedItem(closeOrder(archived, order, later(2)), aCall(3));
  t.deepEqual(removed.removedAt, later(3));
  t.is(deletedItem(removed, aCall(4)), removed);
});

// --- publish

test('publish asks for the first publication, once', (t) => {
  const asked = publishItem(anItem({ wantedPublication: 0 }), aCall());
  t.is(asked.wantedPublication, 1);
  t.is(publishItem(asked, aCall(1)), asked);
});

test('publish asks for the next publication when the newest is over, and only then', (t) => {
  for (const state of ['ended', 'removed', 'failed', 'cancelled', 'leaving'] as const)
    t.is(publishItem(anItemBeingPublished(state), aCall()).wantedPublication, 2, state);
  for (const state of ['drafting', 'prepared', 'committing', 'live'] as const) {
    const item = anItemBeingPublished(state);
    t.is(publishItem(item, aCall()), item, state);
  }
});

// specification: publish-a-draft-waits
test('publish brings a not listed item back, a draft waits for its images', (t) => {
  t.like(publishItem(anItem({ serviceStatus: 'not_listed', wantedPublication: 0 }), aCall()), {
    serviceStatus: 'active',
    wantedPublication: 1,
  });
  t.is(publishItem(anItem({ serviceStatus: 'draft', wantedPublication: 0 }), aCall()).serviceStatus, 'draft');
});

test('what is sold, archived or deleted is not publishable', (t) => {
  t.true(isPublishable(anItem()));
  t.false(isPublishable(anItem({ serviceStatus: 'sold' })));
  t.false(isPublishable(anItem({ serviceStatus: 'archived' })));
  t.false(isPublishable(anItem({ current: false })));
});

test('publish tries again at once what waits, and what was refused', (t) => {
  const waiting = withFailure(
    anItemBeingPublished('drafting'),
    { cause: 'MARKETPLACE_TIMEOUT', message: 'no answer' },
    { now: noon, work: 'publish' },
  );
  t.like(publishItem(waiting, aCall()).processing, { waitingFor: null, notBefore: null });
  const refused = withRefusedPrice();
  t.is(publishItem(refused, aCall()).revision, refused.revision + 1);
});

test('publish has failed images tried again', (t) => {
  const failed = {
    sourceUrl: 'https://a.example/1.jpg',
    state: 'failed',
    contentHash: null,
    failure: { kind: 'not_found' },
  } as const;
  const item = anItem({
    content: { ...anItem().content, imageUrls: [failed.sourceUrl] },
    imageSet: { number: 1, images: [failed], announced: true },
  });
  const asked = publishItem(item, aCall());
  t.like(asked.imageSet, { number: 2, announced: false });
  t.is(asked.imageSet.images[0]?.state, 'pending');
});

// --- PUT

// specification: autopublishtradera-only-when-the
test('a repeated PUT changes nothing, and never the status or the wish to publish', (t) => {
  for (const serviceStatus of ['draft', 'active', 'sold', 'not_listed'] as const) {
    const item = anItem({ serviceStatus, wantedPublication: 0 });
    if (serviceStatus !== 'draft') t.is(updateItem(item, anItemRequest(), aCall()), item);
    const changed = updateItem(item, anItemRequest({ title: 'Annan' }, { autoPublish: true }), aCall());
    t.is(changed.wantedPublication, 0);
    if (serviceStatus !== 'draft') t.is(changed.serviceStatus, serviceStatus);
  }
});

test('the events of a new item are numbered on from those of the one before it', (t) => {
  const item = createItem({
    id: anItem().id,
    accountId: anAccountId,
    externalId: 'A1',
    request: anItemRequest(),
    sequenceBefore: 17,
    actor: aCaller,
    now: noon,
  });
  t.true((item.outbox[0]?.sequence ?? 0) > 17);
});

test('a deleted item of many pieces tells of all its open orders below the numbers of its successor', (t) => {
  const orders = Array.from({ length: 200 }, (_, number) => orderId(`ord_${number}`));
  const removed = emptied(anItem({ current: false, openOrderIds: orders }));
  const told = orders.reduce((item, of) => {
    const moved = { orderId: of, platform: 'marketplace', adId: null } as const;
    const paid = followOrder(item, { ...moved, state: 'paid' }, aCall());
    return followOrder(followShipping(paid, moved, aCall()), { ...moved, state: 'cancelled' }, aCall());
  }, removed);
  const { id, accountId, externalId, sequence: sequenceBefore } = removed;
  const request = anItemRequest();
  const next = createItem({ id, accountId, externalId, request, sequenceBefore, actor: aCaller, now: noon });
  t.true((next.outbox[0]?.sequence ?? 0) > told.sequence, `${told.sequence}`);
});

// --- settling

// specification: any-delete-the-active
test('a settled tombstone goes after its time; with an auction up it stays', (t) => {
  const removed = anItem({ current: false, removedAt: noon, revision: 3 });
  const settled = settle(removed, later(9));
  t.like(settled, { settledRevision: 3, startAt: null });
  t.deepEqual(settled.purgeAt, later(tombstoneMs));
  t.is(settle(anItem(), noon).purgeAt, null);
  for (const state of ['committing', 'live', 'leaving'] as const)
    t.is(settle(anItemBeingPublished(state, { current: false, removedAt: noon }), noon).purgeAt, null, state);
  for (const state of ['ended', 'sold', 'removed', 'cancelled', 'failed'] as const)
    t.deepEqual(
      settle(anItemBeingPublished(state, { current: false, removedAt: noon }), noon).purgeAt,
      later(tombstoneMs),
    );
});

test('whatever happens to a tombstone gives it another life', (t) => {
  const settled = settle(anItem({ current: false, removedAt: noon, openOrderIds: [order] }), noon);
  t.is(closeOrder({ ...settled, purgeAt: noon }, order, later(1)).purgeAt, null);
});

test('settling ends every wait but that for images, and keeps the cause of a failure', (t) => {
  const item = anItem();
  const waiting = (waitingFor: WaitingFor | null) =>
    settle({ ...item, processing: { ...item.processing, waitingFor, lastError: 'CODE: words' } }, later(1)).processing;
  t.like(waiting('images'), { waitingFor: 'images', lastError: 'CODE: words' });
  t.like(waiting('marketplace'), { waitingFor: null, stage: 'settled' });
  t.like(waiting(null), { waitingFor: null, lastError: 'CODE: words' });
  t.is(settle(item, later(1)).processing.stage, 'settled');
});

// specification: publish-not-listed-without
test('publish of a not listed item that never had a hosted image makes it wait for one, like a draft', (t) => {
  const pending = { sourceUrl: 'https://a.example/1.jpg', state: 'pending', contentHash: null, failure: null } as const;
  const imageSet = { number: 1, images: [pending], announced: false };
  const asked = publishItem(anItem({ serviceStatus: 'not_listed', wantedPublication: 0, imageSet }), aCall());
  t.like(asked, { serviceStatus: 'draft', wantedPublication: 1 });
});
