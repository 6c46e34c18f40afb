import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { AccountId } from '../../features/rules/ids.ts';
import { accountIdKey } from '../../workflows/contracts/search-attributes.ts';
import { until } from '../support/until.ts';
import { untilSettled } from '../support/until-settled.ts';
import { callAdmin, untilMarketplaceStatus, withWorld, type TestAccount, type World } from '../support/world.ts';
import { aPair, type Pair } from './support/a-pair.ts';
import { setMarketplaceConnection } from '../../features/listings/marketplace-connection.ts';

// What leaves the database for two members whose items have the same external ids: workflows, image files, auctions, sales.

let world: World;
withWorld(test, (started) => (world = started));

const [picture = ''] = readdirSync('examples/catalogue/images');
const admin = (path: string, body?: object): Promise<unknown> =>
  callAdmin(`${world.marketplace.adminUrl}${path}`, 'POST', body);
const itemIdOf = async (account: TestAccount, externalId: string): Promise<string> =>
  (await account.status(externalId)).status.serviceItemId;

async function adOf(account: TestAccount, externalId: string): Promise<string> {
  await untilMarketplaceStatus(account, externalId, 'active');
  return (await account.status(externalId)).status.marketplaceAdId ?? '';
}

test('each member’s item has a workflow of its own, found by its account and external id', async (t) => {
  const { first, second } = await aPair(world);
  const content = { imageUrls: [`${world.images.url}/${picture}`] };
  await Promise.all([first.push('WF-1', content), second.push('WF-1', content)]);
  await Promise.all([untilSettled(world, first, 'WF-1'), untilSettled(world, second, 'WF-1')]);
  const { client } = world.foundation;
  const found = async ({ id }: TestAccount): Promise<string[]> => {
    const query = `AccountId = '${id}' AND ExternalId = 'WF-1' AND WorkflowType = 'itemLifecycle'`;
    const ids = new Set<string>();
    for await (const { workflowId } of client.workflow.list({ query })) ids.add(workflowId);
    return [...ids];
  };
  for (const member of [first, second]) {
    const own = `item:${await itemIdOf(member, 'WF-1')}`;
    t.deepEqual(await until('it is listed', async () => (await found(member)).length > 0 && found(member)), [own]);
    const described = await client.workflow.getHandle(own).describe();
    t.deepEqual(described.typedSearchAttributes.get(accountIdKey), member.id);
  }
});

test('the same picture of two members is stored for each of them', async (t) => {
  const { first, second } = await aPair(world);
  const content = { imageUrls: [`${world.images.url}/${picture}`] };
  await Promise.all([first.push('IMG-1', content), second.push('IMG-1', content)]);
  await Promise.all([untilSettled(world, first, 'IMG-1'), untilSettled(world, second, 'IMG-1')]);
  const records = world.foundation.store.connection.collection('image_records');
  const hashOf = async (accountId: AccountId) => (await records.findOne({ accountId }))?.['contentHash'] as string;
  const hash = await hashOf(first.id);
  t.is(await hashOf(second.id), hash);
  const { directory } = world.foundation.config.imageStore;
  const filesOf = ({ id }: TestAccount): string[] => readdirSync(join(directory, id, hash)).toSorted();
  t.deepEqual(
    [filesOf(first), filesOf(second)],
    [
      ['large.jpg', 'thumb.jpg'],
      ['large.jpg', 'thumb.jpg'],
    ],
  );
});

/** Both members sell as one user of the marketplace: they see the same feeds. */
async function shareMarketplaceUser({ first, second }: Pair): Promise<void> {
  for (const { scope } of [first, second]) {
    const user = await callAdmin<{ userId: string; token: string }>(`${world.marketplace.adminUrl}/users`, 'POST', {
      userId: first.id,
    });
    await setMarketplaceConnection(world.context, scope, { marketplaceUserId: user.userId, token: user.token });
  }
}

for (const shared of [false, true]) {
  const seller = shared ? 'one marketplace account for both' : 'a marketplace account each';
  test(`auctions under the same external id, ${seller}: each goes up once, is changed, sold and ended for its own item alone`, async (t) => {
    const pair = await aPair(world);
    const { first, second } = pair;
    if (shared) await shareMarketplaceUser(pair);
    await Promise.all([
      first.push('AD-1', { priceOre: 10_000 }, { autoPublish: true }),
      second.push('AD-1', { priceOre: 20_000 }, { autoPublish: true }),
    ]);
    const [firstAd, secondAd] = [await adOf(first, 'AD-1'), await adOf(second, 'AD-1')];
    t.not(firstAd, secondAd);
    await second.changePrice('AD-1', 30_000);
    await until('the second auction has its new price', async () => {
      const [ad] = await second.listings('AD-1');
      return ad?.startPrice === 300;
    });
    const [untouched, ...more] = await first.listings('AD-1');
    t.like(untouched, { itemId: Number(firstAd), startPrice: 100, state: 'active' });
    t.deepEqual(more, []);
    await admin(`/listings/${firstAd}/bids`, { amount: 725 });
    await admin(`/listings/${firstAd}/end`);
    await untilMarketplaceStatus(first, 'AD-1', 'sold');
    t.is((await second.status('AD-1')).status.marketplaceStatus, 'active');
    await admin(`/listings/${secondAd}/end`);
    await untilMarketplaceStatus(second, 'AD-1', 'ended');
    await Promise.all([untilSettled(world, first, 'AD-1'), untilSettled(world, second, 'AD-1')]);
    const orders = world.foundation.store.connection.collection('orders');
    t.is(await orders.countDocuments({ accountId: first.id }), 1);
    t.is(await orders.countDocuments({ accountId: second.id }), 0);
    t.deepEqual([(await first.received('item.sold')).length, (await second.received('item.sold')).length], [1, 0]);
    t.deepEqual((await first.received('listing.ended')).length, 0);
  });
}

test('an auction whose creation was lost on its way is found again by its own item, not by the external id', async (t) => {
  const pair = await aPair(world);
  const { first, second } = pair;
  await shareMarketplaceUser(pair);
  await first.push('LOST-1', {}, { autoPublish: true });
  const firstAd = await adOf(first, 'LOST-1');
  await admin('/faults', { mode: 'drop-after', method: 'POST', path: '/listings/items$', times: 1 });
  await second.push('LOST-1', {}, { autoPublish: true });
  t.not(await adOf(second, 'LOST-1'), firstAd);
  const [ad, ...more] = await first.listings('LOST-1');
  t.is(String(ad?.itemId), firstAd);
  t.deepEqual(more, []);
});
