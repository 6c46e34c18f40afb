import test from 'ava';
import type { ListingTerms } from '../../features/listings/rules/listing-terms.ts';
import { changeListingDefaults } from '../../features/listings/marketplace-connection.ts';
import { readItem } from '../../features/items/read-item.ts';
import { untilSettled } from '../support/until-settled.ts';
import { until } from '../support/until.ts';
import {
  callAdmin,
  startWorld,
  untilMarketplaceStatus,
  untilReceived,
  withWorld,
  type TestAccount,
  type World,
} from '../support/world.ts';
import { present } from '../support/clock.ts';

// The terms of an auction, from the push to the marketplace.

let world: World;
withWorld(test, (started) => (world = started));

const dayMs = 86_400_000;

interface Ad {
  readonly itemId: number;
  readonly startPrice: number;
  readonly state: string;
  readonly endsAt: string | null;
  readonly durationDays: number;
  readonly [field: string]: unknown;
}

/** Those that were ever committed, oldest first. */
const adsOf = async (account: TestAccount): Promise<Ad[]> =>
  ((await account.listings('A1')) as unknown as Ad[]).filter(({ state }) => state !== 'uncommitted');

async function aLiveItem(account: TestAccount, listing: ListingTerms | null): Promise<Ad> {
  await account.push('A1', { priceOre: 45_000, shippingCostOre: 9_900, listing }, { autoPublish: true });
  await untilMarketplaceStatus(account, 'A1', 'active');
  const [ad] = await adsOf(account);
  if (ad === undefined) throw new Error('not up');
  return ad;
}

test('terms of the item go before those of the account, and a later change of those leaves the auction alone', async (t) => {
  const account = await world.account();
  const shippingOptions = [{ optionId: 2, cost: 49 }];
  await changeListingDefaults(world.context, account.scope, { durationDays: 3, vatPercent: 25, shippingOptions });
  const ad = await aLiveItem(account, { durationDays: 10, buyNowPrice: 900, categoryId: 8_294 });
  const expected = {
    durationDays: 10,
    vat: 25,
    buyItNowPrice: 900,
    categoryId: 8_294,
    shippingOptions: [{ shippingOptionId: 2, cost: 49 }],
  };
  t.like(ad, expected);
  await changeListingDefaults(world.context, account.scope, { vatPercent: 6 });
  await account.push('A1', { title: 'Ny rubrik', priceOre: 45_000, listing: { buyNowPrice: 950 } });
  await until('the auction has the new terms', async () => (await adsOf(account))[0]?.['buyItNowPrice'] === 950);
  t.like((await adsOf(account))[0], { vat: 25, durationDays: 10 });
  const { pendingChanges = [] } = (await readItem(world.context, account.scope, 'A1')).item;
  t.true(pendingChanges.includes('title') && !pendingChanges.includes('listing.buyNowPrice'), String(pendingChanges));
});

test('an auction whose time was over without a winner goes up again by itself, cheaper, and then no more', async (t) => {
  const own = await startWorld();
  t.teardown(() => own.stop());
  const account = await own.account();
  const timeIsOver = () => callAdmin(`${own.marketplace.adminUrl}/clock`, 'POST', { advanceSeconds: 8 * 86_400 });
  const ad = await aLiveItem(account, { relist: { times: 1, priceStep: 50 } });
  const isSeen = async () => (await readItem(own.context, account.scope, 'A1')).item.auction?.seenAt;
  await until('a look has shown it', isSeen);
  await timeIsOver();
  const again = await until('a second ad', async () =>
    (await adsOf(account)).find(({ state, itemId }) => state === 'active' && itemId !== ad.itemId),
  );
  t.is(again.startPrice, 400);
  t.is((await account.status('A1')).status.price, 400);
  await untilReceived(account, 'listing.created', 2);
  await timeIsOver();
  await untilReceived(account, 'listing.ended', 2);
  await untilSettled(own, account, 'A1');
  t.is((await adsOf(account)).length, 2);
});

test('an auction that may not begin yet waits visibly, and goes up when its start is moved', async (t) => {
  const account = await world.account();
  const startsAt = present(dayMs).toISOString();
  await account.push('A1', { listing: { startsAt } }, { autoPublish: true });
  await until(
    'it waits',
    async () => (await readItem(world.context, account.scope, 'A1')).item.processing.waitingFor === 'start_time',
  );
  t.deepEqual(await adsOf(account), []);
  await account.push('A1', { listing: { startsAt: present(500).toISOString() } });
  await untilMarketplaceStatus(account, 'A1', 'active');
  t.is((await adsOf(account)).length, 1);
});

test('the marketplace’s own refusal of terms is told in its words', async (t) => {
  const account = await world.account();
  const shippingOptions = [1, 2, 4].map((optionId) => ({ optionId, cost: 10 }));
  await account.push('A1', { listing: { shippingOptions } }, { autoPublish: true });
  const [failed] = await untilReceived(account, 'listing.failed');
  t.regex(String(failed?.body.data['error']), /^LISTING_REFUSED: shippingOptions must have at most two entries/);
});
