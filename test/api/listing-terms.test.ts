import test from 'ava';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { ok } from '../support/audit-steps.ts';
import { said } from '../support/said.ts';

const world = withApiWorld(test);
const path = '/partner/listing-defaults';
const defaults = { durationDays: 5, shippingOptions: [{ optionId: 1, cost: 79 }], vatPercent: 25 };
const setDefaults = ({ token }: TestAccount, body: object) => world().call('PUT', path, { token, body });
const put = ({ apiKey }: TestAccount, externalId: string, body: object) =>
  world().call('PUT', `/integration/v1/items/${externalId}`, {
    apiKey,
    body: { title: 'Ratt', imageUrls: [], ...body },
  });
const read = async ({ apiKey }: TestAccount, externalId: string) =>
  (await ok(world().call('GET', `/integration/v1/items/${externalId}?view=full`, { apiKey }))).body;

test('PUT defaults 200: all of them are replaced, read by session, and noted in the log', async (t) => {
  const account = await world().account();
  t.deepEqual((await ok(world().call('GET', path, { token: account.token }))).body, {});
  t.deepEqual((await ok(setDefaults(account, defaults))).body, defaults);
  t.deepEqual((await ok(world().call('GET', path, { token: account.token }))).body, defaults);
  t.deepEqual((await ok(setDefaults(account, { relist: { times: 2 } }))).body, { relist: { times: 2 } });
  const { entries } = (await ok(world().call('GET', '/partner/audit-log', { token: account.token }))).body;
  const changes = entries.filter(({ kind }: { kind: string }) => kind === 'listing_defaults_changed');
  t.deepEqual(
    changes.map(({ details }: { details: unknown }) => details),
    [{ fields: ['relist'] }, { fields: ['durationDays', 'shippingOptions', 'vatPercent'] }],
  );
});

test('PUT defaults 422: every problem at once', async (t) => {
  const account = await world().account();
  const reply = await setDefaults(account, { durationDays: 15, vatPercent: 24, reservePrice: 5 });
  isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
  const fields = reply.body.details.map(({ field }: { field: string }) => field);
  t.deepEqual(fields.sort(), ['durationDays', 'reservePrice', 'vatPercent']);
});

test('one account’s terms are not another’s; a reseller sets those of its member', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const ofMember = `${path}?member=${member.id}`;
  await ok(world().call('PUT', ofMember, { token: reseller.token, body: defaults }));
  t.deepEqual((await ok(world().call('GET', path, { token: member.token }))).body, defaults);
  t.deepEqual((await ok(world().call('GET', path, { token: reseller.token }))).body, {});
  t.deepEqual((await ok(world().call('GET', path, { token: (await world().account()).token }))).body, {});
});

test('PUT item 202 and GET: terms are read back as they are stored, null without', async (t) => {
  const account = await world().account();
  const listing = { durationDays: 3, reservePrice: 900, relist: { times: 2, priceStep: 50 } };
  await ok(put(account, 'with', { price: 450, listing }));
  t.like(await read(account, 'with'), { listing, auction: null });
  await ok(put(account, 'without', { price: 450 }));
  t.like(await read(account, 'without'), { listing: null, auction: null });
});

test('PATCH price 422: not from the reserve price on', async (t) => {
  const account = await world().account();
  await ok(put(account, 'A', { price: 450, listing: { reservePrice: 900 } }));
  const change = (price: number) =>
    world().call('PATCH', '/integration/v1/items/A/price', { apiKey: account.apiKey, body: { price } });
  const reply = await change(900);
  isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
  t.deepEqual(said(reply.body.details), [{ field: 'price', message: 'must be below listing.reservePrice (900 SEK)' }]);
  await ok(change(899));
});

test('a row of a batch is refused for its terms alone', async (t) => {
  const account = await world().account();
  const row = { title: 'Ratt', price: 450, imageUrls: [] };
  const items = [
    { externalId: 'B1', ...row, listing: { durationDays: 3 } },
    { externalId: 'B2', ...row, listing: { durationDays: 30 } },
  ];
  const { results } = (
    await ok(world().call('POST', '/integration/v1/items/batch', { apiKey: account.apiKey, body: { items } }))
  ).body;
  t.like(results, [{ status: 202 }, { status: 422, details: [{ field: 'listing.durationDays' }] }]);
  t.like(await read(account, 'B1'), { listing: { durationDays: 3 } });
});
