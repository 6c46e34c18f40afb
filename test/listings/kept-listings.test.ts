import test from 'ava';
import fc from 'fast-check';
import { orderId } from '../../features/rules/ids.ts';
import { describeStatus } from '../../features/items/rules/describe-item.ts';
import { isUp, listingStates, type Item, type Listing } from '../../features/items/rules/item.ts';
import {
  keptListings,
  listingsKept,
  openListing,
  ordersKept,
  restingStatus,
} from '../../features/listings/rules/publication.ts';
import { anItem, noon } from '../support/an-item.ts';
import { checkProperty } from '../support/check-property.ts';

const [aListing] = openListing(anItem(), noon).listings;
const inOrder = orderId('ord_open');
const unpaid = orderId('ord_unpaid');
const closed = orderId('ord_closed');

/** One is up at most, as in the product; the other states come in any order. */
const pastStates = listingStates.filter((state) => !['committing', 'live', 'leaving'].includes(state));
const aPast = fc.array(
  fc.record({
    state: fc.constantFrom(...pastStates),
    mayBeCommitted: fc.boolean(),
    orderIds: fc.oneof({ weight: 20, arbitrary: fc.constant([closed]) }, fc.constant([inOrder]), fc.constant([unpaid])),
  }),
  { maxLength: 120 },
);

const itemWith = (past: readonly Partial<Listing>[], change: Partial<Item> = {}): Item =>
  anItem({
    openOrderIds: [inOrder],
    unpaidOrderIds: [unpaid],
    marketplaceStatus: 'ended',
    ...change,
    listings: past.flatMap((of, n) => (aListing ? [{ ...aListing, ...of, publication: n + 1, adId: `ad${n}` }] : [])),
  });

test('what is kept is bounded, in order, and holds all that anything still refers to', async (t) => {
  await checkProperty(
    t,
    fc.property(aPast, (past) => {
      const item = itemWith(past);
      const kept = keptListings(item);
      const isHeld = (listing: Listing): boolean =>
        isUp(listing) || listing.orderIds.some((order) => order === inOrder || order === unpaid);
      t.deepEqual(
        kept,
        item.listings.filter((listing) => kept.includes(listing)),
      );
      for (const listing of item.listings.filter(isHeld)) t.true(kept.includes(listing));
      for (const listing of item.listings.slice(-listingsKept)) t.true(kept.includes(listing));
      t.true(kept.filter((listing) => !isHeld(listing)).length <= 2 * listingsKept + 2);
    }),
  );
});

test('reads show the same of an item whose past was bounded', async (t) => {
  await checkProperty(
    t,
    fc.property(aPast, fc.constantFrom('ended', 'sold', 'sync_error'), (past, marketplaceStatus) => {
      const item = itemWith(past, { marketplaceStatus });
      const bounded = { ...item, listings: keptListings(item) };
      t.is(restingStatus(bounded), restingStatus(item));
      t.deepEqual(describeStatus(bounded), describeStatus(item));
    }),
  );
});

test('an item that is put up and taken down for years does not grow, and its last auctions that ended stay', (t) => {
  let item = itemWith([{ state: 'ended' }, { state: 'sold' }]);
  for (let publication = 3; publication <= 1_000; publication += 1) {
    const opened = openListing({ ...item, wantedPublication: publication, marketplaceStatus: 'ended' }, noon);
    item = {
      ...opened,
      listings: opened.listings.map((one) => ({ ...one, state: one.publication > 2 ? 'removed' : one.state })),
    };
  }
  const numbers = item.listings.map(({ publication }) => publication);
  t.deepEqual(numbers.slice(0, 2), [1, 2]);
  t.is(numbers.length, 2 + listingsKept + 1);
  t.is(numbers.at(-1), 1_000);
});

test('an item that sells by the thousand, and whose orders are never closed, keeps the newest of them and stays small', (t) => {
  const orders = Array.from({ length: 3_000 }, (_, n) => orderId(`ord_${n}`));
  const past = orders.map((order) => ({ state: 'sold', orderIds: [order] }) as const);
  const kept = keptListings(itemWith(past, { openOrderIds: orders, unpaidOrderIds: orders }));
  t.deepEqual(
    kept.map(({ publication }) => publication),
    orders.slice(-ordersKept).map((_, n) => 3_000 - ordersKept + n + 1),
  );
  const longest = { ...kept[0], announcedCauses: Array.from({ length: 6 }, () => 'TAKEDOWN_REFUSED_BIDS') };
  t.true(JSON.stringify(longest).length * ordersKept < 2_000_000);
});
