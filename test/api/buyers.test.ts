import test from 'ava';
import { accountId, orderId } from '../../features/rules/ids.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { storeBuyer } from '../../features/orders/store/buyers.ts';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';

// Who reads a buyer, and how long there is one. Where it comes from is in test/workflows/buyers.slow.test.ts.

const world = withApiWorld(test);
const kim = {
  marketplaceUserId: '123456',
  alias: 'kim',
  name: 'Kim Andersson',
  email: 'kim@example.se',
  phone: null,
  address: { name: null, line1: 'Storgatan 1', line2: null, postalCode: '903 26', city: 'Umeå', country: 'Sverige' },
};

/** A sold item whose buyer is kept for ten days after the last step. */
async function aSale(account: TestAccount): Promise<string> {
  const { apiKey, token } = account;
  const item = { title: 'Strålkastare', price: 450, imageUrls: [] };
  await world().call('PUT', '/integration/v1/items/A1', { apiKey, body: item });
  const sale = { externalId: 'A1', platform: 'service', amount: 349.5 };
  const { id } = (await world().call('POST', '/partner/orders', { token, body: sale })).body;
  const now = world().now();
  const row = { _id: orderId(id), accountId: accountId(account.id), ...kim, keptDays: 10, storedAt: now };
  await inTransaction(world().store, (session) => storeBuyer(world().store, row, { lastStepAt: now, now, session }));
  return id;
}

const byKey = ({ apiKey }: TestAccount, id: string) => world().call('GET', `/integration/v1/orders/${id}`, { apiKey });
const bySession = ({ token }: TestAccount, id: string) => world().call('GET', `/partner/orders/${id}`, { token });
const logOf = async ({ token }: TestAccount) =>
  (await world().call('GET', '/partner/audit-log?kind=buyer_read', { token })).body.entries;

test('one order has its buyer, for key and session; neither the list nor the answer to a change has it', async (t) => {
  const account = await world().account();
  const id = await aSale(account);
  for (const one of [await byKey(account, id), await bySession(account, id)]) {
    const { keptUntil, ...buyer } = one.body.buyer;
    t.deepEqual(buyer, kim);
    t.regex(keptUntil, /Z$/);
  }
  const { apiKey } = account;
  const listed = await world().call('GET', '/integration/v1/orders', { apiKey });
  const body = { status: 'paid' };
  const changed = await world().call('PATCH', `/integration/v1/orders/${id}`, { apiKey, body });
  for (const { text } of [listed, changed]) t.false(text.includes('Storgatan'));
});

test('who read a buyer is in the log, once a day for each credential, and names the order alone', async (t) => {
  const account = await world().account();
  const id = await aSale(account);
  for (const read of [byKey, byKey, bySession, bySession]) await read(account, id);
  t.deepEqual(
    (await logOf(account)).map(({ actor, details }: { actor: { kind: string }; details: object }) => [
      actor.kind,
      details,
    ]),
    [
      ['dashboard', { orderId: id }],
      ['api_key', { orderId: id }],
    ],
  );
});

test("a reseller that reads a buyer is in the member's log", async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  const id = await aSale(member);
  await world().call('PATCH', '/business/my-deal', { token: member.token, body: { sharesOrders: true } });
  const headers = { 'X-Partner-Account': member.reference };
  const read = await world().call('GET', `/integration/v1/orders/${id}`, { apiKey: reseller.apiKey, headers });
  t.like(read.body.buyer, { name: 'Kim Andersson' });
  t.like((await logOf(member))[0], { actor: { kind: 'reseller' }, details: { orderId: id } });
  const bySession = `/partner/orders/${id}?member=${member.reference}`;
  const again = await world().call('GET', bySession, { token: reseller.token });
  t.like(again.body.buyer, { name: 'Kim Andersson' });
  t.like((await logOf(member))[0], { actor: { kind: 'reseller', userId: reseller.id, keyId: null } });
});
