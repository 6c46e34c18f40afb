import { randomUUID } from 'node:crypto';
import test from 'ava';
import { createItemStore } from '../../features/items/store/items.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import { findMarketplaceConnection } from '../../features/listings/store/marketplace-connections.ts';
import { lookAtAllSellers } from '../../features/listings/store/marketplace-watch.ts';
import { drawFeedEpoch } from '../../features/webhooks/store/feed-epoch.ts';
import { itemId } from '../../features/rules/ids.ts';
import { aLiveItem, anItem, later } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';
import { day, hour, Market } from './support/a-market.ts';

// The database went back to an earlier moment, and the marketplace did not.

const store = withDatabase(test);

test.serial(
  'after a restore an auction that came up since is given to its item, which knew of none; one of no item is named',
  async (t) => {
    const market = new Market(store());
    await market.connect('first');
    await createItemStore(store()).insert(anItem({ id: market.id, accountId: market.account }));
    market.auctions.push(
      market.auction('9999'),
      market.auction('8888', { ownReferences: [`${randomUUID()}:1`] }),
      market.auction('7777', { ownReferences: [] }),
    );
    t.true((await lookAtAllSellers(store(), later(hour))) >= 1);
    await market.look(hour);
    t.like(await market.item(), {
      marketplaceStatus: 'active',
      wantedPublication: 1,
      listings: [{ publication: 1, adId: '9999', state: 'live' }],
    });
    t.deepEqual(market.logged.toSorted(), ['auction.item_unknown', 'auction.up_unexpected']);
    t.not((await findMarketplaceConnection(store(), market.account))?.restoredAt, undefined, 'one has no item yet');
    await market.look(2 * hour);
    t.is((await market.item()).listings.length, 1);
    t.is(market.logged.length, 2, 'said once');
    market.end(3 * hour, {}, '8888');
    await market.look(4 * hour);
    t.is((await findMarketplaceConnection(store(), market.account))?.restoredAt, undefined);
  },
);

test.serial('after a restore an item that was forgotten, and is pushed again, takes over its auction', async (t) => {
  const market = new Market(store());
  await market.connect('first');
  const lost = randomUUID();
  market.auctions.push(market.auction('9999', { ownReferences: ['A1', lost, `${lost}:3`] }));
  await lookAtAllSellers(store(), later(hour));
  await market.look(hour);
  t.deepEqual(market.logged, ['auction.item_unknown']);
  t.not(await market.nextLookMs(), null, 'it is looked for again');
  await createItemStore(store()).insert(anItem({ id: market.id, accountId: market.account, externalId: 'A1' }));
  await market.look(2 * hour);
  t.like(await market.item(), { marketplaceStatus: 'active', listings: [{ adId: '9999', state: 'live' }] });
  t.is((await findMarketplaceConnection(store(), market.account))?.restoredAt, undefined);
});

for (const [what, publication, state] of [
  ['its first auction', 1, undefined],
  ['the auction after one that it believes up', 2, 'live'],
  ['the auction that it was about to put up', 1, 'drafting'],
] as const)
  test.serial(`after a restore an item is sold by ${what}, which ran and ended in the lost time`, async (t) => {
    const market = new Market(store());
    await market.connect('first');
    const known = changeNewestListing(aLiveItem({ id: market.id, accountId: market.account }), {
      state: state ?? 'live',
      ...(state === 'drafting' && { adId: null }),
    });
    const fresh = anItem({ id: market.id, accountId: market.account });
    await createItemStore(store()).insert(state === undefined ? fresh : known);
    market.sell(hour, { adId: '9999', ownReferences: [`${market.id}:${publication}`] });
    await lookAtAllSellers(store(), later(2 * hour));
    await market.look(2 * hour + 1);
    t.like(await market.item(), { serviceStatus: 'sold', marketplaceStatus: 'sold', openOrderIds: [market.orderId] });
    t.deepEqual(market.logged, []);
  });

