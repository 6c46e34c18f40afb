import test from 'ava';
import { itemWithStatus } from '../../features/items/rules/change-status.ts';
import { deletedItem } from '../../features/items/rules/delete-item.ts';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { MarketplaceError } from '../../gateways/marketplace/port.ts';
import { aCall } from '../support/an-item.ts';
import { aStageWithAuction, ListingStage } from './support/listing-stage.ts';

const hour = 3_600_000;

/** A price that has to wait for calls for twenty hours. */
async function aWaitingRevision(): Promise<ListingStage> {
  const stage = await aStageWithAuction();
  const usedUp = new MarketplaceError('budget_exhausted', 'used up', { retryAfterMs: 20 * hour });
  stage.marketplace.answer('setPrices', usedUp);
  await stage.write((item) => itemWithPrice(item, 50_000, aCall()));
  await stage.work();
  return stage;
}

test('a revision that waits twenty hours for calls says so', async (t) => {
  const stage = await aWaitingRevision();
  t.is(stage.processing.waitingFor, 'marketplace_budget');
  t.is((stage.processing.notBefore?.getTime() ?? 0) - stage.nowMs, 20 * hour);
});

const endings: readonly (readonly [name: string, change: (item: Item) => Item])[] = [
  ['DELETE', (item) => deletedItem(item, aCall(1))],
  ['not_listed', (item) => itemWithStatus(item, 'not_listed', aCall(1))],
  ['sold', (item) => itemWithStatus(item, 'sold', aCall(1))],
];
for (const [name, end] of endings) {
  test(`${name} takes the auction down at once, however long a revision of it still waits`, async (t) => {
    const stage = await aWaitingRevision();
    await stage.write(end);
    await stage.work();
    t.is(stage.listing.state, 'removed');
    t.is(stage.marketplace.auctions[0]?.state, 'removed');
    t.true(stage.isSettled);
  });
}

test('a wait whose work is no longer owed ends with it', async (t) => {
  const stage = await aWaitingRevision();
  await stage.write((item) => itemWithPrice(item, 45_000, aCall(1)));
  await stage.work();
  t.true(stage.isSettled);
  t.like(stage.processing, { stage: 'settled', waitingFor: null, lastError: null, notBefore: null });
});

test('not_listed ends the wait of a publication that was not begun', async (t) => {
  const stage = new ListingStage();
  stage.marketplace.faults.set('createDraft', 'budget');
  await stage.work();
  t.is(stage.processing.waitingFor, 'marketplace_budget');
  await stage.write((item) => itemWithStatus(item, 'not_listed', aCall(1)));
  await stage.work();
  t.true(stage.isSettled);
  t.like(stage.processing, { stage: 'settled', waitingFor: null, lastError: null });
});
