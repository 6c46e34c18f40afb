import { randomUUID } from 'node:crypto';
import test from 'ava';
import { itemWithStatus } from '../../features/items/rules/change-status.ts';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import { wholeKronorFromOre } from '../../features/rules/money.ts';
import { itemId, orderId } from '../../features/rules/ids.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { aCall, aLiveItem, anAd, later } from '../support/an-item.ts';
import { day, hour, Market } from './support/a-market.ts';
import { withDatabase } from '../support/with-database.ts';

// The marketplace is in memory, items and connections in MongoDB.

const store = withDatabase(test);
const aMarket = (change = {}): Promise<Market> => new Market(store()).begin(change);
const ownKronor = wholeKronorFromOre(aLiveItem().content.priceOre);

// --- what runs

test('a quiet seller costs one call: bids, price and end of all auctions come with it', async (t) => {
  const market = await aMarket();
  market.show({ bids: 1, priceKronor: 500 });
  await market.look(2_000);
  t.deepEqual(market.calls, ['running']);
  const item = await market.item();
  t.deepEqual(item.listings[0]?.seen, { bids: 1, priceKronor: 500, endsAt: later(7 * day), at: later(2_000) });
  await market.look(3_000);
  t.is((await market.item()).version, item.version);
});

test('the next look comes after as many pauses as this one made calls', async (t) => {
  const market = await aMarket();
  await market.look(2_000);
  t.is(market.pausedMs, 1_000);
  market.end(3_000);
  await market.look(4_000);
  t.deepEqual(market.calls, ['running', 'ended', 'sales']);
});

test("a price that its seller set at the marketplace is the item's with the next look, which tells it and leaves nothing to do", async (t) => {
  const market = await aMarket();
  market.show({ startPriceKronor: ownKronor + 50, priceKronor: ownKronor + 50 });
  await market.look(61_000);
  const item = await market.whole();
  t.is(item.content.priceOre / 100, ownKronor + 50);
  t.like(item.outbox.at(-1), { type: 'item.changed', requestId: 'look-1' });
  await market.look(130_000);
  t.is((await market.item()).version, item.version);
});

test('a price that the marketplace may show late is left alone, and so is one that our own change is about to replace', async (t) => {
  const market = await aMarket();
  market.show({ startPriceKronor: ownKronor + 50 });
  await market.look(59_000);
  t.is((await market.item()).content.priceOre, aLiveItem().content.priceOre, 'it went up less than a minute ago');
  await market.change((item) => itemWithPrice(item, 70_000, aCall()));
  await market.look(200_000);
  t.is((await market.item()).content.priceOre, 70_000);
});

test('a price of ours that is sent while the look goes on is not undone by what the look has read', async (t) => {
  const market = await aMarket();
  market.show({ startPriceKronor: ownKronor + 50 });
  market.afterRead = () => {
    market.afterRead = undefined;
    return market.change((item) => changeNewestListing(item, { askedPriceOre: 70_000 }));
  };
  await market.look(200_000);
  t.is((await market.item()).content.priceOre, aLiveItem().content.priceOre);
});

// --- what is over

test('an auction that ended in its time without a winner is ended', async (t) => {
  const market = await aMarket();
  await market.look(1_000);
  market.end(7 * day);
  await market.look(7 * day + 1_000);
  const item = await market.whole();
  t.is(item.marketplaceStatus, 'ended');
  t.like(item.outbox.at(-1), { type: 'listing.ended', data: { marketplaceAdId: anAd.adId } });
});

test('an auction that ended well before its time ended: it is told, and not put up again by itself', async (t) => {
  const market = await aMarket();
  await market.change((item) => ({ ...item, content: { ...item.content, listing: { relist: { times: 1 } } } }));
  await market.look(1_000);
  market.end(2 * day);
  await market.look(2 * day + 1_000);
  const item = await market.whole();
  t.like(item.listings[0], { state: 'ended' });
  t.is(item.outbox.at(-1)?.type, 'listing.ended');
  t.is(item.wantedPublication, 1);
});

test('an hour or two of difference between two clocks is no take-down', async (t) => {
  const market = await aMarket();
  await market.look(1_000);
  market.end(7 * day - 1.9 * hour);
  await market.look(7 * day);
  t.is((await market.item()).listings[0]?.state, 'ended');
});

test('an auction with a winner is never called ended: its sale is waited for, and the operator hears of it', async (t) => {
  const market = await aMarket();
  market.end(7 * day, { hasWinner: true, bids: 1 });
  await market.look(7 * day + hour);
  await market.look(20 * day);
  t.is((await market.item()).marketplaceStatus, 'active');
  t.deepEqual(market.logged, ['auction.sale_missing', 'auction.sale_missing']);
  market.sell(7 * day);
  await market.look(20 * day + hour);
  t.like(await market.item(), { serviceStatus: 'sold', marketplaceStatus: 'sold', openOrderIds: [market.orderId] });
});

