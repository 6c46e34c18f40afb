import { randomUUID } from 'node:crypto';
import test from 'ava';
import { firstImageSet } from '../../features/images/rules/image-set.ts';
import { itemWithStatus } from '../../features/items/rules/change-status.ts';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import { publishItem } from '../../features/items/rules/publish-item.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { goLive } from '../../features/listings/go-live.ts';
import { changeNewestListing, openListing } from '../../features/listings/rules/publication.ts';
import { MarketplaceError, type Auction } from '../../gateways/marketplace/port.ts';
import { aCall, aLiveItem, anItem, noon } from '../support/an-item.ts';
import { itemId } from '../../features/rules/ids.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { ListingStage } from './support/listing-stage.ts';

const anAuction: Auction = {
  adId: 'ad-1',
  adUrl: 'https://marketplace.example/item/ad-1',
  ownReferences: [],
  startPriceKronor: 450,
  reservePriceKronor: null,
  buyNowPriceKronor: null,
  isOver: false,
  hasWinner: false,
  bids: 0,
  priceKronor: 450,
  endsAt: null,
  pictures: null,
};

/** Its first draft is made and about to be committed. */
async function aStageWithDraft(): Promise<ListingStage> {
  const stage = new ListingStage();
  await stage.work('go-live');
  return stage;
}

// --- what goes up is the item as it is

for (const [name, write] of [
  ['price', (stage: ListingStage) => stage.write((item) => itemWithPrice(item, 90_000, aCall()))],
  [
    'text',
    (stage: ListingStage) =>
      stage.write((item) => updateItem(item, anItemRequest({ title: 'Annan', priceOre: 90_000 }), aCall())),
  ],
] as const) {
  test(`a draft whose ${name} was changed after the step was named is not committed: another one is`, async (t) => {
    const stage = await aStageWithDraft();
    await write(stage);
    await goLive(stage.dependencies, stage.publication(1));
    t.deepEqual(stage.marketplace.callsOf('commit'), []);
    await stage.work();
    t.is(stage.auction.priceKronor, 900);
    t.deepEqual(stage.marketplace.callsOf('commit'), [stage.auction.requestId]);
  });
}

test('a draft of what nobody wants any more is not committed', async (t) => {
  const stage = await aStageWithDraft();
  await stage.write((item) => itemWithStatus(item, 'not_listed', aCall()));
  await goLive(stage.dependencies, stage.publication(1));
  t.deepEqual(stage.marketplace.callsOf('commit'), []);
});

test('a publication whose earlier auction its seller restarted at the marketplace makes no second one', async (t) => {
  const stage = new ListingStage(changeNewestListing(aLiveItem(), { state: 'ended' }));
  await stage.write((item) => publishItem({ ...item, marketplaceStatus: 'ended' }, aCall()));
  const restarted = { ...anAuction, adId: '9999', ownReferences: [`${stage.item.id}:1`] };
  stage.marketplace.answer('readRunning', [restarted]);
  await stage.work();
  t.deepEqual(stage.marketplace.callsOf('commit'), []);
  t.deepEqual(stage.marketplace.auctions, [], 'not even a draft');
  t.like(stage.listing, { publication: 2, state: 'live', adId: '9999' });
  t.deepEqual(stage.told, ['listing.created']);
});

test('a publication that the database forgot, because it was restored, is found before another is made', async (t) => {
  const stage = new ListingStage(openListing(anItem(), noon));
  stage.isAfterRestore = true;
  const up = { ...anAuction, adId: '9999', ownReferences: [`${stage.item.id}:1`] };
  stage.marketplace.answer('readRunning', [up]);
  await stage.work();
  t.deepEqual(stage.marketplace.auctions, [], 'not even a draft');
  t.like(stage.listing, { publication: 1, state: 'live', adId: '9999' });
});

test('a publication whose item was forgotten by a restore, and pushed again, takes over the auction of its namesake', async (t) => {
  const stage = new ListingStage(openListing(anItem(), noon));
  stage.isAfterRestore = true;
  const lost = randomUUID();
  const up = { ...anAuction, adId: '9999', ownReferences: [stage.item.externalId, lost, `${lost}:7`] };
  stage.marketplace.answer('readRunning', [up]);
  await stage.work();
  t.deepEqual(stage.marketplace.auctions, [], 'not even a draft');
  t.like(stage.listing, { publication: 1, state: 'live', adId: '9999' });
});

test('after a restore nothing is drafted or committed before its seller was looked at', async (t) => {
  const fresh = new ListingStage(openListing(anItem(), noon));
  const drafted = await aStageWithDraft();
  for (const stage of [fresh, drafted]) {
    const before = stage.marketplace.auctions.length;
    stage.isUnseen = true;
    await stage.work();
    t.deepEqual(stage.marketplace.callsOf('commit'), []);
    t.is(stage.marketplace.auctions.length, before);
    t.regex(stage.processing.lastError ?? '', /restored from a backup/);
    for (let more = 0; more < 60; more += 1) await stage.workAfterWait();
    t.deepEqual(stage.told, [], 'that is no failure of theirs');
    stage.isUnseen = false;
    await stage.workAfterWait();
    t.like(stage.listing, { state: 'live' });
  }
});

