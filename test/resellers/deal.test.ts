import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { decideJoin, standingOf, type DealInForce } from '../../features/resellers/rules/deal.ts';

const [reseller, other, member] = [accountId('reseller'), accountId('other'), accountId('member')];
const validFrom = new Date('2026-01-01');
const deals: readonly (DealInForce | null)[] = [
  null,
  { kind: 'reseller_agreement', resellerAccountId: null },
  { kind: 'sub_account', resellerAccountId: reseller },
  { kind: 'sub_account', resellerAccountId: other },
];

const outcome = (account: typeof member, deal: DealInForce | null): string => {
  try {
    return decideJoin(account, reseller, deal);
  } catch {
    return 'refuse';
  }
};

const outcomeOf = {
  free: 'join',
  waiting: 'join',
  member: 'keep',
  own_page: 'refuse',
  member_elsewhere: 'refuse',
  reseller: 'refuse',
};

for (const account of [member, reseller])
  for (const deal of deals)
    test(`the page says of ${account} under ${JSON.stringify(deal)} what joining would do`, (t) => {
      for (const askedAt of [null, validFrom]) {
        const { kind } = standingOf(account, reseller, { deal: deal && { ...deal, validFrom }, askedAt });
        t.is(outcomeOf[kind], outcome(account, deal));
      }
    });

test('a member is told since when it is one', (t) => {
  const deal = { kind: 'sub_account', resellerAccountId: reseller, validFrom } as const;
  t.deepEqual(standingOf(member, reseller, { deal, askedAt: null }), { kind: 'member', since: validFrom });
});

test('an account that asked is told since when it waits', (t) => {
  const asked = { deal: null, askedAt: validFrom };
  t.deepEqual(standingOf(member, reseller, asked), { kind: 'waiting', since: validFrom });
});
