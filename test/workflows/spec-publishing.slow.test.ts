import { readdirSync } from 'node:fs';
import test from 'ava';
import type { DomainSlug } from '../../features/rules/domains.ts';
import { untilSettled } from '../support/until-settled.ts';
import {
  callAdmin,
  untilMarketplaceStatus,
  untilReceived,
  withWorld,
  type MarketplaceListing,
  type TestAccount,
  type World,
} from '../support/world.ts';
import { readItem } from '../../features/items/read-item.ts';

// Rows of the specification about images and publishing that no other test proves.

let world: World;
withWorld(test, (started) => (world = started));

const pictures = readdirSync('examples/catalogue/images');
const image = (n: number): string => `${world.images.url}/${pictures[n] ?? ''}`;
const admin = (path: string, body?: object): Promise<Record<string, unknown>> =>
  callAdmin(`${world.marketplace.adminUrl}${path}`, 'POST', body);

interface Ad extends MarketplaceListing {
  readonly description: string;
  readonly categoryId: number;
  readonly shippingOptions: readonly { readonly cost: number }[];
  readonly weightKg: number | null;
}
const ads = async (account: TestAccount, externalId: string): Promise<Ad[]> =>
  ((await account.listings(externalId)) as Ad[]).filter(({ state }) => state !== 'uncommitted');

const statusOf = async (account: TestAccount, externalId: string) => (await account.status(externalId)).status;

// specification: shippingcost-optional-0-is, weightkg-optional-number, appended-when-an-item
test('an auto part goes up in its category with the block, the condition note, shipping and weight', async (t) => {
  const account = await world.account();
  const attributes = {
    vehicle: { manufacturer: 'Volvo', model: 'V70', year: 2008 },
    part: { name: 'Strålkastare', oemNumber: '31353284' },
    conditionGrade: 'B',
    conditionNote: 'Liten repa.',
  };
  const content = { description: 'Vänster.', shippingCostOre: 7_900, weightKg: 2.5 };
  await account.push('part', { ...content, domain: { slug: 'auto_parts', attributes } }, { autoPublish: true });
  await untilMarketplaceStatus(account, 'part', 'active');
  const [ad] = await ads(account, 'part');
  const lines = [
    'Vänster.',
    '',
    '--- Teknisk specifikation ---',
    'OEM: 31353284',
    'Skick: B',
    'Passar: Volvo V70 (2008)',
  ];
  t.is(ad?.description, [...lines, '', 'Liten repa.'].join('<br>'));
  t.like(ad, { categoryId: 520, weightKg: 2.5 });
  t.deepEqual(
    ad?.shippingOptions.map(({ cost }) => cost),
    [79],
  );
});

/** Outbound categories, by hand from the specification. */
const outbound: Readonly<Partial<Record<DomainSlug, number>>> = {
  art: 516,
  toys: 533,
  vehicles: 520,
  books: 521,
  industrial: 523,
  computers: 524,
  electronics: 525,
  sports: 527,
  home_garden: 529,
  fashion: 530,
  watches: 531,
  music: 535,
  collectibles: 536,
  beauty: 537,
  tools: 541,
  jewelry: 531,
  auto_parts: 520,
};

// specification: the-outbound-id-is
test('every domain of the map goes up in its outbound category, and an item without a domain in a classified one', async (t) => {
  const account = await world.account();
  const slugs = Object.keys(outbound) as DomainSlug[];
  t.is(slugs.length, 17);
  await Promise.all([
    ...slugs.map((slug) => account.push(slug, { domain: { slug, attributes: {} } }, { autoPublish: true })),
    account.push('none', { title: 'Skruvdragare Makita', description: '', domain: null }, { autoPublish: true }),
  ]);
  for (const slug of slugs) {
    await untilMarketplaceStatus(account, slug, 'active');
    t.is((await ads(account, slug))[0]?.categoryId, outbound[slug], slug);
  }
  await untilMarketplaceStatus(account, 'none', 'active');
  t.is((await ads(account, 'none'))[0]?.categoryId, outbound.tools);
});

// Serial, so that it has the machine to itself.
// specification: imageurls-downloaded-and-hosted, put-a-new-item, processing-of-a-new
test.serial('a new item with ten images has them hosted and is up within 30 seconds', async (t) => {
  const account = await world.account();
  const started = performance.now();
  const imageUrls = Array.from({ length: 10 }, (_, n) => image(n));
  await account.push('ten', { imageUrls }, { autoPublish: true });
  await untilMarketplaceStatus(account, 'ten', 'active');
  t.log(`${Math.round(performance.now() - started)} ms`);
  t.true(performance.now() - started < 30_000);
  t.is((await ads(account, 'ten'))[0]?.imageCount, 10);
  const { item } = await readItem(world.context, account.scope, 'ten');
  t.true(
    item.images.every(({ state, url, thumbnailUrl }) => state === 'hosted' && url !== null && thumbnailUrl !== null),
  );
});

