import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import {
  describeSubscription,
  freeState,
  stateOf,
  stateWithoutCustomer,
  unended,
  type HeldSubscription,
} from '../../features/partner/rules/subscription.ts';

const account = accountId('3f0c3a52-54f0-4b1c-9a53-0c7f1b7b9d11');
const [january, february, march] = ['2026-01-15T10:00:00Z', '2026-02-15T10:00:00Z', '2026-03-15T10:00:00Z'].map(
  (text) => new Date(text),
) as [Date, Date, Date];

const held = (changes: Partial<HeldSubscription> = {}): HeldSubscription => ({
  id: 'sub_1',
  accountId: account,
  status: 'active',
  startedAt: january,
  periodStart: february,
  periodEnd: march,
  endsAt: null,
  ...changes,
});

const view = (subscriptions: readonly HeldSubscription[], now: Date) =>
  describeSubscription(stateOf(account, subscriptions), now);

const free = { tier: 'free', isPro: false, subscribedAt: null, expiresAt: null };
const paid = { tier: 'pro', subscribedAt: january.toISOString(), expiresAt: march.toISOString() };
const before = (time: Date): Date => new Date(time.getTime() - 1);

// specification: free-tier-ispro-false
test('without a subscription the tier is free, isPro is false and both times are null', (t) => {
  t.deepEqual(view([], march), free as never);
  t.deepEqual(describeSubscription(freeState, march), free as never);
});

// specification: ispro-only-when-the
test('isPro holds until expiresAt and no longer, whether an event comes or not', (t) => {
  t.deepEqual(view([held()], february), { ...paid, isPro: true } as never);
  t.deepEqual(view([held()], before(march)), { ...paid, isPro: true } as never);
  t.deepEqual(view([held()], march), { ...paid, isPro: false } as never);
});

test('a cancelled subscription is Pro until its paid period ends, or until the earlier day it was told', (t) => {
  t.like(view([held({ endsAt: march })], before(march)), { ...paid, isPro: true });
  const earlier = new Date('2026-02-20T00:00:00Z');
  t.like(view([held({ endsAt: earlier })], february), { isPro: true, expiresAt: earlier.toISOString() });
  t.false(stateOf(account, [held({ endsAt: march })]).renews);
});

test('when a payment fails, Pro lasts until the end of what was paid', (t) => {
  const late = held({ status: 'past_due', periodStart: february, periodEnd: march });
  t.like(view([late], before(february)), { tier: 'pro', isPro: true, expiresAt: february.toISOString() });
  t.like(view([late], february), { tier: 'pro', isPro: false, expiresAt: february.toISOString() });
});

test('a trial is Pro', (t) => {
  t.true(view([held({ status: 'trialing' })], february).isPro);
});

test('a first payment that is not made yet, a pause, or what was never paid gives nothing', (t) => {
  t.deepEqual(view([held({ status: 'other' })], february), free as never);
});

test('what gives nothing but has not ended still stands in the way of another; what others hold does not', (t) => {
  const list = [held({ status: 'other' }), held({ id: 'sub_2', accountId: null })];
  t.deepEqual(
    unended(account, list).map(({ id }) => id),
    ['sub_1'],
  );
});

test('without any customer at the processor what was sold lasts until its end and no longer', (t) => {
  const sold = stateOf(account, [held()]);
  t.is(stateWithoutCustomer(sold, before(march)), sold);
  t.is(stateWithoutCustomer(sold, march), freeState);
  t.is(stateWithoutCustomer(freeState, march), freeState);
});

test('subscriptions of others and of other products of the same customer give nothing', (t) => {
  t.deepEqual(view([held({ accountId: null }), held({ accountId: 'another' })], february), free as never);
});

test('of several the one that is paid longest counts, in whatever order they are listed', (t) => {
  const longer = held({ id: 'sub_2', periodEnd: new Date('2026-04-01T00:00:00Z') });
  for (const list of [
    [held(), longer],
    [longer, held()],
  ])
    t.is(stateOf(account, list).subscriptionId, 'sub_2');
  const same = [held({ id: 'b' }), held({ id: 'a' })];
  t.is(stateOf(account, same).subscriptionId, 'a');
  t.is(stateOf(account, same.toReversed()).subscriptionId, 'a');
});
