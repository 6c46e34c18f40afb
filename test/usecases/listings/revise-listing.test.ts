import test from 'ava';
import { acceptWrite } from '../../../core/items/owed-work.ts';
import { itemWithPrice } from '../../../core/items/change-item.ts';
import type { Item } from '../../../core/items/item.ts';
import { publishItem } from '../../../core/items/publish-item.ts';
import { updateItem } from '../../../core/items/upsert-item.ts';
import { reviseListing } from '../../../usecases/listings/revise-listing.ts';
import { aCall, anItem } from '../../support/an-item.ts';
import { anItemRequest } from '../../support/an-item-request.ts';
import { aStageWithAuction, ProcessDied, type ListingStage } from './support/listing-stage.ts';

/** The item with so many hosted images. */
const withImages = (count: number, item = anItem()): Item => ({
  ...item,
  contentNumber: item.contentNumber + 1,
  imageSet: {
    number: item.imageSet.number + 1,
    announced: true,
    images: Array.from({ length: count }, (_, n) => ({
      sourceUrl: `https://erp.example/${n}.jpg`,
      state: 'hosted',
      contentHash: `hash-${n}`,
      failure: null,
    })),
  },
});

const patch = (stage: ListingStage, priceOre: number): Promise<void> =>
  stage.write((item) => itemWithPrice(item, priceOre, aCall()));

// --- what was asked for by a process that died

for (const [name, title] of [
  ['a price', undefined],
  ['a text and a price', 'Annan rubrik'],
] as const) {
  test(`${name} asked for by a process that died before recording it is never believed: taken back, the auction goes back`, async (t) => {
    const stage = await aStageWithAuction();
    const push = (change: object) => stage.write((item) => updateItem(item, anItemRequest(change), aCall()));
    await push({ priceOre: 50_000, ...(title !== undefined && { title }) });
    stage.dieAfterNextCall();
    await t.throwsAsync(stage.work(), { instanceOf: ProcessDied });
    t.is(stage.auction.priceKronor, 500);
    await push({});
    await stage.work();
    t.like(stage.auction, { priceKronor: 450, title: 'Strålkastare Volvo V70' });
    t.true(stage.isSettled);
    t.is(stage.listing.change, null);
  });
}

test('a change whose request is known is looked up by whoever takes over, not asked for twice', async (t) => {
  const stage = await aStageWithAuction();
  await patch(stage, 50_000);
  stage.marketplace.answer('readChange', new ProcessDied());
  await t.throwsAsync(stage.work(), { instanceOf: ProcessDied });
  await stage.work();
  t.is(stage.marketplace.callsOf('setPrices').length, 1);
  t.is(stage.listing.itemPriceOre, 50_000);
  t.true(stage.isSettled);
});

test('an older change that is taken after a newer one makes the auction be asked once more: it ends at the item’s price', async (t) => {
  const stage = await aStageWithAuction();
  await patch(stage, 50_000);
  const call = stage.stallNextCall();
  await stage.work('revise');
  const stalled = reviseListing(stage.dependencies, { itemId: stage.item.id, publication: 1 });
  await call.isReached;
  await patch(stage, 70_000);
  await stage.work();
  t.is(stage.auction.priceKronor, 700);
  t.true(stage.isSettled);
  call.goOn();
  await stalled;
  t.is(stage.auction.priceKronor, 500);
  t.not(stage.item.due, null, 'somebody has to come back for it');
  await stage.work();
  t.is(stage.auction.priceKronor, 700);
  t.like(stage.item, { content: { priceOre: 70_000 }, marketplaceStatus: 'active' });
  t.true(stage.isSettled);
});

// --- refused

/** A revision that the marketplace refuses, while its look-up finds nothing of the auction. */
async function refusedAndNotFound(): Promise<ListingStage> {
  const stage = await aStageWithAuction();
  stage.marketplace.answer('findByOwnReference', [], Infinity);
  stage.marketplace.faults.set('change', 'result-refused');
  await patch(stage, 50_000);
  await stage.work();
  return stage;
}

