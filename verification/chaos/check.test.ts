import test from 'ava';
import { createRandom } from './random.ts';
import { check } from './check/check.ts';
import { believe, believeContested } from './check/model.ts';
import type { Ad, ItemRow, Observed, ViolationKind, Write } from './observed.ts';
import { violationKinds } from './observed.ts';
import { aCleanEnd, anArrival, aWrite, hashOfPicture, shop } from './check/a-clean-end.ts';

// The checker itself: an end without a fault is clean, and of every kind of fault one is found.

test('an end in which everything is as it should be is clean', (t) => {
  t.deepEqual(check(aCleanEnd()), []);
});

type Doctor = (end: Observed) => Partial<Observed>;

const rows = (end: Observed, change: (row: ItemRow) => Partial<ItemRow>): Partial<Observed> => ({
  rows: end.rows.map((row) => ({ ...row, ...change(row) })),
});
const ads = (end: Observed, change: (ad: Ad) => Partial<Ad>): Partial<Observed> => ({
  ads: end.ads.map((ad) => ({ ...ad, ...change(ad) })),
});
const titleOf =
  (externalId: string, title: string): Doctor =>
  (end) =>
    rows(end, (row) => (row.externalId === externalId ? { title } : {}));

const doctored: readonly (readonly [what: string, kind: ViolationKind, doctor: Doctor])[] = [
  ['an older write won', 'lost-write', titleOf('up', 'Som den var')],
  [
    'an accepted create is nowhere',
    'lost-write',
    (end) => ({ rows: end.rows.filter((row) => row.externalId !== 'plain') }),
  ],
  [
    'a deleted item is there',
    'lost-write',
    (end) => rows(end, (row) => (row.externalId === 'gone' ? { current: true } : {})),
  ],
  [
    'an accepted price is not stored',
    'lost-write',
    (end) => rows(end, (row) => (row.externalId === 'plain' ? { price: 1 } : {})),
  ],
  [
    'an item that was there is answered with 404',
    'lost-write',
    (end) => ({
      writes: [...end.writes, aWrite('plain', { kind: 'price', price: 5 }, { outcome: 'refused', status: 404 })],
    }),
  ],
  [
    'a call was answered 500',
    'bad-answer',
    () => ({ badAnswers: [{ at: 0, call: 'PUT /integration/v1/items/up', status: 500 }] }),
  ],
  ['GET shows something else', 'wrong-answer', (end) => ({ answers: { ...end.answers, [`${shop}/plain`]: null } })],
  [
    'two auctions of an item are up',
    'two-listings',
    (end) => ({
      ads: end.ads.flatMap((ad) => (ad.state === 'active' ? [ad, { ...ad, adId: '9', itemId: 'other' }] : [ad])),
    }),
  ],
  ['two auctions were up for a moment', 'two-listings', () => ({ doubles: [`${shop}/up`] })],
  ['the auction has another price', 'disagreement', (end) => ads(end, () => ({ startPrice: 1 }))],
  ['the auction has another title', 'disagreement', (end) => ads(end, () => ({ title: 'En annan' }))],
  [
    'the auction is gone and the item says active',
    'disagreement',
    (end) => ads(end, (ad) => (ad.state === 'active' ? { state: 'removed' } : {})),
  ],
  [
    'an auction of a deleted item is up',
    'disagreement',
    (end) => ({
      ads: [
        ...end.ads,
        ...end.ads
          .filter(({ state }) => state === 'active')
          .map((ad) => ({ ...ad, adId: '8', externalId: 'gone', itemId: 'i-gone' })),
      ],
    }),
  ],
  ['a won auction has no order', 'order', () => ({ orders: [] })],
  ['a won auction has two orders', 'order', (end) => ({ orders: [...end.orders, ...end.orders] })],
  ['work is owed', 'unsettled-item', (end) => rows(end, () => ({ isSettled: false }))],
  [
    'an item waits for bids on an auction that has none',
    'unsettled-item',
    (end) => rows(end, (row) => (row.externalId === 'up' ? { isSettled: false, waitingFor: 'auction_end' } : {})),
  ],
  [
    'an item waits for a predecessor that is gone',
    'unsettled-item',
    (end) => rows(end, (row) => (row.externalId === 'up' ? { isSettled: false, waitingFor: 'previous_listing' } : {})),
  ],
  [
    'nobody was told of a new auction',
    'event-missing',
    (end) => ({ events: end.events.filter(({ type }) => type !== 'listing.created') }),
  ],
  [
    'a sale was told twice',
    'event-missing',
    (end) => ({ events: [...end.events, ...end.events.filter(({ type }) => type === 'item.sold')] }),
  ],
  [
    'a number of the account is left out',
    'event-numbers',
    (end) => ({ events: end.events.map((event) => ({ ...event, number: event.number + 1 })) }),
  ],
  ['an event of an item is lost', 'sequence', (end) => rows(end, (row) => ({ sequence: row.sequence + 1 }))],
  ['an event has no delivery', 'delivery-missing', (end) => ({ deliveries: end.deliveries.slice(1) })],
  ['what counts as delivered never arrived', 'delivery-missing', (end) => ({ arrivals: end.arrivals.slice(1) })],
  [
    'an event was given up and never sent again',
    'delivery-missing',
    (end) => ({
      arrivals: end.arrivals.slice(1),
      deliveries: end.deliveries.map((one, index) => (index === 0 ? { ...one, state: 'held', attempts: 0 } : one)),
    }),
  ],
  [
    'a delivery is on its way for ever',
    'delivery-stuck',
    (end) => ({ deliveries: end.deliveries.map((one) => ({ ...one, state: 'pending' })) }),
  ],
  [
    'an event came with other bytes the second time',
    'delivery-changed',
    (end) => ({ arrivals: [...end.arrivals, anArrival('e1', 99)] }),
  ],
  [
    'a signature is wrong',
    'delivery-changed',
    (end) => ({ endpoints: end.endpoints.map((one) => ({ ...one, secret: 'whsec_AAAA' })) }),
  ],
  ['an attempt is not in the log', 'attempt-log', (end) => ({ attempts: end.attempts.slice(1) })],
  ['an attempt is in the log twice', 'attempt-log', (end) => ({ attempts: [...end.attempts, ...end.attempts] })],
  [
    'a failure was not counted',
    'fail-count',
    (end) => ({ endpoints: end.endpoints.map((one) => ({ ...one, failCount: 0 })) }),
  ],
  [
    'an endpoint was disabled too early',
    'fail-count',
    (end) => ({ endpoints: end.endpoints.map((one) => ({ ...one, active: false })) }),
  ],
  [
    'an endpoint counts more failures than it had',
    'fail-count',
    (end) => ({ endpoints: end.endpoints.map((one) => (one.id === 'e1' ? { ...one, failCount: 1 } : one)) }),
  ],
  [
    'an event got through and did not set the count back',
    'fail-count',
    (end) => ({
      endpoints: end.endpoints.map((one) => (one.id === 'e1' ? { ...one, failCount: 1 } : one)),
      deliveries: end.deliveries.map((one, index) => (index === 0 ? { ...one, state: 'given_up' } : one)),
      attempts: end.attempts.map((one, index) => (index === 0 ? { ...one, at: 1 } : one)),
    }),
  ],
  ['a file has no record', 'orphan-image', (end) => ({ images: { ...end.images, records: [] } })],
  [
    'a picture of an item is no longer stored',
    'image-missing',
    (end) => ({ images: { ...end.images, files: [], whole: [] } }),
  ],
  ['a picture of an item has one size only', 'image-missing', (end) => ({ images: { ...end.images, whole: [] } })],
  ['a bulk sync never ended', 'bulk', (end) => ({ bulks: end.bulks.map((one) => ({ ...one, state: 'running' })) })],
  [
    'a line of a bulk sync is unaccounted for',
    'bulk',
    (end) => ({ bulks: end.bulks.map((one) => ({ ...one, counted: 0 })) }),
  ],
  [
    'a line of a bulk sync failed that nobody has overtaken',
    'bulk',
    (end) => ({ bulks: end.bulks.map((one) => ({ ...one, writesBefore: end.writes.length })) }),
  ],
  [
    'a line of a bulk sync failed for another reason',
    'bulk',
    (end) => ({ bulks: end.bulks.map((one) => ({ ...one, errors: [{ code: 'INTERNAL', externalId: 'plain' }] })) }),
  ],
  [
    'a line that failed is told nowhere',
    'bulk',
    (end) => ({ bulks: end.bulks.map((one) => ({ ...one, errors: [] })) }),
  ],
  ['a workflow failed', 'workflow', ({ workflows: { running } }) => ({ workflows: { running, broken: ['item:1'] } })],
  [
    'a workflow runs for nothing',
    'workflow',
    ({ workflows: { running } }) => ({ workflows: { running: [...running, 'item:i-up'], broken: [] } }),
  ],
  ['a receiver in trouble is shown by no workflow', 'workflow', () => ({ workflows: { running: [], broken: [] } })],
];

