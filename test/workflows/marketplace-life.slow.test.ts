import { readdirSync } from 'node:fs';
import test from 'ava';
import { untilSettled } from '../support/until-settled.ts';
import { until } from '../support/until.ts';
import {
  callAdmin,
  untilMarketplaceStatus,
  untilReceived,
  withWorld,
  type MarketplaceListing,
  type ReceivedWebhook,
  type TestAccount,
  type World,
} from '../support/world.ts';

// What becomes of an auction after it went live: changes, bids, take-down, relist, delete and re-creation, sale and payment.

let world: World;
withWorld(test, (started) => (world = started));

const pictures = readdirSync('examples/catalogue/images');
const image = (n: number): string => `${world.images.url}/${pictures[n] ?? ''}`;
const admin = (path: string, body?: object): Promise<Record<string, unknown>> =>
  callAdmin(`${world.marketplace.adminUrl}${path}`, 'POST', body);

type Ad = MarketplaceListing & { readonly userId: string; readonly description: string };

/** Every ad that the account ever had for the external id, whatever item it was for; oldest first. */
async function ads(account: TestAccount, externalId: string): Promise<Ad[]> {
  const url = `${world.marketplace.adminUrl}/listings?ownReference=${encodeURIComponent(externalId)}`;
  const { listings } = await callAdmin<{ listings: Ad[] }>(url);
  return listings.filter(({ userId, state }) => userId === account.id && state !== 'uncommitted');
}

const activeAds = async (account: TestAccount, externalId: string): Promise<Ad[]> =>
  (await ads(account, externalId)).filter(({ state }) => state === 'active' || state === 'waiting');

const untilFailed = (account: TestAccount, code: string): Promise<ReceivedWebhook> =>
  until(code, async () =>
    (await account.received('listing.failed')).find(({ body }) => String(body.data['error']).startsWith(`${code}: `)),
  );

async function aLiveItem(account: TestAccount, content: Parameters<TestAccount['push']>[1] = {}): Promise<Ad> {
  await account.push('A1', content, { autoPublish: true });
  await untilMarketplaceStatus(account, 'A1', 'active');
  const [ad] = await activeAds(account, 'A1');
  if (ad === undefined) throw new Error('not up');
  return ad;
}

const bid = (ad: Ad, amount = 725): Promise<unknown> => admin(`/listings/${ad.itemId}/bids`, { amount });
const end = (ad: Ad): Promise<unknown> => admin(`/listings/${ad.itemId}/end`);
const statusOf = async (account: TestAccount) => (await account.status('A1')).status;

test('an auction that its seller restarts at the marketplace is the next publication: asking for one makes no second auction', async (t) => {
  const account = await world.account();
  const ad = await aLiveItem(account);
  await end(ad);
  await untilMarketplaceStatus(account, 'A1', 'ended');
  await admin(`/listings/${ad.itemId}/restart`);
  await until('the restarted auction is up', async () => (await activeAds(account, 'A1'))[0]?.state === 'active');
  await account.publish('A1');
  await untilMarketplaceStatus(account, 'A1', 'active');
  const [, again, ...others] = await ads(account, 'A1');
  t.deepEqual(others, []);
  if (again === undefined) throw new Error('it was not restarted');
  const created = await until('both are told', async () => {
    const told = await account.received('listing.created');
    return told.length === 2 && told;
  });
  t.is(created[1]?.body.data['marketplaceAdId'], String(again.itemId));
  await bid(again);
  await end(again);
  await untilMarketplaceStatus(account, 'A1', 'sold');
  t.is((await account.received('item.sold')).length, 1);
});

// specification: active-patch-price-propagated
test('a hundred prices in a second are few calls, and the last one is everywhere', async (t) => {
  const account = await world.account();
  const ad = await aLiveItem(account, { priceOre: 10_000 });
  const before = await priceCalls();
  await Promise.all(Array.from({ length: 100 }, (_, n) => account.changePrice('A1', 20_000 + n * 100)));
  const { price } = await statusOf(account);
  await until('the auction has the last one', async () => (await ads(account, 'A1'))[0]?.startPrice === price);
  await untilSettled(world, account, 'A1');
  t.is((await ads(account, 'A1'))[0]?.itemId, ad.itemId);
  const calls = (await priceCalls()) - before;
  t.true(calls >= 1 && calls <= 30, `${calls} calls`);
  t.log(`100 price changes: ${calls} calls to the marketplace`);
});

async function priceCalls(): Promise<number> {
  const { calls } = await callAdmin<{ calls: unknown[] }>(
    `${world.marketplace.adminUrl}/calls?path=/items/(prices|[0-9]*/price)$`,
  );
  return calls.length;
}