test('a refused revision whose look-up finds nothing leaves the auction up in the document', async (t) => {
  const stage = await refusedAndNotFound();
  t.is(stage.listing.state, 'live');
  t.is(stage.item.marketplaceStatus, 'sync_error');
  t.deepEqual(stage.told, ['listing.failed REVISION_REFUSED: not allowed']);
  t.is(stage.auction.priceKronor, 450);
});

test('publish after a refused revision whose look-up finds nothing revises again and opens no second publication', async (t) => {
  const stage = await refusedAndNotFound();
  await stage.write((item) => publishItem(item, aCall(1)));
  await stage.work();
  t.is(stage.item.listings.length, 1);
  t.is(stage.marketplace.auctions.length, 1);
  t.is(stage.auction.priceKronor, 500);
  t.is(stage.item.marketplaceStatus, 'active');
});

test('the cause of a refused revision stays readable until a success', async (t) => {
  const stage = await refusedAndNotFound();
  t.like(stage.processing, { stage: 'given_up', waitingFor: null, lastError: 'REVISION_REFUSED: not allowed' });
  t.true(stage.isSettled);
  await patch(stage, 60_000);
  await stage.work();
  t.is(stage.auction.priceKronor, 600);
  t.like(stage.processing, { stage: 'settled', lastError: null });
});

test('sync_error goes back to active when the auction shows the item again, without a call', async (t) => {
  const stage = await refusedAndNotFound();
  const callsBefore = stage.marketplace.calls.length;
  await patch(stage, 45_000);
  await stage.work();
  t.is(stage.marketplace.calls.length, callsBefore);
  t.like(stage.item, { marketplaceStatus: 'active', processing: { stage: 'settled', lastError: null } });
  t.true(stage.isSettled);
});

// --- an answer that was lost before

test('after a lost answer and then a refusal nobody knows the price: asked for again, the old one is sent', async (t) => {
  const stage = await aStageWithAuction();
  stage.marketplace.faults.set('change', 'lost-after');
  await patch(stage, 50_000);
  await stage.work();
  stage.marketplace.faults.set('change', 'result-refused');
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

test('pictures are sent again when an older change with others was taken after a newer one', async (t) => {
  const stage = await aStageWithAuction(withImages(1));
  const show = (count: number) => stage.write((item) => acceptWrite(withImages(count, item), stage.now));
  t.is(stage.auction.images, 1);
  await show(3);
  const call = stage.stallNextCall();
  await stage.work('revise');
  const stalled = reviseListing(stage.dependencies, { itemId: stage.item.id, publication: 1 });
  await call.isReached;
  await show(2);
  await stage.work();
  call.goOn();
  await stalled;
  t.is(stage.auction.images, 3);
  await stage.work();
  t.is(stage.auction.images, 2);
  t.true(stage.isSettled);
});

test('pictures are sent again after two lost answers, the first of them for others', async (t) => {
  const stage = await aStageWithAuction(withImages(1));
  const show = (count: number) => stage.write((item) => acceptWrite(withImages(count, item), stage.now));
  stage.marketplace.faults.set('change', 'lost-after');
  await show(3);
  await stage.work();
  stage.marketplace.faults.set('change', 'lost-before');
  await show(1);
  await stage.workAfterWait();
  t.is(stage.auction.images, 3);
  await stage.workAfterWait();
  t.is(stage.auction.images, 1);
  t.true(stage.isSettled);
});

// --- bids after a lost answer

for (const [fault, shownOre] of [
  ['lost-after', 50_040],
  ['lost-before', 45_000],
] as const) {
  test(`after a lost answer (${fault}) and then bids, the item costs what the auction is seen at`, async (t) => {
    const stage = await aStageWithAuction();
    stage.marketplace.faults.set('change', fault);
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
  stage.marketplace.faults.set('change', 'lost-after');
  await patch(stage, 50_000);
  await stage.work();
  stage.marketplace.bid();
  await stage.workAfterWait();
  t.is(stage.item.content.priceOre, 50_000);
  t.is(stage.item.refusedPriceOre, null);
  t.true(stage.isSettled);
});
