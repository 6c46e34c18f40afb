import test from 'ava';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import { describeStatus } from '../../features/items/rules/describe-item.ts';
import { publishItem } from '../../features/items/rules/publish-item.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { sendPrice } from '../../features/listings/send-price.ts';
import { aCall } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { aStageWithAuction, ProcessDied, type ListingStage } from './support/listing-stage.ts';

const patch = (stage: ListingStage, priceOre: number): Promise<void> =>
  stage.write((item) => itemWithPrice(item, priceOre, aCall()));

// --- what was asked for by a process that died

test('a price asked for by a process that died before recording it is never believed: taken back, the auction goes back', async (t) => {
  const stage = await aStageWithAuction();
  await patch(stage, 50_000);
  stage.dieAfterNextCall();
  await t.throwsAsync(stage.work(), { instanceOf: ProcessDied });
  t.is(stage.auction.priceKronor, 500);
  await patch(stage, 45_000);
  await stage.work();
  t.is(stage.auction.priceKronor, 450);
  t.like(stage.listing, { askedPriceOre: null, itemPriceOre: 45_000 });
  t.true(stage.isSettled);
});

test('a price that the auction has already is read by the process that takes over, not sent again', async (t) => {
  const stage = await aStageWithAuction();
  await patch(stage, 50_000);
  stage.dieAfterNextCall();
  await t.throwsAsync(stage.work(), { instanceOf: ProcessDied });
  await stage.work();
  t.is(stage.marketplace.callsOf('setPrices').length, 1);
  t.is(stage.listing.itemPriceOre, 50_000);
  t.true(stage.isSettled);
});

test('an older price that is taken after a newer one is recorded, so the item’s price is sent once more', async (t) => {
  const stage = await aStageWithAuction();
  await patch(stage, 50_000);
  const call = stage.stallNextCall();
  await stage.work('send-price');
  const stalled = sendPrice(stage.dependencies, stage.publication(1));
  await call.isReached;
  await patch(stage, 70_000);
  await stage.work();
  t.is(stage.auction.priceKronor, 700);
  t.true(stage.isSettled);
  call.goOn();
  await stalled;
  t.is(stage.auction.priceKronor, 500);
  t.not(stage.item.startAt, null, 'work is owed again');
  await stage.work();
  t.is(stage.auction.priceKronor, 700);
  t.like(stage.item, { content: { priceOre: 70_000 }, marketplaceStatus: 'active' });
  t.true(stage.isSettled);
});

// --- only prices are sent

test('a text and a price: the price is sent, the text is kept for the next publication', async (t) => {
  const stage = await aStageWithAuction();
  await stage.write((item) => updateItem(item, anItemRequest({ title: 'Annan', priceOre: 50_000 }), aCall()));
  await stage.work();
  t.like(stage.auction, { priceKronor: 500, title: 'Strålkastare Volvo V70' });
  t.deepEqual(describeStatus(stage.item).pendingChanges, ['title']);
  t.true(stage.isSettled);
});

test('a text alone makes no call', async (t) => {
  const stage = await aStageWithAuction();
  const before = stage.marketplace.calls.length;
  await stage.write((item) => updateItem(item, anItemRequest({ title: 'Annan' }), aCall()));
  await stage.work();
  t.is(stage.marketplace.calls.length, before);
  t.true(stage.isSettled);
});

// --- refused

/** A price that the marketplace refuses without bids. */
async function refused(): Promise<ListingStage> {
  const stage = await aStageWithAuction();
  stage.marketplace.faults.set('setPrices', 'result-refused');
  await patch(stage, 50_000);
  await stage.work();
  return stage;
}

test('a refused price leaves the auction up in the document', async (t) => {
  const stage = await refused();
  t.is(stage.listing.state, 'live');
  t.is(stage.item.marketplaceStatus, 'sync_error');
  t.deepEqual(stage.told, ['listing.failed PRICE_REFUSED: not allowed']);
  t.is(stage.auction.priceKronor, 450);
});

