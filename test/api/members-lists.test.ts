import test from 'ava';
import { orderId } from '../../features/rules/ids.ts';
import { orderRows } from '../../features/orders/store/orders.ts';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { itemListOn } from '../support/item-list-calls.ts';
import { present } from '../support/clock.ts';

const world = withApiWorld(test);
const { progress } = itemListOn(world);

type Member = TestAccount & { readonly reference: string };
const push = async ({ apiKey }: { apiKey: string }, externalId: string): Promise<void> => {
  const body = { title: `Sak ${externalId}`, price: 100, imageUrls: [] };
  await world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body });
};
const list = async ({ token }: { token: string }, path: string) =>
  (await world().call('GET', `/business/members/${path}`, { token })).body;
const share = async ({ token }: { token: string }, sharesOrders: boolean): Promise<void> => {
  const reply = await world().call('PATCH', '/business/my-deal', { token, body: { sharesOrders } });
  if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
};
const sell = ({ token }: { token: string }, externalId: string) =>
  world().call('POST', '/partner/orders', {
    token,
    body: { externalId, platform: 'service_card', amount: 100, status: 'paid' },
  });

async function twoResellers() {
  const [own, other] = [await world().reseller(), await world().reseller()];
  const [a, b, foreign] = [await world().memberOf(own), await world().memberOf(own), await world().memberOf(other)];
  for (const [n, member] of [a, b, foreign].entries()) await push(member, `M${n}`);
  return { own, other, a, b, foreign };
}