test('öre that make no other krona make no other draft', async (t) => {
  const stage = await aStageWithDraft();
  await stage.write((item) => itemWithPrice(item, 45_040, aCall()));
  await stage.work();
  t.is(stage.marketplace.auctions.length, 1);
  t.is(stage.auction.priceKronor, 450);
  t.is(stage.listing.itemPriceOre, 45_040);
  t.true(stage.isSettled);
});

// --- the marketplace has done with the request

test('too many active auctions: the same request is not committed again, the next try is another draft', async (t) => {
  const stage = new ListingStage();
  stage.marketplace.faults.set('commit', 'result-too-many');
  await stage.work();
  t.like(stage.processing, { waitingFor: 'marketplace_active_limit', stage: 'publishing' });
  t.is(stage.item.marketplaceStatus, 'pending_sync');
  await stage.workAfterWait();
  const committed = stage.marketplace.callsOf('commit');
  t.is(committed.length, 2);
  t.is(new Set(committed).size, 2);
  t.is(committed[1], stage.auction.requestId);
  t.is(stage.item.listings.length, 1);
  t.deepEqual(stage.told, ['listing.failed MARKETPLACE_ACTIVE_LIMIT: no', 'listing.created']);
});

test('a publication that timed out is looked for by its id before another draft is made', async (t) => {
  const stage = new ListingStage();
  stage.marketplace.answer('commit', undefined);
  stage.marketplace.answer('readResult', { kind: 'timed_out', message: 'no time' });
  await stage.work();
  t.deepEqual(stage.marketplace.callsOf('readAuction').length, 1);
  t.like(stage.processing, { waitingFor: 'marketplace', lastError: 'MARKETPLACE_TIMEOUT: no time' });
  await stage.workAfterWait();
  t.is(stage.marketplace.auctions.length, 2);
  t.is(stage.listing.requestId, stage.auction.requestId);
  t.like(stage.item, { marketplaceStatus: 'active', wantedPublication: 1 });
});

test('a publication that timed out and is up nevertheless is live, and is not replaced', async (t) => {
  const stage = new ListingStage();
  stage.marketplace.answer('readResult', { kind: 'timed_out', message: 'no time' });
  await stage.work();
  t.deepEqual(stage.marketplace.callsOf('readRunning').length, 1);
  t.is(stage.listing.state, 'live');
  t.is(stage.marketplace.auctions.length, 1);
});

// --- an answer to the commit that says nothing

const odd = new MarketplaceError('outcome_unknown', 'HTTP 400 without words', { status: 400 });
const unreadable = new MarketplaceError('unavailable', 'no list', { status: 200 });

test('a refused commit whose auction is up is live: no answer to a commit is believed, and the auction is read', async (t) => {
  const stage = await aStageWithDraft();
  await stage.marketplace.commit({}, stage.listing.requestId ?? '');
  await stage.work();
  t.is(stage.listing.state, 'live');
  t.deepEqual(stage.told, ['listing.created']);
});

test('a commit that is not understood, and of which nothing can be read, may be up: that is told at once', async (t) => {
  const stage = await aStageWithDraft();
  stage.marketplace.answer('commit', odd);
  stage.marketplace.answer('readResult', unreadable, 2);
  await stage.work();
  t.like(stage.listing, { state: 'committing', mayBeCommitted: true });
  t.is(stage.processing.waitingFor, 'marketplace_unclear');
  t.is(stage.told.length, 1);
  t.regex(stage.told[0] ?? '', /^listing[.]failed PUBLICATION_UNCLEAR: the auction may be up as ad-1/);
  // The marketplace can be understood again, and says that the commit never arrived.
  await stage.workAfterWait();
  await stage.workAfterWait();
  t.is(stage.listing.state, 'live');
  t.is(stage.marketplace.auctions.length, 1);
});

test('a result that can not be read is told at once, even when the commit itself was taken', async (t) => {
  const stage = await aStageWithDraft();
  stage.marketplace.answer('readResult', unreadable, 2);
  await stage.work();
  t.is(stage.processing.waitingFor, 'marketplace_unclear');
  await stage.workAfterWait();
  t.is(stage.listing.state, 'live');
});

test('a commit without a result waits like any other, and after some looks the auction itself is read', async (t) => {
  const stage = new ListingStage();
  stage.marketplace.answer('readResult', { kind: 'none' }, Infinity);
  await stage.work();
  t.is(stage.processing.waitingFor, 'marketplace');
  t.deepEqual(stage.told, [], 'not told before five minutes');
  for (let looks = 0; looks < 3; looks += 1) await stage.workAfterWait();
  t.is(stage.listing.state, 'live');
});

