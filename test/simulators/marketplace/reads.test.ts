import test from 'ava';
import { v4Operations } from '../../../gateways/marketplace/v4-operations.ts';
import { parseWireTime } from '../../../simulators/marketplace/wire/wire-time.ts';
import { call } from '../support/call.ts';
import { sellerOf, type WireItem } from '../support/seller.ts';
import { present } from '../../support/clock.ts';

const idsOf = (items: readonly { readonly id: number }[]): readonly number[] => items.map(({ id }) => id);
const inDays = (days: number): string => present(days * 24 * 3_600_000).toISOString();

test('the lists of a seller show what is up or was; filters by state, category, end, start and type', async (t) => {
  const { draft, live, end, read, advance, actAs } = await sellerOf(t);
  await draft();
  const { itemId: ended } = await live();
  await end(ended);
  await advance(24 * 3600);
  const { itemId: running } = await live({ categoryId: 521, duration: 5 });
  const found = async (query: string) => idsOf(await read<WireItem[]>(`/v4/listings/seller-items?${query}`));
  t.deepEqual(await found(''), [ended, running]);
  t.deepEqual(await found('filterActive=1'), [running]);
  t.deepEqual(await found('filterActive=2'), [ended]);
  t.deepEqual(await found('categoryId=521'), [running]);
  t.deepEqual(await found(`minEndDate=${inDays(2)}`), [running]);
  t.deepEqual(await found(`maxEndDate=${inDays(2)}`), [ended]);
  t.deepEqual(await found(`maxStartDate=${inDays(0.5)}`), [ended]);
  t.deepEqual(await found('filterItemType=2'), []);
  t.deepEqual(await found('ownReference=A1&page=9'), [ended, running], 'there is no such filter');
  const created = `minCreatedDate=${inDays(0.5)}`;
  t.deepEqual(idsOf(await read(`/v4/items/seller/77/quick-info?${created}`)), [running]);
  t.deepEqual(await read('/v4/items/seller/78/quick-info'), []);
  await actAs('88');
  t.deepEqual(await found(''), []);
});

test('the feed of updates has ids and versions alone, after the version that was asked for', async (t) => {
  const { draft, live, bid, end, read } = await sellerOf(t);
  await draft();
  const [one, two] = [await live(), await live()];
  const feed = (since: number) =>
    read<{ id: number; rowVersion: number }[]>(`/v4/listings/updated-seller-items?rowVersion=${since}`);
  const all = await feed(0);
  t.deepEqual(idsOf(all), [one.itemId, two.itemId]);
  const mark = Math.max(...all.map(({ rowVersion }) => rowVersion));
  t.deepEqual(await feed(mark), []);
  await bid(one.itemId, 400);
  t.deepEqual(idsOf(await feed(mark)), [one.itemId]);
  await end(one.itemId);
  await end(two.itemId);
  t.deepEqual(idsOf(await feed(mark)), [one.itemId, two.itemId]);
});

test('others see of an item neither references nor reserve, and of its bidder the name alone', async (t) => {
  const { live, bid, item, read, draft, wire } = await sellerOf(t);
  const { itemId } = await live({ reservePrice: 600 });
  await bid(itemId, 500, 'kim');
  t.like(await item(itemId), {
    reservePrice: 600,
    reservePriceReached: false,
    maxBidder: { alias: 'kim', firstName: 'Kim' },
  });
  t.like(await read(`/v4/items/${itemId}`), {
    ownReferences: null,
    reservePrice: 0,
    reservePriceSpecified: false,
    reservePriceReached: false,
    maxBidder: { alias: 'kim', firstName: null, email: null },
  });
  t.is((await wire('GET', `/v4/items/${(await draft()).itemId}`)).status, 404);
});