// specification: active-patch-price-with, price-update-rejected-because, refused-because-of-bids
// specification: refused-because-of-bids-listing
test('a price refused because of bids goes back, is told once, and sent again is unchanged', async (t) => {
  const account = await world.account();
  const ad = await aLiveItem(account, { priceOre: 10_000 });
  await bid(ad);
  await account.changePrice('A1', 5_000);
  await untilFailed(account, 'PRICE_REFUSED_BIDS');
  t.like(await statusOf(account), { price: 100, marketplaceStatus: 'active' });
  await untilSettled(world, account, 'A1');
  t.is((await account.changePrice('A1', 5_000)).outcome, 'unchanged');
  t.is((await account.push('A1', { priceOre: 5_000 })).outcome, 'unchanged');
  t.is((await ads(account, 'A1'))[0]?.startPrice, 100);
  t.is((await account.received('listing.failed')).length, 1);
});

// specification: any-patch-not-listed-the, ended-taken-down, publish-active-publishes-not, listing-ended-only-when
test('not_listed takes the auction down without listing.ended; publish puts up another', async (t) => {
  const account = await world.account();
  const ad = await aLiveItem(account);
  await account.changeStatus('A1', 'not_listed');
  await untilMarketplaceStatus(account, 'A1', 'ended');
  t.is((await statusOf(account)).serviceStatus, 'not_listed');
  t.is((await ads(account, 'A1'))[0]?.state, 'removed');
  await untilSettled(world, account, 'A1');
  await account.publish('A1');
  await untilMarketplaceStatus(account, 'A1', 'active');
  t.is((await statusOf(account)).serviceStatus, 'active');
  const [next, ...more] = await activeAds(account, 'A1');
  t.not(next?.itemId, ad.itemId);
  t.deepEqual(more, []);
  t.is((await untilReceived(account, 'listing.created', 2)).length, 2);
  t.deepEqual(await account.received('listing.ended'), []);
});

// specification: any-patch-sold-the, patch-sold-of-a, patch-sold-sends-no
test('sold elsewhere takes the auction down and sends no item.sold', async (t) => {
  const account = await world.account();
  await aLiveItem(account);
  await account.changeStatus('A1', 'sold');
  await untilMarketplaceStatus(account, 'A1', 'ended');
  t.is((await statusOf(account)).serviceStatus, 'sold');
  t.deepEqual(await activeAds(account, 'A1'), []);
  await untilSettled(world, account, 'A1');
  t.deepEqual(await account.received('item.sold'), []);
});

// specification: refused-because-of-bids-listing
test('bids hold a take-down: told once, shown as active, and a winner is still an order', async (t) => {
  const account = await world.account();
  const ad = await aLiveItem(account);
  await bid(ad, 900);
  await account.changeStatus('A1', 'not_listed');
  await untilFailed(account, 'TAKEDOWN_REFUSED_BIDS');
  t.like(await statusOf(account), { serviceStatus: 'not_listed', marketplaceStatus: 'active' });
  await end(ad);
  const [sold] = await untilReceived(account, 'item.sold');
  t.is(sold?.body.data['salePrice'], 900);
  t.like(await statusOf(account), { serviceStatus: 'sold', marketplaceStatus: 'sold' });
  t.is((await account.received('listing.failed')).length, 1);
});

// specification: any-delete-the-active, the-old-listing-is, data-sequence-only-grows
test('a deleted item is gone at once, its auction follows, and its id makes a new item whose sequence is higher', async (t) => {
  const account = await world.account();
  const ad = await aLiveItem(account);
  const { serviceItemId } = await statusOf(account);
  await account.remove('A1');
  await t.throwsAsync(account.status('A1'), { message: /No item/ });
  const again = await account.push('A1', {}, { autoPublish: true });
  t.not(again.itemId, serviceItemId);
  await untilMarketplaceStatus(account, 'A1', 'active');
  const all = await ads(account, 'A1');
  t.is(all.find(({ itemId }) => itemId === ad.itemId)?.state, 'removed');
  t.is((await activeAds(account, 'A1')).length, 1);
  const events = await untilReceived(account, 'listing.created', 2);
  const [first, second] = events.map(({ body }) => body.data.sequence);
  t.true((second ?? 0) > (first ?? 0));
});

// specification: the-old-listing-is
test('a new item waits, visibly, while the auction of the deleted one has bids, and goes up after its end', async (t) => {
  const account = await world.account();
  const ad = await aLiveItem(account);
  await bid(ad);
  await account.remove('A1');
  await account.push('A1', { title: 'Den nya' }, { autoPublish: true });
  await untilFailed(account, 'TAKEDOWN_REFUSED_BIDS');
  const items = world.foundation.store.connection.collection('items');
  await until('the new one waits', async () =>
    items.findOne({ accountId: account.id, current: true, 'processing.waitingFor': 'previous_listing' }),
  );
  t.is((await activeAds(account, 'A1')).length, 1);
  await end(ad);
  await untilMarketplaceStatus(account, 'A1', 'active');
  t.is((await activeAds(account, 'A1'))[0]?.title, 'Den nya');
  await untilReceived(account, 'item.sold');
  const old = await items.findOne({ accountId: account.id, current: false });
  t.like(old, { serviceStatus: 'archived', removedAt: null });
});

