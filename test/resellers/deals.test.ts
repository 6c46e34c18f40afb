import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import {
  endCurrentDeal,
  findCurrentDeal,
  findSaleTerms,
  insertDeal,
  type DealRow,
} from '../../features/resellers/store/deals.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { withDatabase } from '../support/with-database.ts';

const store = withDatabase(test);
const at = (ms: number): Date => new Date(Date.parse('2026-11-21T12:00:00Z') + ms);

const aDeal = (of: AccountId, change: Partial<DealRow>): DealRow => ({
  _id: randomUUID(),
  accountId: of,
  kind: 'reseller_agreement',
  commissionBps: 250,
  resellerAccountId: null,
  current: true,
  validFrom: at(0),
  validTo: null,
  ...change,
});

/** The next version, and the end of the one before. */
async function put(deal: DealRow): Promise<DealRow> {
  await inTransaction(store(), async (session) => {
    await endCurrentDeal(store(), deal.accountId, { at: deal.validFrom, session });
    await insertDeal(store(), deal, session);
  });
  return deal;
}

const termsAt = (account: AccountId, at: Date) =>
  inTransaction(store(), (session) => findSaleTerms(store(), account, { at, session }));

// specification: the-versions-in-force
test('a sale finds the versions of its own moment, from the first instant of each to the last before the next', async (t) => {
  const [reseller, member] = [accountId(randomUUID()), accountId(randomUUID())];
  const first = await put(aDeal(reseller, { commissionBps: 100 }));
  const link = { kind: 'sub_account', commissionBps: null, resellerAccountId: reseller } as const;
  const membership = await put(aDeal(member, { ...link, validFrom: at(10) }));
  const second = await put(aDeal(reseller, { commissionBps: 200, validFrom: at(20) }));
  await inTransaction(store(), (session) => endCurrentDeal(store(), member, { at: at(30), session }));
  const termsOf = ({ _id, commissionBps }: DealRow) => ({
    resellerAccountId: reseller,
    agreementId: _id,
    commissionBps,
  });
  const expected: [ms: number, dealId: string | null, commission: object | null][] = [
    [9, null, null],
    [10, membership._id, termsOf(first)],
    [19, membership._id, termsOf(first)],
    [20, membership._id, termsOf(second)],
    [29, membership._id, termsOf(second)],
    [30, null, null],
  ];
  for (const [ms, dealId, commission] of expected) {
    const found: object = await termsAt(member, at(ms));
    t.deepEqual(found, { dealId, commission }, `${ms} ms`);
  }
  const own: object = await termsAt(reseller, at(25));
  t.deepEqual(own, { dealId: second._id, commission: null }, 'what a reseller sells itself owes nothing');
});

// specification: deals-are-versioned-and
test('no field of a version can be rewritten, only its end be written', async (t) => {
  const account = accountId(randomUUID());
  const deal = await put(aDeal(account, {}));
  const model = store().connection.model('deals');
  const changes = { accountId: 'x', kind: 'sub_account', commissionBps: 1, resellerAccountId: 'x', validFrom: at(1) };
  for (const [name, value] of Object.entries(changes))
    await model.updateOne({ _id: deal._id }, { $set: { [name]: value } }).exec();
  t.deepEqual<object | null, object | null>(await findCurrentDeal(store(), account), deal);
});

// specification: deals-are-versioned-and
test('an account never has two deals in force', async (t) => {
  const account = accountId(randomUUID());
  await put(aDeal(account, {}));
  await t.throwsAsync(
    inTransaction(store(), (session) => insertDeal(store(), aDeal(account, {}), session)),
    {
      message: /one_current_deal/,
    },
  );
});
