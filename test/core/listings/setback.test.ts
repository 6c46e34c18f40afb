import test from 'ava';
import type { Item } from '../../../core/items/item.ts';
import { setBack, type SetbackCause } from '../../../core/listings/setback.ts';
import { anItemBeingPublished, later, noon } from '../../support/an-item.ts';

const hour = 3_600_000;
const errorsOf = (item: Item): unknown[] => item.outbox.map(({ data }) => data['error']);

/** The same trouble again and again, each time when its wait is over. */
function repeat(item: Item, cause: SetbackCause, options: { forMs: number }): { item: Item; at: Date } {
  let at = noon;
  let current = item;
  while (at.getTime() - noon.getTime() <= options.forMs) {
    current = setBack(current, { cause, message: 'no answer' }, at);
    const { notBefore } = current.processing;
    if (notBefore === null) break;
    at = notBefore;
  }
  return { item: current, at };
}

test('trouble of the marketplace is told after five minutes, once', (t) => {
  const briefly = repeat(anItemBeingPublished('drafting'), 'MARKETPLACE_TIMEOUT', { forMs: 4 * 60_000 });
  t.deepEqual(errorsOf(briefly.item), []);
  const long = repeat(anItemBeingPublished('drafting'), 'MARKETPLACE_TIMEOUT', { forMs: 5 * hour });
  t.deepEqual(errorsOf(long.item), ['MARKETPLACE_TIMEOUT: no answer']);
  t.is(long.item.marketplaceStatus, 'pending_sync');
});

test('a publication is given up after 24 hours of tries, with its final cause', (t) => {
  const { item, at } = repeat(anItemBeingPublished('prepared'), 'MARKETPLACE_TIMEOUT', { forMs: 30 * hour });
  t.is(item.marketplaceStatus, 'sync_error');
  t.is(item.listings.at(-1)?.state, 'failed');
  t.true(at.getTime() - noon.getTime() >= 24 * hour - 10 * 60_000);
  t.regex(String(errorsOf(item).at(-1)), /^MARKETPLACE_TIMEOUT_GIVEN_UP: given up after 24 hours/);
});

test('a long pause of our own counts as no try', (t) => {
  const first = setBack(anItemBeingPublished('prepared'), { cause: 'MARKETPLACE_TIMEOUT', message: 'no answer' }, noon);
  const next = setBack(first, { cause: 'MARKETPLACE_TIMEOUT', message: 'no answer' }, later(72 * hour));
  t.is(next.listings.at(-1)?.state, 'prepared');
});

test('what may be up already is never given up', (t) => {
  const { item } = repeat(anItemBeingPublished('committing'), 'MARKETPLACE_TIMEOUT', { forMs: 72 * hour });
  t.is(item.listings.at(-1)?.state, 'committing');
  const refused = setBack(anItemBeingPublished('committing'), { cause: 'LISTING_REFUSED', message: 'no' }, noon);
  t.is(refused.listings.at(-1)?.state, 'committing');
  t.is(refused.processing.waitingFor, 'marketplace');
});

test('what the partner has to mend waits without an end and is told at once', (t) => {
  const { item } = repeat(anItemBeingPublished('drafting'), 'MARKETPLACE_TOKEN_EXPIRED', { forMs: 240 * hour });
  t.is(item.listings.at(-1)?.state, 'drafting');
  t.deepEqual(errorsOf(item), ['MARKETPLACE_TOKEN_EXPIRED: no answer']);
});

for (const [name, retryAfterMs, expectedMs] of [
  ['at once', 0, 60_000],
  ['in two hours', 2 * hour, 2 * hour],
  ['in three years', 1e11, 24 * hour],
] as const) {
  test(`an exhausted budget that is free again ${name} is waited for in bounds`, (t) => {
    const item = setBack(
      anItemBeingPublished('drafting'),
      { cause: 'MARKETPLACE_BUDGET_EXHAUSTED', message: 'used up', retryAfterMs },
      noon,
    );
    t.deepEqual(item.processing.notBefore, later(expectedMs));
  });
}
