import { readdirSync } from 'node:fs';
import test from 'ava';
import { runOf } from '../support/run-of.ts';
import { until } from '../support/until.ts';
import { callAdmin, untilMarketplaceStatus, untilReceived, withWorld, type World } from '../support/world.ts';
import {
  removeMarketplaceConnection,
  setMarketplaceConnection,
} from '../../features/listings/marketplace-connection.ts';

let world: World;
withWorld(test, (started) => (world = started));

const pictures = readdirSync('examples/catalogue/images');
const image = (n: number): string => `${world.images.url}/${pictures[n] ?? ''}`;

// specification: none-put-with-a, active-at-once-without, platform-service-for-item
test('an item without images is active and its creation is told', async (t) => {
  const account = await world.account();
  await account.push('A1');
  const [created] = await untilReceived(account, 'item.created');
  t.like(created?.body.data, {
    externalId: 'A1',
    type: 'item',
    platform: 'service',
    salePrice: 0,
    currency: 'SEK',
    sequence: 1,
  });
  t.is((await account.status('A1')).status.serviceStatus, 'active');
});

// specification: failed-image-download, stays-draft-when-every, item-images-ready-imagesprocessed, all-images-failed
test('an item whose every image fails stays a draft, says which and why, and is published once they are mended', async (t) => {
  const account = await world.account();
  const missing = `${world.images.url}/missing.jpg`;
  await account.push('A1', { imageUrls: [missing] }, { autoPublish: true });
  const [ready] = await untilReceived(account, 'item.images_ready');
  t.is(ready?.body.data['imagesProcessed'], 0);
  t.deepEqual(
    ((ready?.body.data['imagesFailed'] ?? []) as { url: string }[]).map(({ url }) => url),
    [missing],
  );
  const [failed] = await untilReceived(account, 'listing.failed');
  t.regex(String(failed?.body.data['error']), /^IMAGES_FAILED/);
  t.is((await account.status('A1')).status.serviceStatus, 'draft');
  await account.push('A1', { imageUrls: [image(0)] });
  await untilMarketplaceStatus(account, 'A1', 'active');
  t.is((await account.listings('A1'))[0]?.imageCount, 1);
});

// specification: equal-content-changes-nothing
test('the same content twice is unchanged and starts no workflow', async (t) => {
  const account = await world.account();
  const content = { imageUrls: [image(0)] };
  const { itemId } = await account.push('A1', content);
  await until('its run is over', async () => (await runOf(world, itemId)) === 'COMPLETED');
  const again = await account.push('A1', content);
  t.deepEqual({ itemId: again.itemId, outcome: again.outcome }, { itemId, outcome: 'unchanged' });
  t.is(await runOf(world, itemId), 'COMPLETED');
  const runs = world.foundation.client.workflow.list({ query: `WorkflowId = "item:${itemId}"` });
  const started: string[] = [];
  for await (const run of runs) started.push(run.runId);
  t.is(started.length, 1);
});

for (const [name, fault] of Object.entries({
  'the answer to the draft is lost': { method: 'POST', path: '/listings/items$', mode: 'drop-after', times: 1 },
  'an image upload is lost': { method: 'POST', path: '/images$', mode: 'drop-after', times: 1 },
  'the answer to the commit is lost': { method: 'POST', path: '/commit$', mode: 'drop-after', times: 1 },
  'the commit never arrives': { method: 'POST', path: '/commit$', mode: 'drop-before', times: 1 },
  'the commit times out after the work was done': {
    method: 'POST',
    path: '/commit$',
    mode: 'delay',
    delayMs: 2_500,
    times: 1,
  },
  'the commit answers 500': { method: 'POST', path: '/commit$', mode: 'status', status: 500, times: 1 },
  'the result is unreadable': { method: 'GET', path: '/request-results', mode: 'garbage', times: 1 },
})) {
  // specification: time-out-of-the
  test.serial(`one listing when ${name}`, async (t) => {
    const account = await world.account();
    const { id } = await callAdmin<{ id: string }>(`${world.marketplace.adminUrl}/faults`, 'POST', fault);
    await account.push('A1', { imageUrls: [image(0), image(1)] }, { autoPublish: true });
    await untilMarketplaceStatus(account, 'A1', 'active');
    const { faults } = await callAdmin<{ faults: { id: string }[] }>(`${world.marketplace.adminUrl}/faults`);
    t.false(
      faults.some((left) => left.id === id),
      'the fault was played to its end',
    );
    const listings = (await account.listings('A1')).filter(({ state }) => state !== 'uncommitted');
    t.is(listings.length, 1);
    t.is(listings[0]?.imageCount, 2);
    t.is((await untilReceived(account, 'listing.created')).length, 1);
    t.is((await account.received('listing.failed')).length, 0);
  });
}

