import test from 'ava';
import { describeStatus } from '../../features/items/rules/describe-item.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { replaceRunning, whyNotReplaced } from '../../features/items/rules/publish-item.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { pendingChanges, pendingWarnings } from '../../features/listings/rules/pending-changes.ts';
import { changeNewestListing, openListing, recordDraft } from '../../features/listings/rules/publication.ts';
import { recordTakeDownRefused, recordTakenDown } from '../../features/listings/rules/delist.ts';
import { aCall, aLiveItem, anItem, anItemBeingPublished, emptied, later, noon } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

const pushed = (item: Item, change: object): Item => emptied(updateItem(item, anItemRequest(change), aCall()));
const warned = (item: Item, change: object): string[] =>
  pendingWarnings(item, pushed(item, change)).map(({ field }) => field);

test('everything but prices is kept for the next publication, by the names of the interface', (t) => {
  const all = {
    title: 'Annan',
    description: 'Annan',
    shippingCostOre: 9_900,
    weightKg: 3,
    useAiEnhancement: true,
    domain: { slug: 'toys', attributes: {} },
    priceOre: 70_000,
    listing: {
      durationDays: 3,
      vatPercent: 25,
      categoryId: 7,
      shippingOptions: [{ providerId: 6, cost: 79 }],
      buyNowPrice: 900,
    },
  };
  t.deepEqual(pendingChanges(pushed(aLiveItem(), all)), [
    'title',
    'description',
    'shippingCost',
    'weightKg',
    'domain',
    'useAiEnhancement',
    'listing.durationDays',
    'listing.shippingOptions',
    'listing.vatPercent',
    'listing.categoryId',
  ]);
});

test('nothing is pending while nothing is up, and reads leave it out then', (t) => {
  const drafted = pushed(anItemBeingPublished('prepared'), { title: 'Annan' });
  t.deepEqual(pendingChanges(drafted), []);
  t.false('pendingChanges' in describeStatus(aLiveItem()));
  const ended = changeNewestListing(pushed(aLiveItem(), { title: 'Annan' }), { state: 'ended' });
  t.deepEqual(pendingChanges(ended), []);
});

test('a change back leaves nothing pending, however often it was changed in between', (t) => {
  const twice = pushed(pushed(aLiveItem(), { title: 'Annan' }), { title: 'En tredje' });
  t.deepEqual(describeStatus(twice).pendingChanges, ['title']);
  const back = pushed(twice, {});
  t.deepEqual(pendingChanges(back), []);
  t.deepEqual(back.listings.at(-1)?.shows, []);
});

test('a change made while the auction is just being put up is pending, too', (t) => {
  t.deepEqual(pendingChanges(pushed(anItemBeingPublished('committing'), { title: 'Annan' })), ['title']);
});

test('the next publication begins with nothing pending', (t) => {
  const changed = changeNewestListing(pushed(aLiveItem(), { title: 'Annan' }), { state: 'ended' });
  const next = openListing({ ...changed, wantedPublication: 2, marketplaceStatus: 'ended' }, noon);
  const live = changeNewestListing(recordDraft(next, { requestId: '2', adId: '2' }), { state: 'live' });
  t.deepEqual(pendingChanges(live), []);
});

test('other pictures are pending once they are hosted, and so is a list that was emptied', (t) => {
  const hosted = (hashes: readonly string[]): Item['imageSet'] => ({
    number: 1,
    announced: true,
    images: hashes.map((contentHash) => ({ sourceUrl: contentHash, state: 'hosted', contentHash, failure: null })),
  });
  const live = changeNewestListing(aLiveItem({ imageSet: hosted(['a', 'b']) }), { imageHashes: ['a', 'b'] });
  t.deepEqual(pendingChanges(live), []);
  t.deepEqual(pendingChanges({ ...live, imageSet: hosted(['b', 'a']) }), ['imageUrls']);
  t.deepEqual(pendingChanges({ ...live, imageSet: hosted([]) }), ['imageUrls']);
});

test('a reserve price that should go is pending; with bids other prices are as well', (t) => {
  const reserved = changeNewestListing(aLiveItem(), { reserveKronor: 600 });
  t.deepEqual(pendingChanges(reserved), ['listing.reservePrice']);
  const wanted = pushed(aLiveItem(), { listing: { reservePrice: 600, buyNowPrice: 900 } });
  t.deepEqual(pendingChanges(wanted), [], 'a call is owed');
  t.deepEqual(pendingChanges(changeNewestListing(wanted, { hasBids: true })), [
    'listing.reservePrice',
    'listing.buyNowPrice',
  ]);
});

test('the push that makes a change pending is warned of it, and a repeated one is not', (t) => {
  t.deepEqual(warned(aLiveItem(), { title: 'Annan', priceOre: 70_000 }), ['title']);
  const changed = pushed(aLiveItem(), { title: 'Annan' });
  t.deepEqual(warned(changed, { title: 'Annan' }), []);
  t.deepEqual(warned(changed, { title: 'Annan', description: 'Annan' }), ['description']);
  t.deepEqual(warned(changed, { title: 'En tredje' }), ['title']);
  t.deepEqual(warned(anItem(), { title: 'Annan' }), []);
});

// --- put up anew with the changes

const replaced = (): Item => emptied(replaceRunning(pushed(aLiveItem(), { title: 'Annan' }), aCall()));

test('a running auction is replaced only when something is pending and nobody has bid', (t) => {
  t.is(whyNotReplaced(pushed(aLiveItem(), { title: 'Annan' })), null);
  const bids = changeNewestListing(pushed(aLiveItem(), { title: 'Annan' }), { hasBids: true });
  t.is(whyNotReplaced(bids), 'bids');
  const seen = { bids: 1, priceKronor: 450, endsAt: null, at: noon };
  t.is(whyNotReplaced(changeNewestListing(pushed(aLiveItem(), { title: 'Annan' }), { seen })), 'bids');
  t.is(whyNotReplaced(pushed(anItemBeingPublished('committing'), { title: 'Annan' })), 'on_its_way');
  const same = aLiveItem();
  t.is(replaceRunning(same, aCall()), same);
});

test('the auction comes down first, its end is told, and the next publication is wanted', (t) => {
  const leaving = replaced();
  t.like(leaving, { wantedPublication: 2 });
  t.like(leaving.listings.at(-1), { state: 'leaving', isReplaced: true });
  const down = recordTakenDown(leaving, 1, later(1));
  t.is(down.listings.at(-1)?.state, 'removed');
  t.is(down.wantedPublication, 2);
  t.deepEqual(
    down.outbox.map(({ type }) => type),
    ['listing.ended'],
  );
});

test('bids that come meanwhile keep the auction: the changes wait, and that is told', (t) => {
  const kept = recordTakeDownRefused(replaced(), 1, later(1));
  t.like(kept, { wantedPublication: 1, marketplaceStatus: 'active' });
  t.like(kept.listings.at(-1), { state: 'live', hasBids: true });
  t.false('isReplaced' in (kept.listings.at(-1) ?? {}));
  t.regex(String(kept.outbox[0]?.data['error']), /^REPLACE_REFUSED_BIDS: /);
});
