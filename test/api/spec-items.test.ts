import test from 'ava';
import { accountId, orderId } from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import type { MarketplaceStatus } from '../../features/items/rules/transitions.ts';
import { changeNewestListing, openListing, recordDraft } from '../../features/listings/rules/publication.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import {
  isError,
  startApiWorld,
  withApiWorld,
  type CallOptions,
  type Reply,
  type TestAccount,
} from '../support/api-world.ts';

// Rows of the specification that no other test proves from outside.
const world = withApiWorld(test);
const anItem = (fields: object = {}) => ({ title: 'Bromsskiva', price: 150, imageUrls: [], ...fields });
const at = (externalId: string, rest = '') => `/integration/v1/items/${encodeURIComponent(externalId)}${rest}`;
const put = (externalId: string, apiKey: string, fields: object = {}): Promise<Reply> =>
  world().call('PUT', at(externalId), { apiKey, body: anItem(fields) });
const get = (externalId: string, options: CallOptions) => world().call('GET', at(externalId), options);
const full = async (externalId: string, apiKey: string) =>
  (await world().call('GET', at(externalId, '?view=full'), { apiKey })).body;
const setStatus = (externalId: string, apiKey: string, status: string) =>
  world().call('PATCH', at(externalId, '/status'), { apiKey, body: { status } });

/** Something that happens to an item by itself. */
async function happen(owner: TestAccount, externalId: string, change: (item: Item) => Item): Promise<void> {
  const items = createItemStore(world().store);
  const item = await items.findVisible(accountId(owner.id), externalId);
  if (item === null || (await items.replace(item, change(item))) === null) throw new Error('the item is not there');
}

const everything = {
  title: 'Bromsskiva fram',
  description: 'Hel.\nTill V70.',
  price: 149.5,
  shippingCost: 79,
  weightKg: 4.25,
  currency: 'SEK',
  imageUrls: ['https://img.example.se/1.jpg', 'https://img.example.se/2.jpg'],
  domain: { domain: 'auto_parts', conditionGrade: 'B' },
  schemaVersion: '1.0.0',
  autoPublishTradera: true,
  useAiEnhancement: true,
};

// specification: shippingcost-optional-0-is, weightkg-optional-number, view-full-status-all
test('GET view=full: every field of the body as it was sent, the status, the images and what the work is at', async (t) => {
  const { apiKey } = await world().account();
  await put('F1', apiKey, everything);
  const { price: _price, schemaVersion: _version, domain: _domain, ...content } = everything;
  const item = await full('F1', apiKey);
  t.like(item, { ...content, ...(await get('F1', { apiKey })).body });
  t.is(item.price, 149.5);
  const pending = { state: 'pending', url: null, thumbnailUrl: null, reason: null, failure: null };
  t.deepEqual(
    item.images,
    everything.imageUrls.map((sourceUrl) => ({ sourceUrl, ...pending })),
  );
  t.like(item.extendedAttributes, { external_reference: 'F1', domain: 'auto_parts', conditionGrade: 'B' });
  const { updatedAt, ...processing } = item.processing;
  t.deepEqual(processing, { stage: 'queued', waitingFor: null, attempts: 0, lastError: null });
  for (const time of [updatedAt, item.createdAt, item.updatedAt]) t.is(new Date(time).toISOString(), time);
});

// specification: view-full-status-all
test('GET view=full: what was asked for of the marketplace, by the first PUT or by publish, until it is called off', async (t) => {
  const { apiKey } = await world().account();
  const isAsked = async () => (await full('F3', apiKey)).autoPublishTradera;
  await put('F3', apiKey);
  t.false(await isAsked());
  await world().call('POST', at('F3', '/publish'), { apiKey });
  t.true(await isAsked());
  await setStatus('F3', apiKey, 'not_listed');
  t.false(await isAsked());
});

// specification: put-replaces-a-field
test('PUT 202: an optional field left out goes back to its default', async (t) => {
  const { apiKey } = await world().account();
  await put('F2', apiKey, everything);
  const { title, price, imageUrls } = everything;
  t.is((await put('F2', apiKey, { title, price, imageUrls })).body.message, 'Item updated');
  const item = await full('F2', apiKey);
  t.like(item, { description: '', shippingCost: null, weightKg: null, currency: 'SEK', useAiEnhancement: false });
  t.is(item.extendedAttributes.domain, null);
  t.false('conditionGrade' in item.extendedAttributes);
});

