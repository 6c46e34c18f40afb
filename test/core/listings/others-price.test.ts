import test from 'ava';
import fc from 'fast-check';
import { itemWithPrice } from '../../../core/items/change-item.ts';
import { describeStatus } from '../../../core/items/describe-item.ts';
import { newestListing, type Item } from '../../../core/items/item.ts';
import { noteOwnPrice, priceOrigin, recordOthersPrice, type ShownPrice } from '../../../core/listings/others-price.ts';
import { recordLive } from '../../../core/listings/publication.ts';
import {
  beginChange,
  dropChange,
  needsRevision,
  recordChangeRefused,
  recordRevised,
} from '../../../core/listings/revision.ts';
import { wholeKronorFromOre } from '../../../core/money.ts';
import { aCall, aLiveItem, anAd, anItemBeingPublished, later } from '../../support/an-item.ts';
import { checkProperty } from '../../support/check-property.ts';

const row = (priceKronor: number | null, atMs: number, bids = 0): ShownPrice => ({
  ...{ adId: anAd.adId, priceKronor, bids, updatedAt: later(atMs) },
});
/** As a look takes a row. */
const look = (item: Item, shown: ShownPrice): Item => noteOwnPrice(recordOthersPrice(item, shown, later(9_000)), shown);
const ownOre = aLiveItem().content.priceOre;
const ownKronor = wholeKronorFromOre(ownOre);
const seen = (): Item => look(aLiveItem(), row(ownKronor, 1));
const listingOf = (item: Item) => {
  const listing = newestListing(item);
  if (listing === undefined) throw new Error('no listing');
  return listing;
};
const asked = (item: Item, kronor: number) => {
  const priced = itemWithPrice(item, kronor * 100, aCall(2));
  return beginChange(priced, listingOf(priced));
};
const revised = (item: Item, kronor: number): Item => {
  const begun = asked(item, kronor);
  return recordRevised(begun.item, begun.asked, later(2));
};
const told = ({ outbox }: Item) => outbox.filter(({ type }) => type === 'item.changed').map(({ data }) => data);

test("a price that the seller set at the marketplace becomes the item's, and is told once", (t) => {
  const changed = look(seen(), row(480, 2));
  t.is(describeStatus(changed).price, 480);
  t.is(listingOf(changed).itemPriceOre, 48_000);
  t.like(told(changed)[0], { what: 'price', by: 'marketplace', price: 480, previousPrice: ownOre / 100 });
  t.like(changed.journal.at(-1), { kind: 'price_changed', actor: { kind: 'marketplace' } });
  t.is(look(changed, row(480, 2)), changed);
  t.is(look(changed, row(ownKronor, 1)), changed, 'a row from before');
  t.is(told(look(changed, row(ownKronor, 3))).length, 2, 'back again, by its seller');
});

test('a bid is no price of the seller, nor is a row without one', (t) => {
  const item = seen();
  for (const shown of [row(700, 2, 1), row(null, 2), row(0, 2), { ...row(700, 2), adId: 'another' }])
    t.is(look(item, shown), item);
});

test('nothing is concluded before a look has shown our own price', (t) => {
  const item = aLiveItem();
  t.is(look(item, row(480, 1)), item);
});

test('our price counts as shown from the first look that brought it, be the auction still opened or changed', (t) => {
  const opened = look(anItemBeingPublished('committing'), row(ownKronor, 1));
  t.is(priceOrigin(opened, row(480, 2)), 'unclear', 'the cursor waits for the auction to be known as live');
  t.is(describeStatus(look(recordLive(opened, anAd, later(2)), row(480, 2))).price, 480);
  const begun = asked(aLiveItem(), 300);
  const shown = look(begun.item, row(ownKronor, 1));
  t.is(describeStatus(look(recordRevised(shown, begun.asked, later(2)), row(480, 3))).price, 480);
});

test('rows from before our own changes show prices of ours, in whatever order they come', (t) => {
  const twice = revised(revised(seen(), 300), 350);
  for (const kronor of [ownKronor, 300, 350]) t.is(priceOrigin(twice, row(kronor, 5)), 'ours');
  t.is(priceOrigin(twice, row(301, 5)), 'others');
  const shown = look(twice, row(350, 6));
  t.is(priceOrigin(shown, row(300, 5)), 'ours', 'older than the one that showed the last');
  t.is(priceOrigin(shown, row(300, 7)), 'others', 'newer, so its seller went back to it');
});

test('a price that was sent twice does not tell which of the two a row shows', (t) => {
  const back = revised(revised(seen(), 300), ownKronor);
  t.is(priceOrigin(look(back, row(ownKronor, 6)), row(300, 7)), 'ours');
});

