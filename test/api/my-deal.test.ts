import { randomUUID } from 'node:crypto';
import test from 'ava';
import { grantResellerAgreement, revokeResellerAgreement } from '../../features/resellers/agreements.ts';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';

const world = withApiWorld(test);
const myDeal = async (token: string) => (await world().call('GET', '/business/my-deal', { token })).body;
const leave = (token: string) => world().call('DELETE', '/business/my-deal', { token });
const context = () => ({ store: world().store, now: world().now, newId: randomUUID });
const nothing = { orders: 0, sales: 0, owed: 0, members: [] };
const nothingOwed = { ...nothing, currency: 'SEK', waiting: nothing };

/** A direct sale; gives the order's id. */
async function sell({ apiKey, token }: TestAccount, amount: number): Promise<string> {
  const externalId = randomUUID();
  const item = { title: 'Strålkastare', price: 100, imageUrls: [] };
  await world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body: item });
  const body = { externalId, platform: 'service', amount, status: 'paid' };
  const { id } = (await world().call('POST', '/partner/orders', { token, body })).body;
  world().pass(1);
  return id;
}

const change = async ({ token }: TestAccount, id: string, status: string) =>
  (await world().call('PATCH', `/partner/orders/${id}`, { token, body: { status } })).status;

// specification: get-business-my-deal
test('my deal 200: the default, a member that sees whose it is but not what is owed, a reseller', async (t) => {
  const [reseller, stranger] = [await world().reseller(), await world().account()];
  const none = {
    validFrom: null,
    commissionBps: null,
    directSalesMax: null,
    reseller: null,
    askedReseller: null,
    sharesOrders: null,
    commission: null,
  };
  t.deepEqual(await myDeal(stranger.token), { kind: 'consumer_default', ...none });
  const member = await world().memberOf(reseller);
  const { validFrom, ...deal } = await myDeal(member.token);
  t.regex(validFrom, /^\d{4}-.*Z$/);
  const shown = { userId: reseller.id, displayName: 'Återförsäljaren AB' };
  t.deepEqual(deal, {
    kind: 'sub_account',
    commissionBps: null,
    directSalesMax: null,
    reseller: shown,
    askedReseller: null,
    sharesOrders: false,
    commission: null,
  });
  t.like(await myDeal(reseller.token), {
    kind: 'reseller_agreement',
    commissionBps: 250,
    directSalesMax: 100_000,
    reseller: null,
  });
  t.deepEqual((await myDeal(reseller.token)).commission, nothingOwed);
  await leave(member.token);
  t.deepEqual(await myDeal(member.token), { kind: 'consumer_default', ...none });
});

// specification: commissionbps-applied-to-the
test('commission counts the completed orders of all members, each rounded once, and nothing else', async (t) => {
  const reseller = await world().reseller();
  const [one, two] = [await world().memberOf(reseller), await world().memberOf(reseller)];
  world().pass(1);
  // 2.5 % of 1.99 is 4.975 öre: 5. Rounded in one sum three of them would be 15 too, of 1.90 (4.75: 5 each) 14.
  for (const amount of [1.9, 1.9, 1.9]) t.is(await change(one, await sell(one, amount), 'completed'), 200);
  t.is(await change(two, await sell(two, 349.5), 'completed'), 200);
  await sell(one, 1_000);
  t.is(await change(two, await sell(two, 1_000), 'cancelled'), 200);
  t.is(await change(reseller, await sell(reseller, 1_000), 'completed'), 200);
  const memberName = 'Medlemmen AB';
  const { commission } = await myDeal(reseller.token);
  t.deepEqual(commission, {
    orders: 4,
    sales: 355.2,
    owed: 8.89,
    currency: 'SEK',
    waiting: nothing,
    members: [
      { memberUserId: two.id, memberName, orders: 1, sales: 349.5, owed: 8.74 },
      { memberUserId: one.id, memberName, orders: 3, sales: 5.7, owed: 0.15 },
    ],
  });
});

test('commission names present members; one that has left, or is another reseller’s now, has no name in it', async (t) => {
  const [reseller, other] = [await world().reseller(), await world().reseller()];
  const [stays, leaves] = [await world().memberOf(reseller), await world().memberOf(reseller)];
  world().pass(1);
  for (const member of [stays, leaves]) await change(member, await sell(member, 100), 'completed');
  await leave(leaves.token);
  const names = async () => {
    const { members } = (await myDeal(reseller.token)).commission;
    return members.map((row: Record<string, unknown>) => [row['memberUserId'], row['memberName']]).toSorted();
  };
  const expected = [
    [stays.id, 'Medlemmen AB'],
    [leaves.id, null],
  ].toSorted();
  t.deepEqual(await names(), expected);
  await world().call('POST', `/p/${other.slug}/connect`, { token: leaves.token });
  t.deepEqual(await names(), expected);
});

// specification: sales-of-the-time
test('a sale of the time of the membership owes, whenever it is completed; one before or after it does not', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  const before = await sell(member, 100);
  await world().call('POST', `/p/${reseller.slug}/connect`, { token: member.token });
  world().pass(1);
  const during = await sell(member, 200);
  await leave(member.token);
  world().pass(1);
  const after = await sell(member, 400);
  for (const id of [before, during, after]) t.is(await change(member, id, 'completed'), 200);
  t.like((await myDeal(reseller.token)).commission, { orders: 1, sales: 200, owed: 5 });
});

// specification: sales-of-the-time
test('another commission, or the end of the agreement, changes nothing for what was sold before', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  world().pass(1);
  const first = await sell(member, 100);
  const { email, slug } = reseller;
  await grantResellerAgreement(context(), { email, commissionBps: 1_000, slug });
  world().pass(1);
  const second = await sell(member, 100);
  t.is((await myDeal(reseller.token)).commissionBps, 1_000);
  await revokeResellerAgreement(context(), email);
  world().pass(1);
  const third = await sell(member, 100);
  for (const id of [first, second, third]) t.is(await change(member, id, 'completed'), 200);
  const deal = await myDeal(reseller.token);
  t.like(deal, { kind: 'consumer_default', validFrom: null, commissionBps: null });
  t.like(deal.commission, { orders: 2, sales: 200, owed: 12.5 });
  t.is((await myDeal(member.token)).kind, 'consumer_default');
});

// specification: get-business-my-deal
test('an order that a member reads does not say what its reseller has agreed to', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  world().pass(1);
  await sell(member, 100);
  const { text } = await world().call('GET', '/partner/orders', { token: member.token });
  // 250 by itself: random ids have it among their digits.
  t.notRegex(text, /commission|\b250\b/i);
  t.false(text.includes(reseller.id));
});

test('my deal 401 and 400: an API key, an unknown parameter', async (t) => {
  const { apiKey, token } = await world().account();
  isError(t, await world().call('GET', '/business/my-deal', { apiKey }), { status: 401, code: 'UNAUTHORIZED' });
  isError(t, await world().call('GET', '/business/my-deal?member=x', { token }), { status: 400, code: 'BAD_REQUEST' });
});
