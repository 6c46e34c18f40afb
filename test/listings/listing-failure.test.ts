import test from 'ava';
import type { Item } from '../../features/items/rules/item.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import { withFailure, type FailureCause } from '../../features/listings/rules/listing-failure.ts';
import { aLiveItem, anItemBeingPublished, later, noon } from '../support/an-item.ts';

const hour = 3_600_000;
const errorsOf = (item: Item): unknown[] => item.outbox.map(({ data }) => data['error']);

/** The same trouble again and again, each time when its wait is over. */
function repeat(item: Item, cause: FailureCause, options: { forMs: number }): { item: Item; at: Date } {
  let at = noon;
  let current = item;
  while (at.getTime() - noon.getTime() <= options.forMs) {
    current = withFailure(current, { cause, message: 'no answer' }, { now: at, work: 'publish' });
    const { notBefore } = current.processing;
    if (notBefore === null) break;
    at = notBefore;
  }
  return { item: current, at };
}

// specification: time-out-of-the, time-outs-for-over
test('trouble of the marketplace is told after five minutes, once', (t) => {
  const briefly = repeat(anItemBeingPublished('drafting'), 'MARKETPLACE_TIMEOUT', { forMs: 4 * 60_000 });
  t.deepEqual(errorsOf(briefly.item), []);
  const long = repeat(anItemBeingPublished('drafting'), 'MARKETPLACE_TIMEOUT', { forMs: 5 * hour });
  t.deepEqual(errorsOf(long.item), ['MARKETPLACE_TIMEOUT: no answer']);
  t.is(long.item.marketplaceStatus, 'pending_sync');
});

// specification: sync-error-publishing-was, giving-up-sync-error
test('a publication is given up after 24 hours of tries, with its final cause', (t) => {
  const { item, at } = repeat(anItemBeingPublished('prepared'), 'MARKETPLACE_TIMEOUT', { forMs: 30 * hour });
  t.is(item.marketplaceStatus, 'sync_error');
  t.is(item.listings.at(-1)?.state, 'failed');
  t.true(at.getTime() - noon.getTime() >= 24 * hour - 10 * 60_000);
  t.regex(String(errorsOf(item).at(-1)), /^MARKETPLACE_TIMEOUT_GIVEN_UP: given up after 24 hours/);
});

test('a long pause of our own counts as no try', (t) => {
  const first = withFailure(
    anItemBeingPublished('prepared'),
    { cause: 'MARKETPLACE_TIMEOUT', message: 'no answer' },
    { now: noon, work: 'publish' },
  );
  const next = withFailure(
    first,
    { cause: 'MARKETPLACE_TIMEOUT', message: 'no answer' },
    { now: later(72 * hour), work: 'publish' },
  );
  t.is(next.listings.at(-1)?.state, 'prepared');
});

test('what may be up already is never given up', (t) => {
  const { item } = repeat(anItemBeingPublished('committing'), 'MARKETPLACE_TIMEOUT', { forMs: 72 * hour });
  t.is(item.listings.at(-1)?.state, 'committing');
  const refused = withFailure(
    anItemBeingPublished('committing'),
    { cause: 'LISTING_REFUSED', message: 'no' },
    { now: noon, work: 'publish' },
  );
  t.is(refused.listings.at(-1)?.state, 'committing');
  t.is(refused.processing.waitingFor, 'marketplace');
});

// specification: expired-token-the-partner
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
    const item = withFailure(
      anItemBeingPublished('drafting'),
      { cause: 'MARKETPLACE_BUDGET_EXHAUSTED', message: 'used up', retryAfterMs },
      { now: noon, work: 'publish' },
    );
    t.deepEqual(item.processing.notBefore, later(expectedMs));
  });
}

// --- by the kind of work

const lost = { cause: 'MARKETPLACE_TIMEOUT', message: 'no answer' } as const;

// specification: sync-error-revising-was
test('a price that is given up leaves the auction as it is until the next accepted write', (t) => {
  const item = withFailure(aLiveItem(), { cause: 'PRICE_REFUSED', message: 'no' }, { now: noon, work: 'price' });
  t.like(item, { marketplaceStatus: 'sync_error', serviceStatus: 'active' });
  t.like(item.listings[0], { state: 'live', refusedRevision: item.revision });
  t.deepEqual(errorsOf(item), ['PRICE_REFUSED: no']);
});

test('a publication that is refused is given up at once', (t) => {
  const item = withFailure(
    anItemBeingPublished('prepared'),
    { cause: 'LISTING_REFUSED', message: 'no' },
    { now: noon, work: 'publish' },
  );
  t.is(item.marketplaceStatus, 'sync_error');
  t.is(item.listings[0]?.state, 'failed');
});

test('a publication given up after a late sale of an older auction leaves the item sold', (t) => {
  const sold = { serviceStatus: 'sold', marketplaceStatus: 'sold' } as const;
  const item = withFailure(
    { ...anItemBeingPublished('prepared'), ...sold },
    { cause: 'LISTING_REFUSED', message: 'no' },
    { now: noon, work: 'publish' },
  );
  t.is(item.marketplaceStatus, 'sold');
});

test('a take-down is never given up', (t) => {
  let item = changeNewestListing(aLiveItem({ current: false }), { state: 'leaving' });
  for (let hours = 0; hours < 80; hours += 1)
    item = withFailure(item, lost, { now: later(hours * hour), work: 'take-down' });
  t.is(item.listings[0]?.state, 'leaving');
  t.is(item.processing.waitingFor, 'marketplace');
  t.deepEqual(errorsOf(item), ['MARKETPLACE_TIMEOUT: no answer']);
});

test('how work is called that waits', (t) => {
  for (const [work, stage] of [
    ['publish', 'publishing'],
    ['price', 'pricing'],
    ['take-down', 'taking_down'],
  ] as const)
    t.is(withFailure(aLiveItem(), lost, { now: noon, work }).processing.stage, stage);
});

test('what may be up and can not be read is told at once, and waits without an end', (t) => {
  const unclear = { cause: 'PUBLICATION_UNCLEAR', message: 'it may be up' } as const;
  const item = withFailure(anItemBeingPublished('committing'), unclear, { now: noon, work: 'publish' });
  t.is(item.processing.waitingFor, 'marketplace_unclear');
  t.deepEqual(errorsOf(item), ['PUBLICATION_UNCLEAR: it may be up']);
});

test('a draft on which the marketplace fails alone is given up after a day and five tries', (t) => {
  const { item } = repeat(anItemBeingPublished('drafting'), 'DRAFT_FAILS', { forMs: 40 * hour });
  t.is(item.listings.at(-1)?.state, 'failed');
  t.regex(String(errorsOf(item).at(-1)), /^DRAFT_FAILS_GIVEN_UP/);
});

test('another trouble begins a wait of its own', (t) => {
  const first = withFailure(anItemBeingPublished('drafting'), lost, { now: noon, work: 'publish' });
  const other = { cause: 'MARKETPLACE_NOT_CONNECTED', message: 'no' } as const;
  const second = withFailure(first, other, { now: later(5), work: 'publish' });
  t.like(second.processing, { waitingFor: 'marketplace_connection', attempts: 1, since: later(5) });
});