// specification: schemaversion-of-the-form, 2-schemaversion-of-the, schemaversion-changes-nothing-another
test('PUT 202: schemaVersion changes nothing, and the stored one is the stamp of the service', async (t) => {
  const { apiKey } = await world().account();
  await put('V1', apiKey, { schemaVersion: '2.0.0' });
  t.is((await put('V1', apiKey, { schemaVersion: '3.1.4' })).body.message, 'Item updated (unchanged)');
  t.is((await put('V1', apiKey)).body.message, 'Item updated (unchanged)');
  t.is((await full('V1', apiKey)).extendedAttributes.schema_version, '1.0.0');
  isError(t, await put('V1', apiKey, { schemaVersion: '1' }), { status: 422, code: 'VALIDATION_FAILED' });
});

/** Brings an item into each state that a caller can reach. */
const states: Readonly<Record<string, (externalId: string, apiKey: string) => Promise<unknown>>> = {
  draft: (externalId, apiKey) => put(externalId, apiKey, { imageUrls: everything.imageUrls }),
  active: (externalId, apiKey) => put(externalId, apiKey),
  not_listed: async (externalId, apiKey) => {
    await put(externalId, apiKey);
    await setStatus(externalId, apiKey, 'not_listed');
  },
  sold: async (externalId, apiKey) => {
    await put(externalId, apiKey);
    await setStatus(externalId, apiKey, 'sold');
  },
};

for (const [state, bring] of Object.entries(states)) {
  // specification: servicestatus-draft-active-not, any-put-with-an, active-patch-price-stays, autopublishtradera-counts-only-at
  test(`PUT and PATCH price of an item that is ${state} leave it ${state}`, async (t) => {
    const { apiKey } = await world().account();
    await bring('S1', apiKey);
    const imageUrls = state === 'draft' ? everything.imageUrls : [];
    t.is((await put('S1', apiKey, { title: 'Ny rubrik', imageUrls, autoPublishTradera: true })).status, 202);
    t.like((await get('S1', { apiKey })).body, { serviceStatus: state, price: 150 });
    t.is((await world().call('PATCH', at('S1', '/price'), { apiKey, body: { price: 99 } })).status, 202);
    t.like((await get('S1', { apiKey })).body, {
      serviceStatus: state,
      price: 99,
      marketplaceStatus: 'pending_sync',
      marketplaceAdId: null,
      marketplaceAdUrl: null,
    });
  });

  for (const status of ['not_listed', 'sold']) {
    // specification: servicestatus-draft-active-not, any-patch-not-listed, any-patch-sold-sold
    test(`PATCH status ${status} of an item that is ${state}`, async (t) => {
      const { apiKey } = await world().account();
      await bring('S2', apiKey);
      t.is((await setStatus('S2', apiKey, status)).status, 202);
      t.is((await get('S2', { apiKey })).body.serviceStatus, status);
    });
  }

  // specification: any-delete-without-an
  test(`DELETE of an item that is ${state}`, async (t) => {
    const { apiKey } = await world().account();
    await bring('S3', apiKey);
    t.is((await world().call('DELETE', at('S3'), { apiKey })).status, 202);
    isError(t, await get('S3', { apiKey }), { status: 404, code: 'NOT_FOUND' });
  });
}

// specification: marketplacestatus-active-sold-ended, marketplaceadid-marketplaceadurl-null-until, pending-sync-until-the
// specification: placeholder-ad-id-pending
test('while an auction is being made its id is pending-<item id> and it has no address', async (t) => {
  const owner = await world().account();
  const { itemId } = (await put('P1', owner.apiKey, { autoPublishTradera: true })).body;
  await happen(owner, 'P1', (item) => openListing(item, world().now()));
  const shown = { marketplaceStatus: 'pending_sync', marketplaceAdId: `pending-${itemId}`, marketplaceAdUrl: null };
  t.like((await get('P1', owner)).body, shown);
  await happen(owner, 'P1', (item) => recordDraft(item, { requestId: '501', adId: '9001' }));
  t.like((await get('P1', owner)).body, shown);
});

for (const marketplaceStatus of ['active', 'sold', 'ended', 'sync_error'] satisfies MarketplaceStatus[]) {
  // specification: marketplacestatus-active-sold-ended
  test(`marketplaceStatus ${marketplaceStatus} is read as it is, with the ad of an item that was up`, async (t) => {
    const owner = await world().account();
    const listingState =
      marketplaceStatus === 'active' || marketplaceStatus === 'sync_error' ? 'live' : marketplaceStatus;
    const ad = { adId: '9001', adUrl: 'https://marketplace.example/9001' };
    await put('M1', owner.apiKey, { autoPublishTradera: true });
    await happen(owner, 'M1', (item) => openListing(item, world().now()));
    await happen(owner, 'M1', (item) => ({
      ...changeNewestListing(item, { state: listingState, ...ad }),
      marketplaceStatus,
    }));
    const shown = { marketplaceStatus, marketplaceAdId: ad.adId, marketplaceAdUrl: ad.adUrl };
    t.like((await get('M1', owner)).body, shown);
  });
}

