import test from 'ava';
import { freeState, nextCheckAt, type SubscriptionState } from '../../features/partner/rules/subscription.ts';

const now = new Date('2026-02-01T12:00:00Z');
const after = (ms: number): Date => new Date(now.getTime() + ms);
const minute = 60_000;
const day = 24 * 60 * minute;

const paidUntil = (ms: number): SubscriptionState => ({
  tier: 'pro',
  subscriptionId: 'sub_1',
  startedAt: after(-day),
  paidUntil: after(ms),
  renews: true,
});
const check = (state: SubscriptionState, checkout: Parameters<typeof nextCheckAt>[0]['checkout'] = null) =>
  nextCheckAt({ state, checkout, mayChange: false }, now);
const openedFor = (ms: number) => ({ openedAt: after(-ms), closesAt: after(day - ms) });

test('on the free tier, with no checkout open, nothing is to be looked for', (t) => {
  t.is(check(freeState), null);
});

test('a subscription is checked right after its end, and once a day before', (t) => {
  t.deepEqual(check(paidUntil(minute)), after(minute + 15_000));
  t.deepEqual(check(paidUntil(20 * day)), after(day));
});

test('after the end it is checked less and less often, at least once a day', (t) => {
  t.deepEqual(check(paidUntil(-30_000)), after(minute));
  t.deepEqual(check(paidUntil(-15_000 - 60 * minute)), after(30 * minute));
  t.deepEqual(check(paidUntil(-30 * day)), after(day));
});

test('an open checkout is checked less and less often, and once more when it has closed', (t) => {
  t.deepEqual(check(freeState, openedFor(0)), after(minute));
  t.deepEqual(check(freeState, openedFor(60 * minute)), after(30 * minute));
  t.deepEqual(check(freeState, openedFor(day - minute)), after(2 * minute));
  t.is(check(freeState, openedFor(day + minute)), null);
});

test('what gives nothing now and may again is looked at once a day', (t) => {
  t.deepEqual(nextCheckAt({ state: freeState, checkout: null, mayChange: true }, now), after(day));
  t.deepEqual(nextCheckAt({ state: paidUntil(minute), checkout: null, mayChange: true }, now), after(minute + 15_000));
});