test('an auction that is only readable is not up: drafts may be readable, too', async (t) => {
  const stage = await aStageWithDraft();
  stage.marketplace.answer('commit', odd);
  stage.marketplace.answer('readResult', { kind: 'refused', message: 'no' }, 2);
  const draft = { ...anAuction, adId: stage.listing.adId ?? '' };
  stage.marketplace.answer('readAuction', draft, 2);
  await stage.work();
  t.is(stage.listing.state, 'failed');
  t.deepEqual(stage.told, ['listing.failed LISTING_REFUSED: no']);
});

test('an auction with fewer pictures than were sent is live, and the operator is told which setting to look at', async (t) => {
  const stage = await aStageWithDraft();
  await stage.write((item) => changeNewestListing(item, { imageHashes: ['one', 'two'] }));
  await stage.work();
  t.is(stage.listing.state, 'live');
  t.deepEqual(stage.logged, ['auction.pictures_missing']);
});

test('a publication that is refused for its pictures tells the operator, too', async (t) => {
  const stage = await aStageWithDraft();
  stage.marketplace.answer('readResult', { kind: 'refused', message: 'pictures', imagesRefused: true }, 2);
  stage.marketplace.answer('readAuction', null, 2);
  await stage.work();
  t.deepEqual(stage.told, ['listing.failed LISTING_REFUSED: pictures']);
  t.deepEqual(stage.logged, ['auction.pictures_missing']);
});

// --- a draft on which the marketplace fails

const another = itemId('another');

const aStageOfServerErrors = (): ListingStage => {
  const stage = new ListingStage();
  stage.drafts.last = { itemId: another, madeAt: stage.now };
  const serverError = new MarketplaceError('outcome_unknown', 'HTTP 500', { status: 500 });
  stage.marketplace.createDraft = () => Promise.reject(serverError);
  return stage;
};

test('HTTP 500 for every draft is an outage of the marketplace, although others passed before it', async (t) => {
  const stage = aStageOfServerErrors();
  await stage.work();
  for (let tries = 0; tries < 6; tries += 1) await stage.workAfterWait();
  t.regex(stage.processing.lastError ?? '', /^MARKETPLACE_TIMEOUT/);
  t.deepEqual(stage.told, []);
});

test('a picture that the marketplace fails on is no fault of the draft, which it has just made', async (t) => {
  const set = firstImageSet(['https://erp.example/1.jpg']);
  const images = set.images.map((image) => ({ ...image, state: 'hosted' as const, contentHash: 'hash' }));
  const stage = new ListingStage(anItem({ imageSet: { ...set, announced: true, images } }));
  const serverError = new MarketplaceError('outcome_unknown', 'HTTP 500', { status: 500 });
  stage.marketplace.addImage = () => Promise.reject(serverError);
  await stage.work();
  for (let tries = 0; tries < 4; tries += 1) await stage.workAfterWait();
  t.regex(stage.processing.lastError ?? '', /^MARKETPLACE_TIMEOUT/);
  t.deepEqual(stage.told, []);
});

test('the third HTTP 500 for one draft while others pass names the draft, and is given up after a day', async (t) => {
  const stage = aStageOfServerErrors();
  await stage.work();
  await stage.workAfterWait();
  t.regex(stage.processing.lastError ?? '', /^MARKETPLACE_TIMEOUT/);
  stage.drafts.last = { itemId: another, madeAt: new Date(stage.nowMs + 1) };
  await stage.workAfterWait();
  t.regex(stage.processing.lastError ?? '', /^DRAFT_FAILS: .*shipping.*category/);
  for (let tries = 0; tries < 12 && stage.listing.state !== 'failed'; tries += 1) {
    const madeAt = new Date(Math.max(stage.nowMs + 1, stage.processing.notBefore?.getTime() ?? 0));
    stage.drafts.last = { itemId: another, madeAt };
    await stage.workAfterWait();
  }
  t.is(stage.listing.state, 'failed');
  t.deepEqual(
    stage.told.map((told) => told.split(':')[0]),
    ['listing.failed DRAFT_FAILS', 'listing.failed DRAFT_FAILS_GIVEN_UP'],
  );
});

// --- a commit that may still arrive

test('a prepared draft whose commit may be on its way is never given up, and goes up when the marketplace is back', async (t) => {
  const stage = new ListingStage();
  stage.marketplace.faults.set('commit', 'result-try-again');
  await stage.work();
  t.like(stage.listing, { state: 'prepared', mayBeCommitted: true });
  stage.marketplace.isDown = true;
  for (let tries = 0; tries < 400; tries += 1) await stage.workAfterWait();
  t.true(stage.nowMs - stage.item.createdAt.getTime() > 48 * 3_600_000);
  t.like(stage.listing, { state: 'prepared', mayBeCommitted: true });
  t.is(stage.item.marketplaceStatus, 'pending_sync');
  stage.marketplace.isDown = false;
  await stage.workAfterWait();
  t.is(stage.listing.state, 'live');
  t.is(stage.marketplace.auctions.length, 1);
});