test('the short address of an item leads to its full one, where its page is', async (t) => {
  const { live, item, simulator, bid } = await sellerOf(t);
  const { itemId } = await live({ title: 'Lampa & <skärm>' });
  await bid(itemId, 500);
  const short = await call('GET', `${simulator.url}/item/${itemId}`);
  t.is(short.status, 308);
  t.is(`${simulator.url}${String(short.headers['location'])}`, (await item(itemId)).itemLink);
  const page = await call('GET', (await item(itemId)).itemLink);
  t.regex(page.text, /Lampa &#38; &#60;skärm&#62;[^]*500 kr/);
  t.is((await call('GET', `${simulator.url}/item/520/${itemId}`)).status, 404, 'without the title there is nothing');
});

test('links begin with the address that browsers know', async (t) => {
  const { live, item, listings } = await sellerOf(t, { siteUrl: 'https://market.example' });
  const { itemId } = await live();
  t.regex((await item(itemId)).itemLink, /^https:\/\/market[.]example\/item\/520\/\d+\/str-lkastare-v-nster$/);
  t.is((await listings())[0]?.itemUrl, (await item(itemId)).itemLink);
});

test('the pictures of an item can be read at its links', async (t) => {
  const { draft, addImage, commit, settle, item } = await sellerOf(t);
  const { requestId, itemId } = await draft();
  await addImage(requestId);
  await commit(requestId);
  await settle();
  const [link = ''] = (await item(itemId)).imageLinks ?? [];
  t.is((await call('GET', link)).headers['content-type'], 'image/jpeg');
});

test('the categories that the specification publishes in are leaves', async (t) => {
  const { read } = await sellerOf(t);
  interface Node {
    readonly id: number;
    readonly category: Node[] | null;
  }
  const leaves = (nodes: readonly Node[]): number[] =>
    nodes.flatMap(({ id, category }) => (category === null ? [id] : leaves(category)));
  const found = leaves(await read<Node[]>('/v4/categories'));
  for (const id of [516, 520, 521, 523, 524, 525, 527, 529, 530, 531, 533, 535, 536, 537, 541])
    t.true(found.includes(id), String(id));
});

test('the interface document is shown without keys, and has every path', async (t) => {
  const { simulator } = await sellerOf(t);
  const document = (await call('GET', `${simulator.url}/v4/swagger/v4/swagger.json`)).json<{
    paths: Record<string, Record<string, unknown>>;
    components: { schemas: { ItemRequest: { properties: { vat: unknown; startPrice: unknown } } } };
  }>();
  for (const { path, method } of Object.values(v4Operations))
    t.truthy(document.paths[path]?.[method.toLowerCase()], `${method} ${path}`);
  const { vat, startPrice } = document.components.schemas.ItemRequest.properties;
  t.deepEqual(vat, { type: 'integer', format: 'int32', nullable: true });
  t.deepEqual(startPrice, { type: 'integer', format: 'int32' });
});

for (const [text, utc] of Object.entries({
  '2026-07-01T12:00:00': '2026-07-01T10:00:00.000Z',
  '2026-12-01T12:00:00.5': '2026-12-01T11:00:00.500Z',
  '2026-12-01T12:00:00+03:00': '2026-12-01T09:00:00.000Z',
  '2026-12-01T12:00Z': '2026-12-01T12:00:00.000Z',
  '0001-01-01T00:00:00': '0001-01-01T00:00:00.000Z',
}))
  test(`the time ${text} is ${utc}`, (t) => {
    t.is(new Date(parseWireTime(text) ?? 0).toISOString(), utc);
  });

test('the hour that comes twice in October and the one that is left out in March are read', (t) => {
  t.is(new Date(parseWireTime('2026-10-25T02:30:00') ?? 0).toISOString(), '2026-10-25T01:30:00.000Z');
  t.is(new Date(parseWireTime('2026-03-29T02:30:00') ?? 0).toISOString(), '2026-03-29T01:30:00.000Z');
  t.is(parseWireTime('yesterday'), undefined);
});