// specification: 404-and-409-come
test('404 and 409 come before 412', async (t) => {
  const owner = await world().account();
  const { apiKey } = owner;
  await put('O1', apiKey);
  await happen(owner, 'O1', (item) => ({ ...item, openOrderIds: [orderId('ord_1')] }));
  await world().call('DELETE', at('O1'), { apiKey });
  const patch = (externalId: string) =>
    world().call('PATCH', at(externalId, '/price'), { apiKey, body: { price: 5 }, headers: { 'if-match': '"x.1"' } });
  isError(t, await patch('O1'), { status: 409, code: 'CONFLICT' });
  isError(t, await patch('nothing'), { status: 404, code: 'NOT_FOUND' });
});

for (const [what, atLimit, beyond, field] of [
  ['a title of 255 characters', { title: 'å'.repeat(255) }, { title: 'å'.repeat(256) }, 'title'],
  ['a price of 1 SEK', { price: 1 }, { price: 0.99 }, 'price'],
  ['10 images', { imageUrls: links(10) }, { imageUrls: links(11) }, 'imageUrls'],
  ['images by HTTPS', { imageUrls: ['https://a.example/1'] }, { imageUrls: ['http://a.example/1'] }, 'imageUrls.0'],
  ['a battery of 0 % in electronics', battery('electronics', 0), battery('electronics', -1), batteryField()],
  ['a battery of 100 % in electronics', battery('electronics', 100), battery('electronics', 101), batteryField()],
  ['a battery of 0 % in computers', battery('computers', 0), battery('computers', -1), batteryField()],
  ['a battery of 100 % in computers', battery('computers', 100), battery('computers', 101), batteryField()],
] as const) {
  // specification: title-required-at-most, price-required-at-least, imageurls-required-https-at
  // specification: batteryhealthpercentage-0-to-100, 3-validation-failure-422, title-255-characters, price-1-upsert-and
  // specification: images-10-https-only, batteryhealthpercentage-0-to-100-electronics, details-field-with-dotted
  // specification: 422-price-below-1, validation-failed-422
  test(`PUT takes ${what} and refuses with 422 what is beyond, naming ${field}`, async (t) => {
    const { apiKey } = await world().account();
    t.is((await put('L1', apiKey, atLimit)).status, 202);
    const refused = await put('L1', apiKey, beyond);
    isError(t, refused, { status: 422, code: 'VALIDATION_FAILED' });
    t.regex(refused.body.error, /validation/i);
    t.deepEqual(
      refused.body.details.map((detail: { field: string }) => detail.field),
      [field],
    );
    t.is(typeof refused.body.details[0].message, 'string');
  });
}

function links(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `https://a.example/${n}.jpg`);
}
function battery(domain: string, batteryHealthPercentage: number): object {
  return { domain: { domain, batteryHealthPercentage } };
}
function batteryField(): string {
  return 'domain.batteryHealthPercentage';
}

// specification: unchanged-only-from-a
test('"unchanged" is answered only from what a majority of the database has', async (t) => {
  const own = await startApiWorld();
  t.teardown(() => own.close());
  const { apiKey } = await own.account();
  const push = () => own.call('PUT', at('Q1'), { apiKey, body: anItem() });
  await push();
  await own.store.connection.db?.command({ profile: 2 });
  t.is((await push()).body.message, 'Item updated (unchanged)');
  await own.store.connection.db?.command({ profile: 0 });
  const calls = own.store.connection.collection('system.profile');
  const reads = await calls.find({ 'command.find': 'items' }).sort({ ts: 1 }).toArray();
  // The second in a transaction, whose commit a majority confirms.
  t.deepEqual(
    reads.map(({ command }) => command.readConcern?.level),
    ['majority', 'snapshot'],
  );
});

// specification: 1-the-prefix-integration
test('every path of an item begins with /integration/v1', async (t) => {
  const { paths } = (await world().call('GET', '/openapi.json')).body as { paths: Record<string, unknown> };
  const ofItems = Object.keys(paths).filter((path) => path.includes('{external_id}') || path.endsWith('/items'));
  // The dashboard's own are not for item sync: they take no key. What buyers do in the sandbox is none either.
  const others = ['/partner/items', '/business/members/items', '/integration/v1/sandbox/'];
  const ofSync = ofItems.filter((path) => !others.some((begin) => path.startsWith(begin)));
  t.true(ofSync.length >= 6);
  t.deepEqual(
    ofSync.filter((path) => !path.startsWith('/integration/v1/items')),
    [],
  );
});