test('while a change of ours is on its way, the row is looked at again', (t) => {
  const begun = asked(seen(), 300);
  t.is(priceOrigin(begun.item, row(480, 2)), 'unclear');
  t.is(look(begun.item, row(480, 2)), begun.item);
  const wanted = itemWithPrice(seen(), 30_000, aCall(2));
  t.is(priceOrigin(wanted, row(480, 2)), 'unclear');
  t.is(priceOrigin(dropChange(begun.item, begun.asked), row(480, 2)), 'unclear');
  const refused = recordChangeRefused(begun.item, begun.asked, { now: later(3) });
  t.is(priceOrigin(refused, row(480, 4)), 'others');
});

/** The marketplace has one present price; looks may have read it long before they are recorded. */
test("whatever we send and whenever looks come, only its seller's prices are told", async (t) => {
  const aStep = fc.record({
    what: fc.constantFrom('send', 'read', 'record', 'other'),
    kronor: fc.integer({ min: 200, max: 204 }),
  });
  await checkProperty(
    t,
    fc.property(fc.array(aStep, { maxLength: 40 }), (steps) => {
      let item = seen();
      let present = row(ownKronor, 1);
      let read = present;
      const others = new Set<number>();
      for (const [n, { what, kronor }] of steps.entries()) {
        if (what === 'send' && kronor !== describeStatus(item).price) {
          item = revised(item, kronor);
          present = row(kronor, n + 10);
        } else if (what === 'other') {
          // Of other numbers, so that the test can tell them apart.
          present = row(kronor + 1_000, n + 10);
          others.add(kronor + 1_000);
        } else if (what === 'read') read = present;
        else if (what === 'record') item = look(item, read);
      }
      for (const { price } of told(item).filter(({ by }) => by === 'marketplace')) t.true(others.has(Number(price)));
      if (steps.some(({ what }) => what === 'send')) return;
      const last = look(item, present);
      t.is(describeStatus(last).price, present.priceKronor ?? Number.NaN);
    }),
  );
});

/** The steps of one auction, from its commit on. The seller's prices are of other numbers than ours. */
const auctionSteps = fc.array(
  fc.record({
    what: fc.constantFrom('live', 'begin', 'made', 'dropped', 'look'),
    kronor: fc.integer({ min: 200, max: 204 }),
  }),
  { maxLength: 30 },
);
type Steps = typeof auctionSteps extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** The last change was dropped, but the one before it has no known outcome: everything is sent once more before we are at rest. */
const droppedAfterUnknown: [Steps] = [
  [
    { what: 'live', kronor: 200 },
    { what: 'look', kronor: 200 },
    { what: 'begin', kronor: 202 },
    { what: 'made', kronor: 200 },
    { what: 'begin', kronor: 200 },
    { what: 'begin', kronor: 202 },
    { what: 'dropped', kronor: 200 },
  ],
];

test('once a look has shown our price, a later one of its seller is taken as soon as we are at rest', async (t) => {
  await checkProperty(
    t,
    fc.property(auctionSteps, (steps) => {
      let item = anItemBeingPublished('committing');
      let change: ReturnType<typeof asked>['asked'] | null = null;
      let present = row(ownKronor, 1);
      let isShown = false;
      const finish = (at: number): void => {
        if (change === null) return;
        present = row(wholeKronorFromOre(change.priceOre), at);
        item = recordRevised(item, change, later(at));
        change = null;
      };
      const goLive = (at: number): void => {
        if (listingOf(item).state === 'committing') item = recordLive(item, anAd, later(at));
      };
      for (const [n, { what, kronor }] of steps.entries()) {
        if (what === 'live') goLive(n + 10);
        else if (what === 'made') finish(n + 10);
        else if (what === 'dropped' && change !== null) {
          item = dropChange(item, change);
          change = null;
        } else if (what === 'begin' && listingOf(item).state === 'live' && kronor !== describeStatus(item).price) {
          const begun = asked(item, kronor);
          [item, change] = [begun.item, begun.asked];
        } else if (what === 'look') {
          item = look(item, present);
          isShown = true;
        }
      }
      goLive(50);
      if (change === null && needsRevision(item, listingOf(item))) {
        const begun = beginChange(item, listingOf(item));
        [item, change] = [begun.item, begun.asked];
      }
      finish(51);
      t.false(needsRevision(item, listingOf(item)), 'at rest');
      item = look(item, row(1_480, 60));
      t.is(describeStatus(item).price === 1_480, isShown);
    }),
    { numRuns: 500, examples: [droppedAfterUnknown] },
  );
});
