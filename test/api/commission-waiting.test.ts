import { randomUUID } from 'node:crypto';
import test from 'ava';
import { grantResellerAgreement } from '../../features/resellers/agreements.ts';
import { isError, startApiWorld, withApiWorld, type ApiWorld, type TestAccount } from '../support/api-world.ts';

// What a stranger that joins can make its reseller owe: nothing above the sum of the agreement, unless the reseller confirms it.

const world = withApiWorld(test);

/** A direct sale that is paid and completed; gives the order's id. */
async function sell({ apiKey, token }: TestAccount, amount: number, at: ApiWorld = world()): Promise<string> {
  const externalId = randomUUID();
  const item = { title: 'Skruv', price: 1, imageUrls: [] };
  await at.call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body: item });
  const body = { externalId, platform: 'service', amount, status: 'paid', isAmountConfirmed: true };
  const { id } = (await at.call('POST', '/partner/orders', { token, body })).body;
  at.pass(1);
  const completed = await at.call('PATCH', `/partner/orders/${id}`, { token, body: { status: 'completed' } });
  if (completed.status !== 200) throw new Error(completed.text);
  return id;
}

async function aPair(at: ApiWorld = world()) {
  const reseller = await at.reseller();
  const member = await at.memberOf(reseller);
  at.pass(1);
  return { reseller, member };
}

const owed = async ({ token }: Pick<TestAccount, 'token'>, at: ApiWorld = world()) =>
  (await at.call('GET', '/business/my-deal', { token })).body.commission;
const confirm = ({ token }: Pick<TestAccount, 'token'>, body: object) =>
  world().call('POST', '/business/my-deal/confirmations', { token, body });
const logged = async ({ token }: TestAccount, kind: string) =>
  (await world().call('GET', `/partner/audit-log?kind=${kind}`, { token })).body.entries;

test('a stranger that joins and sells for millions makes its reseller owe nothing, also when it has left', async (t) => {
  const { reseller, member } = await aPair();
  for (const _ of [1, 2, 3]) await sell(member, 99_999_999.99);
  const waiting = { orders: 3, sales: 299_999_999.97, owed: 7_500_000 };
  const row = { memberUserId: member.id, memberName: 'Medlemmen AB', ...waiting };
  t.deepEqual(await owed(reseller), {
    orders: 0,
    sales: 0,
    owed: 0,
    currency: 'SEK',
    members: [],
    waiting: { ...waiting, members: [row] },
  });
  await world().call('DELETE', `/business/my-profile/connections/${member.id}`, { token: reseller.token });
  t.like(await owed(reseller), { owed: 0, waiting });
});

test('an order that goes above the sum waits as a whole; a smaller one that fits counts', async (t) => {
  const { reseller, member } = await aPair();
  for (const amount of [60_000, 40_000.01, 39_000, 1_000, 0.01]) await sell(member, amount);
  t.like(await owed(reseller), { orders: 3, sales: 100_000, waiting: { orders: 2, sales: 40_000.02 } });
  const other = await world().memberOf(reseller);
  world().pass(1);
  await sell(other, 100_000);
  t.like(await owed(reseller), { orders: 4, sales: 200_000, waiting: { orders: 2, sales: 40_000.02 } });
});

test('orders that are completed at once never count for more than the sum', async (t) => {
  const { reseller, member } = await aPair();
  await Promise.all(Array.from({ length: 6 }, () => sell(member, 30_000)));
  t.like(await owed(reseller), { orders: 3, sales: 90_000, waiting: { orders: 3, sales: 90_000 } });
});

test('each month has the sum again', async (t) => {
  const own = await startApiWorld();
  t.teardown(() => own.close());
  const { reseller, member } = await aPair(own);
  await sell(member, 100_000, own);
  await sell(member, 100, own);
  t.like(await owed(reseller, own), { orders: 1, waiting: { orders: 1 } });
  own.pass(32 * 86_400_000);
  const { accessToken: token } = (await own.call('POST', '/auth/login', { body: member })).body;
  await sell({ ...member, token }, 100_000, own);
  const again = (await own.call('POST', '/auth/login', { body: reseller })).body;
  t.like(await owed({ token: again.accessToken }, own), { orders: 2, sales: 200_000, waiting: { orders: 1 } });
});

