import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { orderRows } from '../../features/orders/store/orders.ts';
import { deliveryRows } from '../../features/webhooks/store/deliveries.ts';
import { isError, withApiWorld } from '../support/api-world.ts';
import { failImages } from '../support/failing-items.ts';

const world = withApiWorld(test);
const path = '/business/members';
const dayMs = 24 * 3_600_000;
const find = async (token: string, query = '') => (await world().call('GET', `${path}${query}`, { token })).body;
const references = (body: { members: { externalId: string }[] }) => body.members.map(({ externalId }) => externalId);

async function withMembers(count: number) {
  const reseller = await world().reseller();
  const members = [];
  for (let n = 0; n < count; n += 1) members.push(await world().memberOf(reseller));
  return { reseller, members };
}

const rename = (reseller: { token: string }, member: { id: string }, externalId: string) =>
  world().call('PUT', `/business/my-profile/connections/${member.id}`, { token: reseller.token, body: { externalId } });

test('GET 200: pages have every member once, in each order, and say how many there are', async (t) => {
  const { reseller, members } = await withMembers(5);
  const expected = members.map(({ reference }) => reference).toSorted();
  for (const sort of ['joined', 'name', 'reference', 'connection', 'failing', 'missed', 'sales']) {
    const found: string[] = [];
    for (let cursor = ''; ;) {
      const page = await find(reseller.token, `?limit=2&sort=${sort}${cursor}`);
      t.is(page.total, 5);
      found.push(...references(page));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    t.deepEqual(found.toSorted(), expected, sort);
  }
});

test('GET 200: the search finds parts of name and reference; the cursor of another search is 400', async (t) => {
  const { reseller, members } = await withMembers(3);
  const [first] = members;
  if (first === undefined) return t.fail();
  await rename(reseller, first, 'Umea-17');
  t.deepEqual(references(await find(reseller.token, '?q=umea')), ['Umea-17']);
  t.is((await find(reseller.token, '?q=medlemmen')).total, 3);
  const { nextCursor } = await find(reseller.token, '?limit=1');
  for (const query of [
    `?memberUserIds=${first.id}&limit=1&cursor=${nextCursor}`,
    '?memberUserIds=,',
    `?memberUserIds=${'a'.repeat(37)}`,
    `?memberUserIds=${Array.from({ length: 101 }, () => 'a').join(',')}`,
    `?limit=1&q=a&cursor=${nextCursor}`,
    `?sort=name&cursor=${nextCursor}`,
    '?sort=x',
    '?q=%20',
  ])
    isError(t, await world().call('GET', `${path}${query}`, { token: reseller.token }), {
      status: 400,
      code: 'BAD_REQUEST',
    });
});

test('GET 200: members are found by their user ids, never those of another reseller', async (t) => {
  const { reseller, members } = await withMembers(3);
  const { members: others } = await withMembers(1);
  const wanted = [members[0], members[2]].map((member) => member?.id ?? '');
  const { members: found } = await find(reseller.token, `?memberUserIds=${[...wanted, others[0]?.id].join(',')}`);
  t.deepEqual(found.map(({ memberUserId }: { memberUserId: string }) => memberUserId).toSorted(), wanted.toSorted());
});

test('GET 200: tells connection, blocked items, missed events and sales, and sorts by them', async (t) => {
  const { reseller, members } = await withMembers(2);
  const [well, ill] = members;
  if (well === undefined || ill === undefined) return t.fail();
  const credentials = { marketplaceUserId: '4711', token: 'a token of the marketplace' };
  t.is(
    (await world().call('PUT', '/partner/marketplace-connection', { token: well.token, body: credentials })).status,
    200,
  );
  const item = { title: 'Stol', price: 100, imageUrls: ['https://images.example/1.jpg'] };
  await world().call('PUT', '/integration/v1/items/A', { apiKey: ill.apiKey, body: item });
  await failImages(world(), { id: ill.id, externalId: 'A' });
  const owed = { resellerAccountId: reseller.id, agreementId: 'a', commissionBps: 100, commissionOre: 1 };
  const order = (owner: string, amountOre: number, change: object = {}) => ({
    _id: `${owner}-${amountOre}`,
    accountId: accountId(owner),
    state: 'completed',
    amountOre,
    commission: owed,
    createdAt: new Date(world().now().getTime() - dayMs),
    ...change,
  });
  const longAgo = new Date(world().now().getTime() - 31 * dayMs);
  await orderRows(world().store).collection.insertMany([
    order(well.id, 12_300),
    order(well.id, 700),
    order(ill.id, 99_900, { commission: null }),
    order(ill.id, 88_800, { commission: { ...owed, resellerAccountId: 'another' } }),
    order(ill.id, 50, { createdAt: longAgo }),
  ] as never);
  const { members: found } = await find(reseller.token, '?sort=sales');
  t.like(found[0], { externalId: well.reference, marketplace: 'connected', blockedItems: 0 });
  t.deepEqual(found[0].sales, { orders: 2, amount: 130, currency: 'SEK' });
  t.like(found[1], { externalId: ill.reference, marketplace: 'none', blockedItems: 1, missedEvents: 0 });
  t.deepEqual(found[1].sales, { orders: 0, amount: 0, currency: 'SEK' });
  for (const sort of ['failing', 'connection'])
    t.is(references(await find(reseller.token, `?sort=${sort}`))[0], ill.reference, sort);
});

test('GET 200: counts what the reseller’s endpoints have missed, not what the members’ own have', async (t) => {
  const { reseller, members } = await withMembers(1);
  const [member] = members;
  if (member === undefined) return t.fail();
  const url = 'https://receiver.example/hook';
  const hook = async (token: string, scope: string): Promise<string> => {
    const reply = await world().call('POST', '/integration/webhooks', { token, body: { url, scope } });
    return reply.body.webhook?.id ?? reply.body.id;
  };
  const [ofReseller, own] = [await hook(reseller.token, 'members'), await hook(member.token, 'self')];
  const row = (id: string, target: string) => ({
    _id: `${id}-${target}`,
    target,
    missed: true,
    accountId: reseller.id,
    aboutAccountId: member.id,
    eventAt: world().now(),
    sequence: 1,
  });
  await deliveryRows(world().store).insertMany([row('1', ofReseller), row('2', ofReseller), row('3', own)] as never);
  t.is((await find(reseller.token)).members[0].missedEvents, 2);
});

test('GET 200: a reseller never sees the members of another, nor those that have left; others see none', async (t) => {
  const [one, other] = [await withMembers(1), await withMembers(2)];
  const [left] = other.members;
  t.deepEqual(references(await find(one.reseller.token)), [one.members[0]?.reference]);
  await world().call('DELETE', '/business/my-deal', { token: left?.token });
  t.is((await find(other.reseller.token)).total, 1);
  t.deepEqual(await find(one.members[0]?.token ?? ''), { members: [], total: 0, nextCursor: null });
});

test('a reseller’s session names a member by its reference, and never the member of another', async (t) => {
  const [one, other] = [await withMembers(1), await withMembers(1)];
  const [member] = one.members;
  if (member === undefined) return t.fail();
  await world().call('PUT', '/integration/v1/items/B', {
    apiKey: member.apiKey,
    body: { title: 'Bord', price: 100, imageUrls: [] },
  });
  const read = (token: string) => world().call('GET', `/partner/items?member=${member.reference}`, { token });
  t.is((await read(one.reseller.token)).body.items[0].externalId, 'B');
  isError(t, await read(other.reseller.token), { status: 404, code: 'NOT_FOUND' });
  isError(t, await read(member.token), { status: 404, code: 'NOT_FOUND' });
});