test('items 200: those of all own members in one list by pages, each with its reference; of nobody else', async (t) => {
  const { own, a, b } = await twoResellers();
  await push(own, 'OWN');
  for (let n = 0; n < 5; n += 1) await push(n % 2 === 0 ? a : b, `P${n}`);
  const seen: [string, string][] = [];
  for (let cursor = ''; ;) {
    const page = await list(own, `items?limit=3${cursor}`);
    seen.push(...page.items.map((row: Record<string, string>) => [row['externalId'], row['memberExternalId']]));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  t.deepEqual(seen, [
    ...[4, 3, 2, 1, 0].map((n) => [`P${n}`, (n % 2 === 0 ? a : b).reference]),
    ['M1', b.reference],
    ['M0', a.reference],
  ] as [string, string][]);
  const found = await list(own, 'items?externalId=M1');
  t.deepEqual(
    found.items.map((row: Record<string, string>) => row['memberUserId']),
    [b.id],
  );
  t.is((await list(own, 'items?serviceStatus=sold')).items.length, 0);
  t.is((await list(own, 'items?serviceStatus=active&externalId=M0')).items.length, 1);
});

test('items 200: those with a problem, of all own members and of nobody else', async (t) => {
  const { own, a, b, foreign } = await twoResellers();
  await push(a, 'WELL');
  await push(b, 'WAITS');
  for (const [n, member] of [a, b, foreign].entries()) await progress(member, `M${n}`, { stage: 'given_up' });
  await progress(b, 'WAITS', { waitingFor: 'marketplace_connection', since: world().now() });
  const found = async (query: string) =>
    (await list(own, `items?${query}`)).items.map((row: Record<string, string>) => [row['externalId'], row['problem']]);
  t.deepEqual(await found('problem=any'), [
    ['WAITS', 'marketplace_connection'],
    ['M1', 'given_up'],
    ['M0', 'given_up'],
  ]);
  t.deepEqual(await found('problem=given_up&externalId=M0'), [['M0', 'given_up']]);
  t.deepEqual(await found('problem=given_up&serviceStatus=sold'), []);
  t.deepEqual(await found('problem=images'), []);
});

test('items 200: nothing to an account that is no reseller, nor of a member that has left', async (t) => {
  const { own, a, b } = await twoResellers();
  t.deepEqual(await list(a, 'items'), { items: [], nextCursor: null });
  await world().call('DELETE', '/business/my-deal', { token: a.token });
  const left = await list(own, 'items');
  t.deepEqual([...new Set(left.items.map((row: Record<string, string>) => row['memberUserId']))], [b.id]);
});

test('orders 200: only of members that share them, and no longer once they do not', async (t) => {
  const { own, a, b } = await twoResellers();
  for (const [member, item] of [
    [a, 'M0'],
    [b, 'M1'],
  ] as [Member, string][])
    t.is((await sell(member, item)).status, 201);
  t.deepEqual((await list(own, 'orders')).orders, []);
  await share(a, true);
  const { orders } = await list(own, 'orders?status=paid');
  t.deepEqual(
    orders.map((row: Record<string, string>) => [row['externalId'], row['memberExternalId']]),
    [['M0', a.reference]],
  );
  t.false('buyer' in orders[0]);
  await share(a, false);
  t.deepEqual((await list(own, 'orders')).orders, []);
});

test('orders 200: of each member, the other open orders for the same piece', async (t) => {
  const { own, a, b } = await twoResellers();
  for (const member of [a, b]) await share(member, true);
  await world().call('PUT', '/integration/v1/items/M0', {
    apiKey: a.apiKey,
    body: { title: 'Sak M0', price: 100, imageUrls: [], quantity: 3 },
  });
  const sold = [await sell(a, 'M0'), await sell(a, 'M0'), await sell(b, 'M1')];
  t.deepEqual([...new Set(sold.map(({ status }) => status))], [201]);
  const [first, second, direct] = sold.map(({ body }) => orderId(body.id));
  // An auction was won at the same time.
  const rows = orderRows(world().store);
  const won = orderId(`${direct ?? ''}-won`);
  await rows.create({ ...(await rows.findById(direct).lean()), _id: won });
  const { orders } = await list(own, 'orders');
  const conflicts = orders.map((order: Record<string, unknown>) => [order['id'], order['conflictingOrderIds']]);
  t.deepEqual(Object.fromEntries(conflicts), {
    [first ?? '']: [],
    [second ?? '']: [],
    [direct ?? '']: [won],
    [won]: [direct],
  });
});

test('analytics 200: items of all own members, sales of those that share them, nothing of anybody else', async (t) => {
  const { own, a, b, foreign } = await twoResellers();
  await push(own, 'OWN');
  const complete = async (member: Member, externalId: string): Promise<void> => {
    const { body } = await sell(member, externalId);
    const change = { token: member.token, body: { status: 'completed' } };
    t.is((await world().call('PATCH', `/partner/orders/${body.id}`, change)).status, 200);
  };
  for (const [n, member] of [a, b, foreign].entries()) await complete(member, `M${n}`);
  await push(b, 'B2');
  const figures = async () => {
    const { inventory, revenueSummary, categoryBreakdown, period } = await list(own, 'analytics?period=last_30_days');
    return {
      total: inventory.total,
      sold: inventory.sold,
      gross: revenueSummary.totalGross,
      orders: period.total.orders,
      ofCategories: categoryBreakdown.map((row: { count: number }) => row.count),
    };
  };
  t.deepEqual(await figures(), { total: 3, sold: 2, gross: 0, orders: 0, ofCategories: [] });
  await share(a, true);
  t.deepEqual(await figures(), { total: 3, sold: 2, gross: 100, orders: 1, ofCategories: [1] });
  await share(b, true);
  t.deepEqual(await figures(), { total: 3, sold: 2, gross: 200, orders: 2, ofCategories: [2] });
  await world().call('DELETE', '/business/my-deal', { token: b.token });
  t.deepEqual(await figures(), { total: 1, sold: 1, gross: 100, orders: 1, ofCategories: [1] });
});

test('analytics 200: zero for an account that is no reseller; 400 for a parameter that does not exist', async (t) => {
  const { a } = await twoResellers();
  const { inventory, revenueSummary } = await list(a, 'analytics');
  t.deepEqual([inventory.total, revenueSummary.totalGross], [0, 0]);
  const wrong = await world().call('GET', '/business/members/analytics?months=3', { token: a.token });
  isError(t, wrong, { status: 400, code: 'BAD_REQUEST' });
});

test('orders 200: every page keeps to the period', async (t) => {
  const { own, a, b } = await twoResellers();
  for (const member of [a, b]) await share(member, true);
  const sold: string[] = [];
  for (const [n, member] of [a, b, a, b].entries()) {
    await push(member, `S${n}`);
    sold.push((await sell(member, `S${n}`)).body.createdAt);
  }
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const page = await list(own, `orders?limit=1&from=${sold[1]}&to=${sold[3]}${cursor}`);
    seen.push(...page.orders.map((order: Record<string, string>) => order['createdAt']));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  t.deepEqual(seen, [sold[2], sold[1]]);
});

test('deliveries 200: attempts at own endpoints about members, by pages, of each its member; of nobody else', async (t) => {
  const { own, other, a, b, foreign } = await twoResellers();
  const attempt = (n: number, accountId: string, fields: object = {}) => ({
    _id: `att_${accountId}_${n}`,
    accountId,
    deliveryId: `dlv_${n}`,
    eventId: `evt_${n}`,
    externalId: `M${n}`,
    endpointId: 'e',
    eventType: 'item.created',
    attempt: 1,
    status: 'success',
    errorMessage: null,
    httpStatus: 200,
    durationMs: 5,
    responseStart: '',
    createdAt: present(-60_000 + n),
    ...fields,
  });
  await world()
    .store.connection.collection<{ _id: string }>('delivery_attempts')
    .insertMany([
      attempt(0, own.id, { aboutAccountId: a.id }),
      attempt(1, own.id, { aboutAccountId: b.id, status: 'failed' }),
      attempt(2, own.id, { aboutAccountId: a.id }),
      attempt(3, own.id),
      // No member of this reseller, and what another one was told.
      attempt(4, own.id, { aboutAccountId: foreign.id }),
      attempt(5, other.id, { aboutAccountId: a.id }),
      // To the member's own endpoint: its own business.
      attempt(6, a.id),
    ]);
  const found = async (query: string): Promise<[string, string][]> => {
    const seen: [string, string][] = [];
    for (let cursor = ''; ;) {
      const page = await list(own, `deliveries?limit=1${query}${cursor}`);
      seen.push(...page.deliveries.map((row: Record<string, string>) => [row['externalId'], row['memberExternalId']]));
      if (page.nextCursor === null) return seen;
      cursor = `&cursor=${page.nextCursor}`;
    }
  };
  t.deepEqual(await found(''), [
    ['M2', a.reference],
    ['M1', b.reference],
    ['M0', a.reference],
  ]);
  t.deepEqual(await found(`&memberExternalId=${a.reference}&externalId=M0`), [['M0', a.reference]]);
  t.deepEqual(await found('&status=failed'), [['M1', b.reference]]);
  t.deepEqual(await found(`&memberExternalId=nobody`), []);
  await world().call('DELETE', '/business/my-deal', { token: a.token });
  t.deepEqual(await found(''), [['M1', b.reference]]);
  t.deepEqual(await list(foreign, 'deliveries'), { deliveries: [], nextCursor: null });
});

test('400: the cursor of other filters, and what is no parameter', async (t) => {
  const { own, a } = await twoResellers();
  for (const n of [1, 2]) await push(a, `C${n}`);
  const { nextCursor } = await list(own, 'items?limit=1');
  for (const query of [
    `items?limit=1&serviceStatus=sold&cursor=${nextCursor}`,
    'items?q=x',
    'orders?updatedSince=2026-01-01',
  ])
    isError(t, await world().call('GET', `/business/members/${query}`, { token: own.token }), {
      status: 400,
      code: 'BAD_REQUEST',
    });
});
