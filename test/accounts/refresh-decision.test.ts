import test from 'ava';
import { decideRefresh, sessionExpiry, type RenewalState } from '../../features/accounts/rules/refresh-decision.ts';

const now = new Date('2026-11-21T12:00:00Z');
const after = (ms: number): Date => new Date(now.getTime() + ms);
const days = (count: number): number => count * 86_400_000;
const state: RenewalState = {
  secretHash: 'b',
  previous: { secretHash: 'a', rotatedAt: now },
  expiresAt: after(days(7)),
  endedAt: null,
};

test('the newest token renews, the one before gets the same answer for 30 seconds, any other ends the session', (t) => {
  t.is(decideRefresh(state, 'b', now), 'rotate');
  t.is(decideRefresh(state, 'a', now), 'repeat');
  t.is(decideRefresh(state, 'a', after(29_999)), 'repeat');
  t.is(decideRefresh(state, 'a', after(30_000)), 'reuse');
  t.is(decideRefresh(state, 'z', now), 'reuse');
  t.is(decideRefresh({ ...state, previous: null }, 'a', now), 'reuse');
});

// specification: the-one-just-replaced
test('once the successor is used the one before it is an old one', (t) => {
  const renewed = { ...state, secretHash: 'c', previous: { secretHash: 'b', rotatedAt: now } };
  t.is(decideRefresh(renewed, 'a', now), 'reuse');
});

test('a process whose clock is behind still repeats', (t) => {
  t.is(decideRefresh(state, 'a', after(-5_000)), 'repeat');
});

test('an ended or expired session knows no token', (t) => {
  for (const hash of ['a', 'b', 'z']) {
    t.is(decideRefresh({ ...state, endedAt: now }, hash, now), 'over');
    t.is(decideRefresh(state, hash, after(days(7))), 'over');
  }
});

test('a session lives 7 days from its last renewal and 30 days in all', (t) => {
  t.deepEqual(sessionExpiry(now, now), after(days(7)));
  t.deepEqual(sessionExpiry(now, after(days(20))), after(days(27)));
  t.deepEqual(sessionExpiry(now, after(days(29))), after(days(30)));
});
