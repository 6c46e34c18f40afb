import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { runExclusive } from '../../features/accounts/store/accounts.ts';
import { findSaleTerms } from '../../features/resellers/store/deals.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { connectMember } from '../../features/resellers/connect-member.ts';
import { disconnectMember } from '../../features/resellers/leave-reseller.ts';
import { grantResellerAgreement, revokeResellerAgreement } from '../../features/resellers/agreements.ts';
import { until } from '../support/until.ts';
import { withDatabase } from '../support/with-database.ts';

// A sale is stored under the version that the committed rows say was in force when it was made. A change that has to wait for
// its turn must not say afterwards that it was in force from when it began to wait: sales of that time were stored without it.

const store = withDatabase(test);
const start = Date.parse('2026-11-21T12:00:00Z');
let nowMs = start;
const context = {
  get store() {
    return store();
  },
  now: () => new Date(nowMs),
  newId: randomUUID,
  confirmCredential: () => Promise.resolve(),
};

const scopeOf = (id: AccountId): Scope => ({ accountId: id, actingAccountId: id, credential: { kind: 'system' } });
const emailOf = (id: AccountId): string => `${id}@example.se`;

async function anAccount(): Promise<AccountId> {
  const id = accountId(randomUUID());
  const row = { _id: id, email: emailOf(id), name: 'X' };
  await store().connection.collection<typeof row>('accounts').insertOne(row);
  return id;
}

const grant = (id: AccountId, commissionBps: number) =>
  grantResellerAgreement(context, { email: emailOf(id), commissionBps, slug: id });

async function transactionsAborted(): Promise<number> {
  const { transactions } = (await store().connection.db?.command({ serverStatus: 1 })) ?? {};
  return Number(transactions.totalAborted);
}

/** What was in force for the account while `change` waited for the turn of `holder`, asked then and asked afterwards. */
async function termsWhileWaiting(account: AccountId, holder: AccountId, change: () => Promise<unknown>) {
  const soldAt = new Date(nowMs + 10);
  let waiting: Promise<unknown> = Promise.resolve();
  const then = await inTransaction(store(), async (session) => {
    await runExclusive(store(), holder, session);
    const before = await transactionsAborted();
    waiting = change();
    await until('the change meets the turn that is held', async () => (await transactionsAborted()) > before);
    nowMs += 20;
    return findSaleTerms(store(), account, { at: soldAt, session });
  });
  await waiting;
  return { then, afterwards: await termsAt(account, soldAt), now: await termsNow(account) };
}

const termsAt = (account: AccountId, at: Date) =>
  inTransaction(store(), (session) => findSaleTerms(store(), account, { at, session }));

async function termsNow(account: AccountId) {
  nowMs += 10;
  return termsAt(account, context.now());
}

test.serial(
  'an agreement that is granted or changed is in force from its turn on, not from when it began to wait',
  async (t) => {
    const reseller = await anAccount();
    const made = await termsWhileWaiting(reseller, reseller, () => grant(reseller, 250));
    t.deepEqual(made.afterwards, made.then);
    t.not(made.now.dealId, null);
    nowMs += 10;
    const changed = await termsWhileWaiting(reseller, reseller, () => grant(reseller, 300));
    t.deepEqual(changed.afterwards, changed.then);
    t.not(changed.now.dealId, changed.then.dealId);
  },
);

test.serial('a member joins from its turn on, and from that of its reseller', async (t) => {
  for (const waitsFor of ['member', 'reseller'] as const) {
    const [reseller, member] = [await anAccount(), await anAccount()];
    await grant(reseller, 250);
    nowMs += 10;
    const holder = waitsFor === 'member' ? member : reseller;
    const terms = await termsWhileWaiting(member, holder, () =>
      connectMember(context, scopeOf(member), { slug: reseller }),
    );
    t.deepEqual(terms.afterwards, terms.then, waitsFor);
    t.is(terms.now.commission?.resellerAccountId, reseller);
  }
});

test.serial('a member has left, and an agreement ended, when it had its turn', async (t) => {
  for (const end of ['leave', 'revoke'] as const) {
    const [reseller, member] = [await anAccount(), await anAccount()];
    await grant(reseller, 250);
    nowMs += 10;
    await connectMember(context, scopeOf(member), { slug: reseller });
    nowMs += 10;
    const holder = end === 'leave' ? member : reseller;
    const terms = await termsWhileWaiting(member, holder, () =>
      end === 'leave'
        ? disconnectMember(context, scopeOf(member))
        : revokeResellerAgreement(context, emailOf(reseller)),
    );
    t.not(terms.then.commission, null);
    t.deepEqual(terms.afterwards, terms.then, end);
    t.is(terms.now.commission, null);
  }
});