for (const [bids, waitMs] of [
  [0, 10 * 60_000],
  [2, 3 * day],
] as const) {
  test(`where the marketplace does not say who won, an end with ${bids} bids counts when no sale came in time`, async (t) => {
    const market = await aMarket();
    await market.look(1_000);
    market.end(7 * day, { hasWinner: null, bids });
    await market.look(7 * day + waitMs - 1_000);
    t.is((await market.item()).marketplaceStatus, 'active');
    await market.look(7 * day + waitMs + 1_000);
    t.is((await market.item()).marketplaceStatus, 'ended');
  });
}

test('an auction that is in no list is read by itself: it may still run', async (t) => {
  const market = await aMarket();
  market.unlisted.add(anAd.adId);
  market.show({ bids: 3 });
  await market.look(2 * hour);
  t.deepEqual(market.calls, ['running', 'ended', 'sales', `item ${anAd.adId}`]);
  t.like((await market.item()).listings[0], { state: 'live', seen: { bids: 3 } });
});

test('an auction that is nowhere is gone, but not in its first hour', async (t) => {
  const market = await aMarket();
  market.auctions.length = 0;
  await market.look(hour - 1_000);
  t.is((await market.item()).listings[0]?.state, 'live');
  await market.look(hour + 1_000);
  t.is((await market.item()).listings[0]?.state, 'removed');
});

test('an auction that comes down and is over early is our own take-down', async (t) => {
  const market = await aMarket();
  await market.look(1_000);
  await market.change((item) => ({ ...itemWithStatus(item, 'not_listed', aCall()), outbox: [] }));
  market.end(hour);
  await market.look(2 * hour);
  const item = await market.whole();
  t.is(item.listings[0]?.state, 'removed');
  t.deepEqual(item.outbox, [], 'no event: it was asked for');
});

// --- what was sold

test('a sold auction does not count as ended, and its payment is taken by the mark of the sale', async (t) => {
  const market = await aMarket();
  market.end(7 * day, { hasWinner: true, bids: 1 });
  market.sell(7 * day);
  await market.look(7 * day + 1_000);
  t.like(await market.item(), { serviceStatus: 'sold', marketplaceStatus: 'sold', openOrderIds: [market.orderId] });
  market.pay();
  await market.look(8 * day);
  t.deepEqual((await market.item()).unpaidOrderIds, []);
  t.like(await market.order(), { state: 'paid' });
});

test('a payment that only the marketplace’s order tells is taken as well', async (t) => {
  const market = await aMarket();
  market.sell(hour);
  market.end(hour, { hasWinner: true });
  await market.look(2 * hour);
  market.paid = [{ orderId: orderId(market.orderId), adId: anAd.adId }];
  await market.look(3 * hour);
  t.like(await market.order(), { state: 'paid' });
  t.like((await market.whole()).outbox.at(-1), { type: 'order.paid' });
});

test('the payment of an auction that the item has forgotten is taken by its order', async (t) => {
  const market = await aMarket();
  market.sell(1_000);
  market.end(1_000, { hasWinner: true });
  await market.look(2_000);
  await market.change((item) => ({ ...item, listings: [] }));
  market.pay();
  await market.look(4_000);
  const item = await market.whole();
  t.deepEqual(item.unpaidOrderIds, []);
  t.like(item.outbox.at(-1), { type: 'order.paid', data: { orderId: market.orderId, marketplaceAdId: anAd.adId } });
});

test('an auction that ended is sold late, however often the item was put up and taken down since', async (t) => {
  const market = await aMarket();
  await market.wearOut('ended');
  t.is((await market.item()).listings.length, 22);
  market.sell(day);
  await market.look(day);
  t.like(await market.item(), { serviceStatus: 'sold', openOrderIds: [market.orderId] });
});

test('sales are read every six hours at least, because an ended auction may be sold to another bidder', async (t) => {
  const market = await aMarket();
  await market.look(hour);
  t.deepEqual(market.calls, ['running']);
  await market.look(7 * hour);
  t.deepEqual(market.calls, ['running', 'sales']);
  await market.look(8 * hour);
  t.deepEqual(market.calls, ['running']);
});

test('a sale under an ad that the seller restarted at the marketplace is found by our own reference', async (t) => {
  const market = await aMarket();
  await market.change((item) => ({ ...changeNewestListing(item, { state: 'ended' }), marketplaceStatus: 'ended' }));
  market.sell(day, { adId: '9999' });
  await market.look(day);
  t.like(await market.item(), {
    serviceStatus: 'sold',
    openOrderIds: [market.orderId],
    listings: [{ adId: '9999', state: 'sold' }],
  });
});

test('a sale keeps the fee in force when it was learnt', async (t) => {
  const market = await aMarket();
  market.platformFeeBps = 700;
  market.sell(hour);
  market.end(hour, { hasWinner: true });
  await market.look(2 * hour);
  t.like((await market.whole()).pendingOrders, [{ feeBps: 700 }]);
});