test('the agreement in force at the sale names the sum; a grant that names none keeps it', async (t) => {
  const { reseller, member } = await aPair();
  const { email, slug } = reseller;
  const context = { store: world().store, now: world().now, newId: randomUUID };
  const grant = (terms: object) => grantResellerAgreement(context, { email, slug, commissionBps: 250, ...terms });
  await grant({ directSalesMax: 500 });
  world().pass(1);
  await sell(member, 500.01);
  t.like(await owed(reseller), { orders: 0, waiting: { orders: 1 } });
  await grant({ commissionBps: 1_000 });
  world().pass(1);
  await sell(member, 500);
  t.like((await world().call('GET', '/business/my-deal', { token: reseller.token })).body, {
    directSalesMax: 500,
    commission: { orders: 1, owed: 50, waiting: { orders: 1 } },
  });
  await t.throwsAsync(grant({ directSalesMax: -1 }), { message: /Validation failed/ });
});

test('confirm 200: what waited is owed, once, and the log says it; what comes later waits again', async (t) => {
  const { reseller, member } = await aPair();
  await sell(member, 200_000);
  await sell(member, 300_000);
  const shown = { memberUserId: member.id, orders: 2, sales: 500_000 };
  const confirmed = await confirm(reseller, shown);
  t.is(confirmed.status, 200, confirmed.text);
  t.like(confirmed.body.commission, { orders: 2, sales: 500_000, owed: 12_500, waiting: { orders: 0, members: [] } });
  isError(t, await confirm(reseller, shown), { status: 409, code: 'CONFLICT' });
  const [entry, ...others] = await logged(reseller, 'commission_confirmed');
  t.deepEqual(others, []);
  t.deepEqual(entry.details, { ...shown, owed: 12_500 });
  // Confirmed orders take nothing of the sum that counts by itself.
  await sell(member, 100_000);
  await sell(member, 150_000);
  t.like(await owed(reseller), { orders: 3, owed: 15_000, waiting: { orders: 1, sales: 150_000 } });
});

test('confirm 409: another order waits by now; nobody else may confirm', async (t) => {
  const { reseller, member } = await aPair();
  await sell(member, 200_000);
  const shown = { memberUserId: member.id, orders: 1, sales: 200_000 };
  const other = await world().reseller();
  for (const account of [other, member]) isError(t, await confirm(account, shown), { status: 409, code: 'CONFLICT' });
  await sell(member, 300_000);
  isError(t, await confirm(reseller, shown), { status: 409, code: 'CONFLICT' });
  t.like(await owed(reseller), { orders: 0, owed: 0, waiting: { orders: 2, sales: 500_000 } });
  for (const body of [{}, { ...shown, orders: 0 }, { ...shown, sales: -1 }, { ...shown, all: true }])
    isError(t, await confirm(reseller, body), { status: 422, code: 'VALIDATION_FAILED' });
});

test('confirmations and completions at once: every order is owed or waits, none twice', async (t) => {
  const { reseller, member } = await aPair();
  for (const _ of [1, 2, 3]) await sell(member, 200_000);
  const shown = { memberUserId: member.id, orders: 3, sales: 600_000 };
  const statuses = await Promise.all([
    ...[1, 2, 3].map(async () => (await confirm(reseller, shown)).status),
    ...[1, 2, 3].map(async () => void (await sell(member, 200_000))),
  ]);
  const { orders, waiting } = await owed(reseller);
  const isConfirmed = statuses.includes(200);
  t.deepEqual([orders, waiting.orders], isConfirmed ? [3, 3] : [0, 6]);
  t.is(waiting.sales, isConfirmed ? 600_000 : 1_200_000);
  t.true(statuses.filter((status) => status === 200).length <= 1);
});