for (const [what, kind, doctor] of doctored)
  test(`found: ${what}`, (t) => {
    const end = aCleanEnd();
    const found = check({ ...end, ...doctor(end) });
    t.true(
      found.some((violation) => violation.kind === kind),
      JSON.stringify(found),
    );
    t.true(found.every(({ id, message }) => id !== '' && message !== ''));
  });

test('of every kind of violation one is found here', (t) => {
  const kinds = new Set(doctored.map(([, kind]) => kind));
  t.deepEqual(
    violationKinds.filter((kind) => !kinds.has(kind)),
    [],
  );
});

test('a picture that an item shows stands in the clean end', (t) => {
  t.true(aCleanEnd().rows.some(({ images }) => images.includes(hashOfPicture)));
});

test('an item that waits for the end of an auction with bids is at rest, and so is one whose predecessor is up', (t) => {
  const end = aCleanEnd();
  const waiting = (waitingFor: string, change: Partial<Ad>): readonly string[] =>
    check({
      ...end,
      ...rows(end, (row) => (row.externalId === 'up' ? { isSettled: false, waitingFor } : {})),
      ads: [...end.ads, ...end.ads.filter(({ state }) => state === 'active').map((ad) => ({ ...ad, ...change }))],
    }).flatMap(({ kind }) => (kind === 'unsettled-item' ? [kind] : []));
  t.deepEqual(waiting('auction_end', { hasBids: true }), []);
  t.deepEqual(waiting('previous_listing', { itemId: 'another' }), []);
});

