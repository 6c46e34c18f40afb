import { randomUUID } from 'node:crypto';
import test from 'ava';
import { voidOrder } from '../../features/operations/void-order.ts';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';

const world = withApiWorld(test);
const asOperator = (id: string) => voidOrder({ store: world().store, now: world().now, operator: 'Kim' }, id);

/** A direct sale, as far as its status says; gives the order's id. */
async function sell({ apiKey, token }: TestAccount, amount: number, statuses: readonly string[]): Promise<string> {
  const externalId = randomUUID();
  const item = { title: 'Skruv', price: 1_000, imageUrls: [] };
  await world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body: item });
  const body = { externalId, platform: 'service', amount, isAmountConfirmed: true };
  const { id } = (await world().call('POST', '/partner/orders', { token, body })).body;
  for (const status of statuses) await world().call('PATCH', `/partner/orders/${id}`, { token, body: { status } });
  return id;
}

const read = async ({ token }: TestAccount, path: string) => (await world().call('GET', path, { token })).body;
const voided = async (account: TestAccount) =>
  (await read(account, '/partner/audit-log?kind=order_voided')).entries.map(
    ({ actor, details }: { actor: { kind: string }; details: object }) => [actor.kind, details],
  );

async function aPair() {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  world().pass(1);
  return { reseller, member };
}

test('a voided order is in no sum, and the logs of both sides say so', async (t) => {
  const { reseller, member } = await aPair();
  const [kept, gone, waits] = [
    await sell(member, 400, ['paid', 'completed']),
    await sell(member, 1_000, ['paid', 'completed']),
    await sell(member, 200_000, ['paid', 'completed']),
  ];
  t.like((await read(reseller, '/business/my-deal')).commission, { orders: 2, owed: 35, waiting: { orders: 1 } });
  const told = { orderId: gone, accountId: member.id, amount: 1_000, stateBefore: 'completed' };
  t.deepEqual<object, object>(await asOperator(gone), told);
  await asOperator(waits);
  t.like((await read(reseller, '/business/my-deal')).commission, { orders: 1, owed: 10, waiting: { orders: 0 } });
  t.like((await read(member, '/partner/analytics')).revenueSummary, { totalGross: 400 });
  t.like((await read(member, '/partner/analytics?period=last_30_days')).period.total, { gross: 400, orders: 1 });
  t.like(await read(member, `/partner/orders/${gone}`), { status: 'cancelled', completedAt: null });
  t.like(await read(member, `/partner/orders/${kept}`), { status: 'completed' });
  const all = [waits, gone].map((orderId) => ({ orderId, amount: orderId === gone ? 1_000 : 200_000 }));
  t.deepEqual(
    await voided(member),
    all.map((details) => ['operator', details]),
  );
  t.deepEqual(
    await voided(reseller),
    all.map((details) => ['operator', { ...details, memberUserId: member.id }]),
  );
});

test('a voided order makes room in its month', async (t) => {
  const { reseller, member } = await aPair();
  const first = await sell(member, 100_000, ['paid', 'completed']);
  await asOperator(first);
  await sell(member, 100_000, ['paid', 'completed']);
  t.like((await read(reseller, '/business/my-deal')).commission, { orders: 1, sales: 100_000, waiting: { orders: 0 } });
});

test('what waits beside a voided order can be confirmed', async (t) => {
  const { reseller, member } = await aPair();
  const statuses = ['paid', 'completed'];
  const gone = await sell(member, 200_000, statuses);
  await sell(member, 300_000, statuses);
  await asOperator(gone);
  const body = { memberUserId: member.id, orders: 1, sales: 300_000 };
  const confirmed = await world().call('POST', '/business/my-deal/confirmations', { token: reseller.token, body });
  t.is(confirmed.status, 200, confirmed.text);
  t.like(confirmed.body.commission, { orders: 1, sales: 300_000, owed: 7_500, waiting: { orders: 0 } });
});

test('voiding ends an order in progress as cancelling does, changes nothing twice, and knows no other order', async (t) => {
  const { member } = await aPair();
  const id = await sell(member, 400, ['paid']);
  const { externalId } = await read(member, `/partner/orders/${id}`);
  for (const stateBefore of ['paid', 'cancelled']) t.like(await asOperator(id), { orderId: id, stateBefore });
  t.is((await voided(member)).length, 1);
  const { entries } = await read(member, `/partner/items/${externalId}/timeline`);
  t.like(entries[0], { kind: 'order_cancelled', actor: 'operator' });
  await t.throwsAsync(asOperator('ord_of-nobody'), { message: /There is no order/ });
});