test('a commit that the marketplace asks to try again is committed again, not made anew', async (t) => {
  const account = await world.account();
  const results = { ownReference: 'again-1', codes: ['TryAgain', 'ImageProcessingError'], times: 2 };
  await callAdmin(`${world.marketplace.adminUrl}/results`, 'POST', results);
  await account.push('again-1', {}, { autoPublish: true });
  await untilMarketplaceStatus(account, 'again-1', 'active');
  t.is((await account.listings('again-1')).length, 1);
});

test('a wait whose reason changed says so: a wrong token is no missing connection, and none is no wrong token', async (t) => {
  const account = await world.account({ connected: false });
  await account.push('A1', {}, { autoPublish: true });
  const items = world.foundation.store.connection.collection('items');
  const untilWaitingFor = (waitingFor: string, lastError: RegExp) =>
    until(`A1 waits for ${waitingFor}`, () =>
      items.findOne({
        accountId: account.id,
        'processing.waitingFor': waitingFor,
        'processing.lastError': lastError,
      }),
    );
  await untilWaitingFor('marketplace_connection', /^MARKETPLACE_NOT_CONNECTED: /);
  await setMarketplaceConnection(world.context, account.scope, { marketplaceUserId: account.id, token: 'hittepa' });
  await untilWaitingFor('marketplace_reconnection', /^MARKETPLACE_TOKEN_EXPIRED: /);
  await removeMarketplaceConnection(world.context, account.scope);
  await untilWaitingFor('marketplace_connection', /^MARKETPLACE_NOT_CONNECTED: /);
  t.deepEqual(
    (await account.received('listing.failed')).map(({ body }) => String(body.data['error']).split(':')[0]).toSorted(),
    ['MARKETPLACE_NOT_CONNECTED', 'MARKETPLACE_TOKEN_EXPIRED'],
  );
});

// specification: reconnecting-retries-what-an
test('what goes up is the item as it is when the account is connected, not as it was pushed first', async (t) => {
  const account = await world.account({ connected: false });
  await account.push('A1', { priceOre: 10_000 }, { autoPublish: true });
  const [failed] = await untilReceived(account, 'listing.failed');
  t.regex(String(failed?.body.data['error']), /^MARKETPLACE_NOT_CONNECTED: /);
  await account.push('A1', { priceOre: 50_000, imageUrls: [image(0)] });
  await account.connect();
  await untilMarketplaceStatus(account, 'A1', 'active');
  t.like((await account.listings('A1'))[0], { startPrice: 500, imageCount: 1 });
});

test('a sale during a disconnection is learnt of after the next connection', async (t) => {
  const account = await world.account();
  await account.push('A1', {}, { autoPublish: true });
  await untilMarketplaceStatus(account, 'A1', 'active');
  const adUrl = `${world.marketplace.adminUrl}/listings/${(await account.status('A1')).status.marketplaceAdId ?? ''}`;
  await removeMarketplaceConnection(world.context, account.scope);
  await callAdmin(`${adUrl}/bids`, 'POST', { amount: 725 });
  await callAdmin(`${adUrl}/end`, 'POST');
  await account.connect();
  await untilReceived(account, 'item.sold');
  t.is((await account.status('A1')).status.serviceStatus, 'sold');
});

// specification: any-put-with-an-existing, ended-closed-without-a, listing-ended-only-when
test('an auction that ends without a bid is told once and is not put up again by itself', async (t) => {
  const account = await world.account();
  await account.push('A1', {}, { autoPublish: true });
  await untilMarketplaceStatus(account, 'A1', 'active');
  const { marketplaceAdId } = (await account.status('A1')).status;
  await callAdmin(`${world.marketplace.adminUrl}/listings/${marketplaceAdId ?? ''}/end`, 'POST');
  const [ended] = await untilReceived(account, 'listing.ended');
  t.like(ended?.body.data, { marketplaceAdId, salePrice: 0 });
  await account.push('A1', { title: 'Ny rubrik' });
  t.is((await account.status('A1')).status.marketplaceStatus, 'ended');
  t.is((await account.listings('A1')).length, 1);
});

// specification: item-images-ready-once, data-sequence-only-grows
test('events of an item carry a sequence that only grows', async (t) => {
  const account = await world.account();
  await account.push('A1', { imageUrls: [image(0)] }, { autoPublish: true });
  // Deliveries of different events may arrive in any order.
  for (const type of ['item.created', 'item.images_ready', 'listing.created']) await untilReceived(account, type);
  const bySequence = (await account.received()).toSorted(
    (one, other) => one.body.data.sequence - other.body.data.sequence,
  );
  t.deepEqual(
    bySequence.map(({ body }) => [body.eventType, body.data.sequence]),
    [
      ['item.created', 1],
      ['item.images_ready', 2],
      ['listing.created', 3],
    ],
  );
});
