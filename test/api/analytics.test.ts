import { randomUUID } from 'node:crypto';
import test from 'ava';
import { isError, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);
const read = (token: string, query = '') => world().call('GET', `/partner/analytics${query}`, { token });

// specification: monthlyrevenue-up-to-12, get-partner-analytics-200
test('analytics 200: everything is zero for a new account, with twelve months that end now', async (t) => {
  const { token } = await world().account();
  const reply = await read(token);
  t.is(reply.status, 200);
  t.deepEqual(reply.body.inventory, { total: 0, active: 0, draft: 0, sold: 0, archived: 0 });
  t.is(reply.body.monthlyRevenue.length, 12);
  const zero = { gross: 0, fee: 0, net: 0, orders: 0 };
  for (const { month, ...rest } of reply.body.monthlyRevenue) {
    t.regex(month, /^\d{4}-\d{2}$/);
    t.deepEqual(rest, zero);
  }
  t.deepEqual(reply.body.categoryBreakdown, []);
  t.deepEqual(reply.body.revenueSummary, { totalGross: 0, totalFee: 0, totalNet: 0, totalPending: 0 });
  t.is(reply.headers.get('cache-control'), 'no-store');
});

// specification: inventory-total-all-items
test('analytics 200: what was pushed a moment ago is in it already', async (t) => {
  const { token, apiKey } = await world().account();
  for (const externalId of ['A1', 'A2', 'A3', 'A4']) {
    const body = { title: 'Bok', price: 100, imageUrls: [] };
    await world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body });
  }
  const set = (status: string, id: string) =>
    world().call('PATCH', `/integration/v1/items/${id}/status`, { apiKey, body: { status } });
  await set('sold', 'A1');
  await set('not_listed', 'A2');
  await world().call('DELETE', '/integration/v1/items/A3', { apiKey });
  const { inventory } = (await read(token)).body;
  t.deepEqual(inventory, { total: 3, active: 1, draft: 0, sold: 1, archived: 0 });
});

// specification: monthlyrevenue-gross-fee-net, categorybreakdown-the-name-derives
test('analytics 200: a direct sale is pending, then paid, then revenue of its category in this month', async (t) => {
  const { token, apiKey } = await world().account();
  const body = { title: 'Telefon', price: 100, imageUrls: [], domain: { domain: 'electronics' } };
  await world().call('PUT', '/integration/v1/items/P1', { apiKey, body });
  const sale = { externalId: 'P1', platform: 'service', amount: 149.9 };
  const order = await world().call('POST', '/partner/orders', { token, body: sale });
  t.is(order.status, 201, order.text);
  t.is((await read(token)).body.revenueSummary.totalPending, 149.9);
  const become = (status: string) =>
    world().call('PATCH', `/partner/orders/${order.body.id}`, { token, body: { status } });
  await become('paid');
  t.deepEqual((await read(token)).body.revenueSummary, { totalGross: 0, totalFee: 0, totalNet: 0, totalPending: 0 });
  await become('completed');
  const { monthlyRevenue, categoryBreakdown, revenueSummary } = (await read(token)).body;
  t.like(monthlyRevenue.at(-1), { gross: 149.9, fee: 7.5, net: 142.4, orders: 1 });
  t.deepEqual(categoryBreakdown, [{ category: 'Elektronik', count: 1, revenue: 149.9 }]);
  t.deepEqual(revenueSummary, { totalGross: 149.9, totalFee: 7.5, totalNet: 142.4, totalPending: 0 });
});

test('analytics 400: an unknown query parameter', async (t) => {
  const { token } = await world().account();
  const reply = await world().call('GET', '/partner/analytics?months=3', { token });
  isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
  t.is(reply.body.details[0].field, 'months');
});

test('analytics 200: with a period what was completed in it, by day or month, and in the one before; without it the body of before', async (t) => {
  const [{ token, apiKey, id }, other] = [await world().account(), await world().account()];
  await complete({ token, apiKey }, 'P1', 149.9);
  await complete(other, 'P1', 1_000);
  const dayMs = 24 * 3_600_000;
  const completedAt = new Date(world().now().getTime() - 31 * dayMs);
  const old = { accountId: id, state: 'completed', category: 'Kläder', amountOre: 10_000, feeOre: 500, completedAt };
  await world()
    .store.connection.collection<{ _id: string }>('orders')
    .insertOne({ _id: `old-${id}`, ...old });
  const days = (await read(token, '?period=last_30_days')).body;
  t.like(days.period, { name: 'last_30_days', unit: 'day', total: { gross: 149.9, fee: 7.5, net: 142.4, orders: 1 } });
  t.like(days.period.before, { gross: 100, fee: 5, net: 95, orders: 1 });
  t.is(days.period.parts.length, 30);
  t.like(days.period.parts.at(-1), { gross: 149.9, orders: 1 });
  const months = (await read(token, '?period=last_12_months')).body;
  t.deepEqual(
    months.period.parts.map(({ begins, ...sums }: { begins: string }) => ({ month: begins.slice(0, 7), ...sums })),
    months.monthlyRevenue,
  );
  const { period: _period, ...rest } = days;
  t.deepEqual((await read(token)).body, rest);
  isError(t, await read(token, '?period=ever'), { status: 400, code: 'BAD_REQUEST' });
});

async function complete({ token, apiKey }: { token: string; apiKey: string }, externalId: string, amount: number) {
  const body = { title: 'Telefon', price: 100, imageUrls: [] };
  await world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body });
  const sale = { externalId, platform: 'service', amount, status: 'paid' };
  const { id } = (await world().call('POST', '/partner/orders', { token, body: sale })).body;
  await world().call('PATCH', `/partner/orders/${id}`, { token, body: { status: 'completed' } });
}

test("analytics 200: nothing of another account's is in it", async (t) => {
  const [one, other] = [await world().account(), await world().account()];
  const body = { title: 'Bok', price: 100, imageUrls: [] };
  await world().call('PUT', `/integration/v1/items/${randomUUID()}`, { apiKey: other.apiKey, body });
  t.is((await read(one.token)).body.inventory.total, 0);
});