for (const [what, state] of [
  ['was not begun', undefined],
  ['is being drafted', 'drafting'],
] as const)
  test.serial(
    `after a restore an auction that came up and ended in the lost time is not put up again: it ${what}`,
    async (t) => {
      const market = new Market(store());
      await market.connect('first');
      const own = { id: market.id, accountId: market.account };
      const drafting = changeNewestListing(aLiveItem(own), { state: 'drafting', adId: null });
      await createItemStore(store()).insert(state === undefined ? anItem(own) : drafting);
      market.auctions.push(market.auction('9999', { isOver: true, endsAt: later(hour) }));
      await lookAtAllSellers(store(), later(2 * hour));
      await market.look(2 * hour + 1);
      const item = await market.item();
      t.like(item, { marketplaceStatus: 'ended', wantedPublication: 1, listings: [{ adId: '9999', state: 'ended' }] });
      await market.look(3 * hour);
      t.deepEqual((await market.item()).listings, item.listings, 'once');
    },
  );

test.serial('after a restore all pieces of an item that were sold in the lost time become orders', async (t) => {
  const market = new Market(store());
  await market.connect('first');
  const item = aLiveItem({ id: market.id, accountId: market.account });
  await createItemStore(store()).insert({ ...item, quantityLeft: 5 });
  market.auctions.push(market.auction('9995', { ownReferences: [`${market.id}:5`] }));
  for (const publication of [4, 3, 2])
    market.sell(publication * hour, {
      transactionId: `${market.account}-${publication}`,
      adId: `999${publication}`,
      ownReferences: [`${market.id}:${publication}`],
    });
  await lookAtAllSellers(store(), later(6 * hour));
  await market.look(6 * hour + 1);
  const { openOrderIds, listings } = await market.item();
  t.is(openOrderIds.length, 3);
  t.deepEqual(
    listings.map(({ adId, state }) => [adId, state]),
    [
      [item.listings[0]?.adId, 'ended'],
      ['9992', 'sold'],
      ['9993', 'sold'],
      ['9994', 'sold'],
      ['9995', 'live'],
    ],
  );
});

test.serial('after a restore a sale that its item does not take is named', async (t) => {
  const market = new Market(store());
  await market.begin();
  await market.change((item) => changeNewestListing(item, { publication: 7 }));
  market.sell(hour, { adId: '9999', ownReferences: [`${market.id}:3`] });
  await lookAtAllSellers(store(), later(2 * hour));
  await market.look(2 * hour + 1);
  t.deepEqual(market.logged, ['sale.item_unknown']);
});

test.serial(
  'after a restore a look that failed is made again as a whole, also when nothing changed since',
  async (t) => {
    const market = new Market(store());
    await market.begin();
    await market.look(1);
    await createItemStore(store()).insert(
      anItem({ accountId: market.account, id: itemId(randomUUID()), externalId: 'B' }),
    );
    await lookAtAllSellers(store(), later(100));
    market.hintMs = 1;
    market.failing = 'running';
    await market.look(101);
    market.failing = undefined;
    await market.look(102);
    t.true(market.calls.includes('running'), market.calls.join());
  },
);

test.serial('after a restore a sale of an item that was forgotten is named', async (t) => {
  const market = new Market(store());
  await market.connect('first');
  market.sell(hour, { adId: '9999', ownReferences: [`${randomUUID()}:1`] });
  await lookAtAllSellers(store(), later(2 * hour));
  await market.look(2 * hour + 1);
  t.deepEqual(market.logged, ['sale.item_unknown']);
});

test.serial(
  'a seller whose connection was forgotten by a restore is looked at from the backup on, once connected',
  async (t) => {
    const market = new Market(store());
    // However old the backup is.
    const restoredAt = 40 * day;
    await drawFeedEpoch(store(), { restoredTo: later(hour), now: later(restoredAt) });
    t.teardown(() => store().connection.collection('feed_epochs').deleteMany({}));
    market.nowMs = restoredAt + hour;
    await market.connect('first');
    await createItemStore(store()).insert(anItem({ id: market.id, accountId: market.account }));
    market.sell(1.5 * hour, { adId: '9999' });
    await market.look(restoredAt + hour);
    t.like(await market.item(), { serviceStatus: 'sold' });
  },
);

test.serial('after a restore a seller that is not connected is looked at in the same way once it is', async (t) => {
  const market = new Market(store());
  await market.connect('first');
  await market.expire();
  await createItemStore(store()).insert(anItem({ id: market.id, accountId: market.account }));
  market.auctions.push(market.auction('9999'));
  await lookAtAllSellers(store(), later(hour));
  await market.connect('second');
  await market.look(2 * hour);
  t.like(await market.item(), { listings: [{ adId: '9999', state: 'live' }] });
});
