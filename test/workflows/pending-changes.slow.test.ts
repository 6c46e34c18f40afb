import { readdirSync } from 'node:fs';
import test from 'ava';
import { publishItem } from '../../features/items/publish-item.ts';
import { untilSettled } from '../support/until-settled.ts';
import { until } from '../support/until.ts';
import {
  untilMarketplaceStatus,
  untilReceived,
  withWorld,
  type MarketplaceListing,
  type TestAccount,
  type World,
} from '../support/world.ts';

// What a running auction can't be given (decisions "Listings").

let world: World;
withWorld(test, (started) => (world = started));

const pictures = readdirSync('examples/catalogue/images');
const image = (n: number): string => `${world.images.url}/${pictures[n] ?? ''}`;
const readStatus = async (account: TestAccount) => (await account.status('A1')).status;

type Ad = MarketplaceListing & { readonly description: string };

/** Those that were ever committed, oldest first. */
const adsOf = async (account: TestAccount): Promise<Ad[]> =>
  ((await account.listings('A1')) as unknown as Ad[]).filter(({ state }) => state !== 'uncommitted');
const activeAdsOf = async (account: TestAccount): Promise<Ad[]> =>
  (await adsOf(account)).filter(({ state }) => state === 'active');

async function aLiveItem(account: TestAccount, content: Parameters<TestAccount['push']>[1] = {}): Promise<Ad> {
  await account.push('A1', content, { autoPublish: true });
  await untilMarketplaceStatus(account, 'A1', 'active');
  const [ad] = await activeAdsOf(account);
  if (ad === undefined) throw new Error('not up');
  return ad;
}

// specification: any-put-with-an-existing, put-revises-the-live
test('a push on a live item changes the price of the same auction, and keeps the rest for the next one', async (t) => {
  const account = await world.account();
  const ad = await aLiveItem(account, { imageUrls: [image(0)] });
  const changes = { title: 'Ny rubrik', description: 'Ny text', priceOre: 77_700, imageUrls: [image(1), image(2)] };
  await account.push('A1', changes);
  await until('the auction has the price', async () => (await adsOf(account))[0]?.startPrice === 777);
  await untilSettled(world, account, 'A1');
  t.like((await adsOf(account))[0], { itemId: ad.itemId, title: ad.title, imageCount: 1 });
  t.deepEqual((await readStatus(account)).pendingChanges, ['title', 'description', 'imageUrls']);
  await publishItem(world.context, account.scope, { externalId: 'A1', replacesRunning: true });
  const next = await until('the next auction', async () =>
    (await activeAdsOf(account)).find(({ itemId }) => itemId !== ad.itemId),
  );
  t.like(next, { title: 'Ny rubrik', imageCount: 2, startPrice: 777 });
  t.regex(next.description, /Ny text/);
  const [ended] = await untilReceived(account, 'listing.ended');
  const [, second] = await untilReceived(account, 'listing.created', 2);
  t.true((ended?.body.data.sequence ?? 0) < (second?.body.data.sequence ?? 0), 'ended, then created');
  await untilSettled(world, account, 'A1');
  t.is((await readStatus(account)).pendingChanges, undefined);
  t.is((await adsOf(account)).length, 2);
});
