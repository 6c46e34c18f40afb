import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, orderId } from '../../features/rules/ids.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { findBuyer, findRowsOfBuyer, keepBuyerLonger, storeBuyer } from '../../features/orders/store/buyers.ts';
import { later, noon } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';

const store = withDatabase(test);
const dayMs = 86_400_000;
const address = { name: null, line1: null, line2: null, postalCode: null, city: null, country: null };

const aBuyer = (change = {}) => ({
  _id: orderId(`ord_${randomUUID()}`),
  accountId: accountId(randomUUID()),
  address,
  marketplaceUserId: '1',
  alias: null,
  name: null,
  email: null,
  phone: null,
  keptDays: 10,
  storedAt: noon,
  ...change,
});
const keep = (row: ReturnType<typeof aBuyer>, lastStepAt = noon, now = noon) =>
  inTransaction(store(), (session) => storeBuyer(store(), row, { lastStepAt, now, session }));
const isKept = async ({ _id, accountId: account }: ReturnType<typeof aBuyer>, at: Date): Promise<boolean> =>
  (await findBuyer(store(), account, { orderId: _id, now: at })) !== null;

test('a buyer is read until its days are over, also before the database has deleted it', async (t) => {
  const row = aBuyer();
  await keep(row);
  t.true(await isKept(row, later(10 * dayMs - 1)));
  t.false(await isKept(row, later(10 * dayMs)));
});

test('each step of the order begins the days anew', async (t) => {
  const row = aBuyer();
  await keep(row);
  const lastStepAt = later(5 * dayMs);
  await inTransaction(store(), (session) =>
    keepBuyerLonger(store(), row.accountId, { orderId: row._id, lastStepAt, session }),
  );
  t.true(await isKept(row, later(15 * dayMs - 1)));
  t.false(await isKept(row, later(15 * dayMs)));
});

test('what the marketplace tells of an order whose days are over is not stored', async (t) => {
  const row = aBuyer();
  await keep(row, noon, later(10 * dayMs));
  t.false(await isKept(row, noon));
});

test('another account finds no buyer; an operator finds a buyer of all sellers, by its address in any case', async (t) => {
  const email = `Kim.${randomUUID()}@Example.se`;
  const [one, two] = [aBuyer({ email }), aBuyer({ email: email.toLowerCase() })];
  for (const row of [one, two]) await keep(row);
  t.is(await findBuyer(store(), two.accountId, { orderId: one._id, now: noon }), null);
  t.is((await findRowsOfBuyer(store(), { email: email.toUpperCase() })).length, 2);
});

test('the database deletes a buyer by itself at purgeAt', async (t) => {
  const indexes = await store().connection.collection('order_buyers').indexes();
  t.like(
    indexes.find(({ key }) => 'purgeAt' in key),
    { expireAfterSeconds: 0 },
  );
});
