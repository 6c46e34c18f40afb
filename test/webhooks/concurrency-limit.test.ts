import test from 'ava';
import { attemptBounds } from '../../features/webhooks/rules/attempt-bounds.ts';
import { ConcurrencyLimit, type EndedAttempt } from '../../features/webhooks/receiver-slots.ts';

const { unknown, sound, slow, hanging } = attemptBounds.perReceiverMax;
const fast: EndedAttempt = { kind: 'succeeded', durationMs: 5 };
const refused: EndedAttempt = { kind: 'failed', durationMs: 5 };
const late: EndedAttempt = { kind: 'succeeded', durationMs: 1_001 };
const timedOut: EndedAttempt = { kind: 'failed', durationMs: 10_000 };

function afterAnswers(...answers: readonly EndedAttempt[]): ConcurrencyLimit {
  const limit = new ConcurrencyLimit();
  for (const answer of answers) limit.learn(answer);
  return limit;
}

const times = (count: number, answer: EndedAttempt): EndedAttempt[] => Array.from({ length: count }, () => answer);
const maxOf = (limit: ConcurrencyLimit): number => limit.inFlightMax(0);

test('a new receiver gets 4 at once, and two more with each success, up to 32', (t) => {
  t.deepEqual(
    [0, 1, 5, 14, 100].map((successes) => maxOf(afterAnswers(...times(successes, fast)))),
    [...[unknown, unknown + 2, unknown + 10, sound, sound]],
  );
  t.deepEqual([unknown, sound], [4, 32]);
});

// specification: a-receiver-that-fails
test('a receiver that fails fast loses no slot, and is not slow', (t) => {
  const limit = afterAnswers(...times(14, fast), ...times(50, refused));
  t.is(maxOf(limit), sound);
  t.false(limit.isSuspect(0));
});

test('one late answer makes a receiver slow, three without an answer in a row make it a hanging one', (t) => {
  const known = times(14, fast);
  t.is(maxOf(afterAnswers(...known, late)), slow);
  t.is(maxOf(afterAnswers(...known, timedOut, timedOut)), slow);
  t.is(maxOf(afterAnswers(...known, timedOut, timedOut, refused, timedOut)), slow);
  t.is(maxOf(afterAnswers(...known, ...times(3, timedOut))), hanging);
});

test('a slow receiver is sound again after three fast successes; a failure does not vouch for it', (t) => {
  const known = [...times(14, fast), late];
  t.true(afterAnswers(...known, fast, fast).isSuspect(0) || !afterAnswers(...known, fast, fast).isFast(0));
  t.is(maxOf(afterAnswers(...known, fast, fast, fast)), sound);
  t.true(afterAnswers(...known, fast, fast, fast).isFast(0));
  t.is(maxOf(afterAnswers(...known, ...times(10, refused))), slow);
});

test('an attempt that has been without an answer for two seconds makes its receiver slow, until it ends', (t) => {
  const limit = afterAnswers(...times(14, fast));
  const sent = { at: 1_000 };
  limit.sent.add(sent);
  limit.sent.add({ at: 2_900 });
  t.is(limit.inFlightMax(3_000), sound);
  t.is(limit.inFlightMax(3_001), slow);
  limit.sent.delete(sent);
  t.is(limit.inFlightMax(3_001), sound);
});

test('of all places of a process the last ones are for receivers that answer fast, those before also for new ones', (t) => {
  const { suspectsMax, unprovenMax, inFlightMax } = attemptBounds;
  t.is(afterAnswers(timedOut).allMax(0), suspectsMax);
  t.is(afterAnswers().allMax(0), unprovenMax);
  t.is(afterAnswers(fast, refused).allMax(0), unprovenMax);
  t.is(afterAnswers(fast).allMax(0), inFlightMax);
});