// specification: a-new-item-is, item-images-ready-imagesprocessed
test('with some images failed the item is published with the rest, and the failed ones are named with why', async (t) => {
  const account = await world.account();
  const missing = `${world.images.url}/not-there.jpg`;
  await account.push('some', { imageUrls: [image(20), missing, image(21)] }, { autoPublish: true });
  await untilMarketplaceStatus(account, 'some', 'active');
  t.is((await ads(account, 'some'))[0]?.imageCount, 2);
  const [ready] = await untilReceived(account, 'item.images_ready');
  t.is(ready?.body.data['imagesProcessed'], 2);
  const [failed, ...others] = (ready?.body.data['imagesFailed'] ?? []) as { url: string; reason: string }[];
  t.is(failed?.url, missing);
  t.regex(failed?.reason ?? '', /404/);
  t.deepEqual(others, []);
  t.is((await statusOf(account, 'some')).serviceStatus, 'active');
  t.deepEqual(await account.received('listing.failed'), []);
});

// specification: none-with-images-draft, a-new-item-is
test('a draft becomes active when its images are hosted, without being published', async (t) => {
  const account = await world.account();
  await account.push('quiet', { imageUrls: [image(40)] });
  t.is((await statusOf(account, 'quiet')).serviceStatus, 'draft');
  await untilReceived(account, 'item.images_ready');
  await untilSettled(world, account, 'quiet');
  t.like(await statusOf(account, 'quiet'), { serviceStatus: 'active', marketplaceStatus: 'pending_sync' });
  t.deepEqual(await ads(account, 'quiet'), []);
});

// specification: autopublishtradera-only-when-the, autopublishtradera-counts-only-at
test('autoPublishTradera on an update publishes nothing', async (t) => {
  const account = await world.account();
  await account.push('late', {});
  await account.push('late', { title: 'Ny rubrik' }, { autoPublish: true });
  await untilSettled(world, account, 'late');
  t.like(await statusOf(account, 'late'), { marketplaceStatus: 'pending_sync', marketplaceAdId: null });
  t.deepEqual(await ads(account, 'late'), []);
});

// specification: a-given-up-publication, a-later-success-sends
test('a publication that was given up is tried again by publish, not by a push', async (t) => {
  const account = await world.account();
  await admin('/results', { ownReference: 'spec-refused', codes: ['Error'], times: 1 });
  await account.push('spec-refused', {}, { autoPublish: true });
  await untilMarketplaceStatus(account, 'spec-refused', 'sync_error');
  const [failed] = await untilReceived(account, 'listing.failed');
  t.regex(String(failed?.body.data['error']), /^LISTING_REFUSED: /);
  await account.push('spec-refused', { title: 'Ny rubrik' });
  await untilSettled(world, account, 'spec-refused');
  t.is((await statusOf(account, 'spec-refused')).marketplaceStatus, 'sync_error');
  await account.publish('spec-refused');
  await untilMarketplaceStatus(account, 'spec-refused', 'active');
  await untilReceived(account, 'listing.created');
  t.is((await account.received('listing.failed')).length, 1);
});

// specification: sync-error-and-ended, placeholder-ad-id-pending
test('ended and sync_error return to pending_sync when publishing is asked for again, with a placeholder ad id', async (t) => {
  const account = await world.account();
  await account.push('ended', {}, { autoPublish: true });
  await admin('/results', { ownReference: 'spec-error', codes: ['Error'], times: 1 });
  await account.push('spec-error', {}, { autoPublish: true });
  await untilMarketplaceStatus(account, 'spec-error', 'sync_error');
  await untilMarketplaceStatus(account, 'ended', 'active');
  const [ad] = await ads(account, 'ended');
  await admin(`/listings/${ad?.itemId ?? ''}/end`);
  await untilMarketplaceStatus(account, 'ended', 'ended');
  await admin(`/users/${account.id}/expire-token`);
  for (const externalId of ['ended', 'spec-error']) {
    await account.publish(externalId);
    await untilMarketplaceStatus(account, externalId, 'pending_sync');
    const { serviceItemId, marketplaceAdId, marketplaceAdUrl } = await statusOf(account, externalId);
    t.deepEqual([marketplaceAdId, marketplaceAdUrl], [`pending-${serviceItemId}`, null]);
  }
  await account.connect();
  for (const externalId of ['ended', 'spec-error']) await untilMarketplaceStatus(account, externalId, 'active');
});