test('publish after a refused price sends it again and opens no second publication', async (t) => {
  const stage = await refused();
  await stage.write((item) => publishItem(item, aCall(1)));
  await stage.work();
  t.is(stage.item.listings.length, 1);
  t.is(stage.marketplace.auctions.length, 1);
  t.is(stage.auction.priceKronor, 500);
  t.is(stage.item.marketplaceStatus, 'active');
});

test('the cause of a refused price stays readable until a success', async (t) => {
  const stage = await refused();
  t.like(stage.processing, { stage: 'given_up', waitingFor: null, lastError: 'PRICE_REFUSED: not allowed' });
  t.true(stage.isSettled);
  await patch(stage, 60_000);
  await stage.work();
  t.is(stage.auction.priceKronor, 600);
  t.like(stage.processing, { stage: 'settled', lastError: null });
});

test('sync_error goes back to active when the auction has the item’s price again, without a call', async (t) => {
  const stage = await refused();
  const callsBefore = stage.marketplace.calls.length;
  await patch(stage, 45_000);
  await stage.work();
  t.is(stage.marketplace.calls.length, callsBefore);
  t.like(stage.item, { marketplaceStatus: 'active', processing: { stage: 'settled', lastError: null } });
  t.true(stage.isSettled);
});

// --- an answer that was lost before

test('after a lost answer and then a refusal the auction’s price is known: asked for again, the old one is sent', async (t) => {
  const stage = await aStageWithAuction();
  stage.marketplace.faults.set('setPrices', 'lost-after');
  await patch(stage, 50_000);
  await stage.work();
  stage.marketplace.faults.set('setPrices', 'result-refused');
  await patch(stage, 60_000);
  await stage.workAfterWait();
  t.like(stage.item, { marketplaceStatus: 'sync_error', processing: { stage: 'given_up' } });
  t.is(stage.auction.priceKronor, 500);
  await patch(stage, 45_000);
  await stage.work();
  t.is(stage.auction.priceKronor, 450);
  t.like(stage.item, { marketplaceStatus: 'active', content: { priceOre: 45_000 } });
  t.true(stage.isSettled);
});

// --- bids after a lost answer

for (const [fault, shownOre] of [
  ['lost-after', 50_040],
  ['lost-before', 45_000],
] as const) {
  test(`after a lost answer (${fault}) and then bids, the item costs what the auction is seen at`, async (t) => {
    const stage = await aStageWithAuction();
    stage.marketplace.faults.set('setPrices', fault);
    await patch(stage, 50_040);
    t.is((await stage.work()).kind, 'wait');
    stage.marketplace.bid();
    await patch(stage, 60_000);
    await stage.workAfterWait();
    t.is(stage.item.content.priceOre, shownOre);
    t.is(stage.item.refusedPriceOre, 60_000);
    t.is(stage.listing.itemPriceOre, shownOre);
    t.deepEqual(stage.told, [
      `listing.failed PRICE_REFUSED_BIDS: the auction has bids, so its price stays ${shownOre / 100} SEK`,
    ]);
    t.true(stage.isSettled);
  });
}

test('a price whose answer was lost and that the auction has is not called refused when bids come', async (t) => {
  const stage = await aStageWithAuction();
  stage.marketplace.faults.set('setPrices', 'lost-after');
  await patch(stage, 50_000);
  await stage.work();
  stage.marketplace.bid();
  await stage.workAfterWait();
  t.is(stage.item.content.priceOre, 50_000);
  t.is(stage.item.refusedPriceOre, null);
  t.true(stage.isSettled);
});

test('an auction that is over takes no price: the look at the seller tells how it ended, and nothing is called refused', async (t) => {
  const stage = await aStageWithAuction();
  stage.marketplace.end();
  await patch(stage, 50_000);
  await stage.work();
  t.like(stage.processing, { waitingFor: 'auction_end' });
  t.deepEqual(stage.told, []);
});