// --- the model of the writes

const put = (title: string, price = 10): Write['wish'] => ({ kind: 'put', title, price });
const believed = (...writes: Write[]) => believe(writes, { mayBeSold: false });
const titles = (...writes: Write[]): (string | undefined)[] =>
  believed(...writes).states.map((state) => (state === 'gone' ? undefined : state.title));

test('the last accepted write wins', (t) => {
  t.deepEqual(titles(aWrite('a', put('one')), aWrite('a', put('two'))), ['two']);
});

test('a write that nobody answered may have happened or not', (t) => {
  const unknown = aWrite('a', put('two'), { outcome: 'unknown', status: null });
  t.deepEqual(titles(aWrite('a', put('one')), unknown), ['one', 'two']);
});

test('a later answer tells what an unanswered DELETE did', (t) => {
  const unknown = aWrite('a', { kind: 'delete' }, { outcome: 'unknown', status: null });
  const notFound = aWrite('a', { kind: 'price', price: 7 }, { outcome: 'refused', status: 404 });
  const taken = aWrite('a', { kind: 'price', price: 7 });
  t.deepEqual(believed(aWrite('a', put('one')), unknown, notFound).states, ['gone']);
  t.deepEqual(titles(aWrite('a', put('one')), unknown, taken), ['one']);
});

test('an answer that nothing explains is a problem', (t) => {
  t.is(believed(aWrite('a', { kind: 'price', price: 7 })).problems.length, 1);
});

test('a push leaves the status, what is sold can not be published, and a new item is live', (t) => {
  const sold = aWrite('a', { kind: 'status', status: 'sold' });
  const refused = aWrite('a', { kind: 'publish' }, { outcome: 'refused', status: 409 });
  const [state] = believed(aWrite('a', put('one')), sold, refused, aWrite('a', put('two'))).states;
  t.deepEqual(state, { title: 'two', price: 10, service: 'sold' });
  const again = believed(aWrite('a', put('one')), sold, aWrite('a', { kind: 'delete' }), aWrite('a', put('three')));
  t.deepEqual(again.states, [{ title: 'three', price: 10, service: 'live' }]);
});

test('of pushes side by side any may have won, but none that was over before another began', (t) => {
  const at = (beganAt: number, endedAt: number, change: Partial<Write> = {}) => ({ beganAt, endedAt, ...change });
  const titlesOf = (...writes: Write[]): (string | undefined)[] =>
    believeContested(writes).states.map((state) => (state === 'gone' ? undefined : state.title));
  const first = aWrite('a', put('first'), at(0, 10));
  t.deepEqual(titlesOf(first, aWrite('a', put('beside'), at(5, 15))), ['first', 'beside']);
  t.deepEqual(titlesOf(first, aWrite('a', put('later'), at(11, 20))), ['later']);
  // One of its tries may still be under way.
  const again = aWrite('a', put('again'), at(0, 10, { tries: 2 }));
  t.deepEqual(titlesOf(again, aWrite('a', put('later'), at(11, 20))), ['again', 'later']);
  t.deepEqual(titlesOf(again, aWrite('a', put('much later'), at(20_000, 20_001))), ['much later']);
  const unknown = aWrite('a', put('unknown'), at(0, 10, { outcome: 'unknown', status: null }));
  t.deepEqual(titlesOf(unknown), [undefined, 'unknown']);
  t.is(believeContested([aWrite('a', put('no'), at(0, 1, { outcome: 'refused', status: 409 }))]).problems.length, 1);
});

test('a seed always gives the same numbers, and actors do not share them', (t) => {
  const draw = (seed: number, name: string): number[] => {
    const random = createRandom(seed).fork(name);
    return [random.next(), random.between(1, 100), random.next()];
  };
  t.deepEqual(draw(7, 'one'), draw(7, 'one'));
  t.notDeepEqual(draw(7, 'one'), draw(7, 'other'));
  t.notDeepEqual(draw(7, 'one'), draw(8, 'one'));
});