test('deleted while it is being published, nothing stays up', async (t) => {
  const account = await world.account();
  await admin('/faults', { method: 'POST', path: '/commit$', mode: 'delay', delayMs: 400, times: 1 });
  await account.push('A1', {}, { autoPublish: true });
  await until('it is being committed', async () =>
    world.foundation.store.connection
      .collection('items')
      .findOne({ accountId: account.id, 'listings.state': { $in: ['committing', 'live'] } }),
  );
  await account.remove('A1');
  await untilSettled(world, account, 'A1');
  t.deepEqual(await activeAds(account, 'A1'), []);
});

test.serial(
  'deleted after the commit was lost on its way, its draft is watched until that can’t arrive any more',
  async (t) => {
    const account = await world.account();
    await admin('/faults', { method: 'POST', path: '/commit$', mode: 'drop-before', times: 1 });
    await account.push('A1', {}, { autoPublish: true });
    const items = world.foundation.store.connection.collection('items');
    await until('it is being committed', async () =>
      items.findOne({ accountId: account.id, 'listings.mayBeCommitted': true }),
    );
    await account.remove('A1');
    await until('it waits for the lost call', async () =>
      items.findOne({ accountId: account.id, 'processing.lastError': /may still arrive/ }),
    );
    t.deepEqual(await activeAds(account, 'A1'), []);
  },
);

// specification: expired-token-the-partner, reconnecting-retries-what-an
test('an expired token makes a price wait until the account is connected again', async (t) => {
  const account = await world.account();
  const ad = await aLiveItem(account, { priceOre: 10_000 });
  await admin(`/users/${account.id}/expire-token`);
  await account.changePrice('A1', 30_000);
  await untilFailed(account, 'MARKETPLACE_TOKEN_EXPIRED');
  t.like(await statusOf(account), { price: 300, marketplaceStatus: 'active' });
  await account.connect();
  await until('the auction has it', async () => (await ads(account, 'A1'))[0]?.startPrice === 300);
  t.is((await ads(account, 'A1'))[0]?.itemId, ad.itemId);
});

// specification: patch-not-listed-or
test('not_listed on a draft calls its publication off, and its images do not bring it back', async (t) => {
  const account = await world.account();
  const gone = `${world.images.url}/gone.jpg`;
  await account.push('A1', { imageUrls: [gone] }, { autoPublish: true });
  await untilReceived(account, 'item.images_ready');
  await account.changeStatus('A1', 'not_listed');
  await account.push('A1', { imageUrls: [image(0)] });
  await untilReceived(account, 'item.images_ready', 2);
  await untilSettled(world, account, 'A1');
  t.like(await statusOf(account), { serviceStatus: 'not_listed', marketplaceStatus: 'pending_sync' });
  t.deepEqual(await ads(account, 'A1'), []);
});

// specification: publish-a-draft-waits
test('publish puts up what was pushed without autoPublish, also while its images are still to come', async (t) => {
  const account = await world.account();
  await account.push('A1', { imageUrls: [image(0)] });
  await account.publish('A1');
  await untilMarketplaceStatus(account, 'A1', 'active');
  t.is((await account.publish('A1')).outcome, 'unchanged');
  t.is((await ads(account, 'A1')).length, 1);
});

for (const [name, fault] of Object.entries({
  'the answer to a price is lost': { method: 'PUT', path: '/items/prices$', mode: 'drop-after', times: 1 },
  'a price never arrives': { method: 'PUT', path: '/items/prices$', mode: 'drop-before', times: 1 },
  'a price is answered with 500': { method: 'PUT', path: '/items/prices$', mode: 'status', status: 500, times: 1 },
})) {
  test.serial(`the auction has the new price although ${name}`, async (t) => {
    const account = await world.account();
    await aLiveItem(account, { priceOre: 10_000 });
    await admin('/faults', fault);
    await account.changePrice('A1', 44_000);
    await until('the auction has it', async () => (await ads(account, 'A1'))[0]?.startPrice === 440);
    await untilSettled(world, account, 'A1');
    t.like(await statusOf(account), { price: 440, marketplaceStatus: 'active' });
    t.deepEqual(await account.received('listing.failed'), []);
  });
}

for (const [name, fault] of Object.entries({
  'the answer to the take-down is lost': { method: 'DELETE', path: '/items/', mode: 'drop-after', times: 1 },
  'the take-down never arrives': { method: 'DELETE', path: '/items/', mode: 'drop-before', times: 1 },
  'the take-down times out': { method: 'DELETE', path: '/items/', mode: 'delay', delayMs: 2_500, times: 1 },
})) {
  // specification: time-out-of-the
  test.serial(`the auction comes down although ${name}`, async (t) => {
    const account = await world.account();
    await aLiveItem(account);
    await admin('/faults', fault);
    await account.changeStatus('A1', 'not_listed');
    await untilMarketplaceStatus(account, 'A1', 'ended');
    await untilSettled(world, account, 'A1');
    t.deepEqual(await activeAds(account, 'A1'), []);
    t.deepEqual(await account.received('listing.ended'), []);
  });
}
