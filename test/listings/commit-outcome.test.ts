import test from 'ava';
import { commitOutcome, type AuctionSeen, type RequestSays } from '../../features/listings/rules/commit-outcome.ts';

const says: readonly RequestSays[] = [
  ...(['none', 'waiting', 'uncommitted', 'ok', 'try_again', 'timed_out', 'too_many_active', 'refused'] as const),
];

test('an auction that is seen counts, whatever the result says', (t) => {
  for (const one of says) {
    t.is(commitOutcome(one, 'up'), 'up');
    t.is(commitOutcome(one, 'over'), 'over');
  }
});

for (const seen of ['not_there', 'unlisted'] as const satisfies readonly AuctionSeen[])
  test(`a request is replaced, or given up, only after a final result and a look without an auction (${seen})`, (t) => {
    const outcomes = Object.fromEntries(says.map((one) => [one, commitOutcome(one, seen)]));
    t.deepEqual(outcomes, {
      none: 'wait',
      waiting: 'wait',
      ok: 'wait',
      uncommitted: 'commit_again',
      try_again: 'commit_again',
      timed_out: 'draft_again',
      too_many_active: 'draft_again',
      refused: 'refused',
    });
  });
