import test from 'ava';
import { itemWithPrice, itemWithStatus } from '../../../core/items/change-item.ts';
import { updateItem } from '../../../core/items/upsert-item.ts';
import { goLive } from '../../../usecases/listings/go-live.ts';
import { aCall } from '../../support/an-item.ts';
import { anItemRequest } from '../../support/an-item-request.ts';
import { ListingStage } from './support/listing-stage.ts';

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
    await goLive(stage.dependencies, { itemId: stage.item.id, publication: 1 });
    t.deepEqual(stage.marketplace.callsOf('commit'), []);
    await stage.work();
    t.is(stage.auction.priceKronor, 900);
    t.deepEqual(stage.marketplace.callsOf('commit'), [stage.auction.requestId]);
    t.is(stage.listing.changeNumber, 0);
  });
}

test('a draft of what nobody wants any more is not committed', async (t) => {
  const stage = await aStageWithDraft();
  await stage.write((item) => itemWithStatus(item, 'not_listed', aCall()));
  await goLive(stage.dependencies, { itemId: stage.item.id, publication: 1 });
  t.deepEqual(stage.marketplace.callsOf('commit'), []);
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

/** The marketplace takes the commit and says that its time is over; what it did about it is nothing, unless `isUp`. */
function aStageThatTimesOut({ isUp }: { isUp: boolean }): ListingStage {
  const stage = new ListingStage();
  if (!isUp) stage.marketplace.answer('commit', undefined);
  stage.marketplace.answer('readOutcome', { kind: 'timed_out', message: 'no time' });
  return stage;
}
const afterwards = ({ marketplace }: ListingStage): string[] =>
  marketplace.calls.map(({ method }) => method).filter((method) => method !== 'commit' && method !== 'readOutcome');

test('a publication that timed out is looked up and taken away before another draft is made', async (t) => {
  const stage = aStageThatTimesOut({ isUp: false });
  await stage.work();
  t.deepEqual(afterwards(stage), ['findByOwnReference', 'remove']);
  t.is(stage.marketplace.auctions[0]?.state, 'removed');
  t.like(stage.processing, { waitingFor: 'marketplace', lastError: 'MARKETPLACE_TIMEOUT: no time' });
  await stage.workAfterWait();
  t.is(stage.marketplace.auctions.length, 2);
  t.is(stage.listing.requestId, stage.auction.requestId);
  t.like(stage.item, { marketplaceStatus: 'active', wantedPublication: 1 });
});

test('a publication that timed out and is up nevertheless is live, and is not taken away', async (t) => {
  const stage = aStageThatTimesOut({ isUp: true });
  await stage.work();
  t.deepEqual(afterwards(stage), ['findByOwnReference']);
  t.is(stage.listing.state, 'live');
  t.is(stage.marketplace.auctions.length, 1);
});

test('a publication that timed out and already has bids is looked for again, never replaced', async (t) => {
  const stage = aStageThatTimesOut({ isUp: true });
  // It shows up between the look and the removal.
  stage.marketplace.answer('findByOwnReference', []);
  stage.marketplace.answer('remove', 'has_bids');
  await stage.work();
  t.is(stage.listing.state, 'committing');
  t.is(stage.processing.waitingFor, 'marketplace');
  await stage.workAfterWait();
  t.is(stage.listing.state, 'live');
  t.is(stage.marketplace.auctions.length, 1);
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