for (const [name, leave] of [
  ['its token was expired', (market: Market) => market.expire()],
  ['it was disconnected', (market: Market) => market.disconnect()],
] as const) {
  test(`a sale made while ${name} for days is learnt after the reconnection`, async (t) => {
    const market = await aMarket();
    await leave(market);
    market.sell(6 * day);
    market.end(6 * day, { hasWinner: true });
    market.nowMs = 9 * day;
    await market.connect('second');
    await market.look(9 * day);
    const item = await market.item();
    t.like(item, { serviceStatus: 'sold', marketplaceStatus: 'sold', openOrderIds: [market.orderId] });
  });
}

test('when the running auctions can not be read, sales are', async (t) => {
  const market = await aMarket();
  market.failing = 'running';
  market.sell(hour);
  await market.look(2 * hour);
  t.is((await market.item()).serviceStatus, 'sold');
});

test('the ended auctions are asked for from a day before the last complete look on', async (t) => {
  const market = await aMarket();
  await market.look(3 * day);
  market.failing = 'ended';
  market.end(3 * day + hour);
  await market.look(5 * day);
  market.failing = undefined;
  await market.look(9 * day);
  t.not((await market.item()).listings[0]?.state, 'live');
});

// --- what should not be up

test('an auction that is up although its commit was thought lost is followed, and comes down when it is unwanted', async (t) => {
  const market = await aMarket();
  const other = market.auction('8888', { ownReferences: [`${market.id}:2`] });
  await market.change((item) => {
    const lost = { ...item.listings[0], publication: 2, adId: '8888', requestId: '88', state: 'cancelled' } as const;
    return { ...item, listings: [...item.listings, { ...(lost as (typeof item.listings)[number]) }] };
  });
  market.auctions.push(other);
  await market.look(hour);
  t.like((await market.item()).listings.at(-1), { adId: '8888', state: 'committing', mayBeCommitted: true });
  t.deepEqual(market.logged, ['auction.up_unexpected']);
});

test('an auction that its seller restarted at the marketplace counts as the next publication, and is told and followed', async (t) => {
  const market = await aMarket();
  await market.change((item) => ({ ...changeNewestListing(item, { state: 'ended' }), marketplaceStatus: 'ended' }));
  market.end(hour);
  const other = aLiveItem({ id: itemId(randomUUID()), accountId: market.account, externalId: 'B2' });
  await createItemStore(store()).insert(changeNewestListing(other, { adId: '7777' }));
  market.auctions.push(market.auction('7777', { ownReferences: [] }), market.auction('9999'));
  await market.look(2 * hour);
  t.like(await market.whole(), {
    marketplaceStatus: 'active',
    wantedPublication: 2,
    listings: [{ state: 'ended' }, { publication: 2, adId: '9999', state: 'live' }],
  });
  await market.look(3 * hour);
  t.is((await market.item()).listings.length, 2, 'a second look changes nothing');
});

// --- hints

test('between two looks only a hint is asked for; a row version that has risen brings the look forward', async (t) => {
  const market = await aMarket();
  market.hintMs = 250;
  await market.look(1_000);
  t.deepEqual(market.calls, ['hint', 'running'], 'the first look stores the mark');
  await market.look(1_250);
  t.deepEqual(market.calls, ['hint']);
  t.is(market.pausedMs, 250);
  market.mark = '90071992547409931';
  await market.look(1_500);
  t.deepEqual(market.calls, ['hint', 'running']);
  await market.look(1_750);
  t.deepEqual(market.calls, ['hint']);
  await market.look(2_600);
  t.deepEqual(market.calls, ['hint', 'running'], 'bids may leave the row version alone');
});

// --- nothing is up

test('a seller with nothing up costs one call a day for thirty days: a sale after a restart at the marketplace is told', async (t) => {
  const market = await aMarket();
  await market.look(1_000);
  market.end(7 * day);
  await market.look(7 * day + 1_000);
  t.is(await market.nextLookMs(), 8 * day + 1_000);
  await market.look(8 * day + 1_000);
  t.deepEqual(market.calls, ['sales']);
  market.sell(8 * day + 2_000, { adId: '9002' });
  await market.look(9 * day + 1_000);
  t.like(await market.item(), { serviceStatus: 'sold', marketplaceStatus: 'sold' });
});

test('a seller with nothing up for thirty days is looked at no more, and so is one who never had anything up', async (t) => {
  const market = await aMarket();
  market.end(7 * day);
  await market.look(7 * day + 1_000);
  await market.look(37 * day + 1_000);
  t.is(await market.nextLookMs(), null);
  await market.goLive();
  await market.look(37 * day + 2_000);
  t.is(await market.nextLookMs(), 38 * day + 2_000, 'thirty days begin anew with each publication');
  const other = new Market(store());
  await other.connect('first');
  await other.look(1_000);
  t.is(await other.nextLookMs(), null);
});
