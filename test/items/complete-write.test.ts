import test from 'ava';
import { inBulk, isAtRest, settle } from '../../features/items/rules/owed-work.ts';
import { deletedItem } from '../../features/items/rules/delete-item.ts';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import type { Item, ItemImage } from '../../features/items/rules/item.ts';
import {
  completed,
  heldByWorkflow,
  rested,
  takeShortSteps,
  type LongStep,
} from '../../features/items/rules/complete-write.ts';
import { createItem, updateItem } from '../../features/items/rules/upsert-item.ts';
import { withFailure } from '../../features/listings/rules/listing-failure.ts';
import {
  aCall,
  aCaller,
  aLiveItem,
  anAccountId,
  anItem,
  anItemBeingPublished,
  emptied,
  later,
  noon,
} from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

const aNewItem = (...request: Parameters<typeof anItemRequest>): Item =>
  createItem({
    id: anItem().id,
    accountId: anAccountId,
    externalId: 'A1',
    sequenceBefore: 0,
    actor: aCaller,
    now: noon,
    request: anItemRequest(...request),
  });
/** At rest, live, with all that was ever asked done. */
const live = emptied(settle(aLiveItem(), noon));
const priced = (item: Item, priceOre: number): Item => itemWithPrice(item, priceOre, aCall(1_000));
const hosted: ItemImage = {
  sourceUrl: 'https://images.example/1.jpg',
  state: 'hosted',
  contentHash: 'h',
  failure: null,
};
const unannounced = { ...anItem().imageSet, images: [hosted], announced: false };
const failure = { cause: 'MARKETPLACE_TIMEOUT', message: 'no answer', retryAfterMs: 60_000 } as const;
const waiting = {
  ...withFailure(anItemBeingPublished('drafting'), failure, { now: noon, work: 'publish' }),
  startAt: later(60_000),
};

test('a write that leaves nothing for outside is at rest at once', (t) => {
  const cases: Record<string, Item> = {
    'a new item without images that is not to be published': aNewItem(),
    'its price, before and after it was settled': priced(aNewItem(), 50_000),
    'its price later': priced(settle(aNewItem(), noon), 50_000),
    'its removal': deletedItem(settle(aNewItem(), noon), aCall(1_000)),
    'images that are all hosted and not announced yet': {
      ...aNewItem(),
      imageSet: unannounced,
      serviceStatus: 'draft',
    },
    'a price that the auction, in whole kronor, shows already': priced(live, 45_040),
    'the removal of a draft that was never committed': deletedItem(anItemBeingPublished('prepared'), aCall(1_000)),
  };
  for (const [what, item] of Object.entries(cases)) {
    t.is(takeShortSteps(item, later(2_000)).step.kind, 'settle', what);
    const after = completed(null, item);
    t.true(isAtRest(after), what);
    t.is(after.startAt, null, what);
  }
});

// specification: what-owes-nothing-but
test('what calls outside or waits is left as the first long step', (t) => {
  const cases: Record<string, readonly [Item, LongStep['kind']]> = {
    'a new item with images': [aNewItem({ imageUrls: ['https://images.example/1.jpg'] }), 'process-images'],
    'a new item whose category is to be found': [aNewItem({}, { autoPublish: true }), 'enrich'],
    'an item to be published': [anItem(), 'open-listing'],
    'another price of an auction': [priced(live, 50_000), 'send-price'],
    'another title of an auction': [updateItem(live, anItemRequest({ title: 'Ny titel' }), aCall(1_000)), 'settle'],
    'the removal of an auction': [deletedItem(live, aCall(1_000)), 'take-down'],
    'a price while its workflow waits for the marketplace': [priced(waiting, 50_000), 'wait'],
    'a price after its draft was made': [priced(anItemBeingPublished('prepared'), 50_000), 'prepare-listing'],
  };
  for (const [what, [item, kind]] of Object.entries(cases)) {
    t.is(takeShortSteps(item, later(1_000)).step.kind, kind, what);
  }
});

test('events come in their order, those that the steps add last', (t) => {
  const item = { ...aNewItem(), imageSet: unannounced, serviceStatus: 'draft' as const };
  const { outbox, journal } = completed(null, item);
  t.deepEqual(
    outbox.map(({ type, sequence }) => [type, sequence]),
    [
      ['item.created', 1],
      ['item.images_ready', 2],
    ],
  );
  t.deepEqual(journal.slice(0, item.journal.length), [...item.journal]);
});

test('what is no accepted write stays as it is: the workflow that works on the item goes on with it', (t) => {
  const item = { ...anItemBeingPublished('prepared'), startAt: noon };
  t.is(completed(item, item), item);
});

test('short steps change nothing of what they are given, so they may be taken again', (t) => {
  const item = aNewItem();
  const before = structuredClone(item);
  t.deepEqual(takeShortSteps(item, later(1)), takeShortSteps(item, later(1)));
  t.deepEqual(item, before);
});

const trace = { traceparent: '00-1-2-01' };

test('no workflow holds an item at rest, unless it rests with a problem', (t) => {
  t.is(rested({ ...aNewItem(), startAt: noon }, noon).startAt, null);
  const given = withFailure(
    anItemBeingPublished('drafting'),
    { cause: 'LISTING_REFUSED', message: 'no' },
    { now: noon, work: 'publish' },
  );
  t.deepEqual(rested({ ...given, startAt: noon, trace }, noon), {
    ...rested(given, noon),
    startAt: later(25 * 3_600_000),
    trace,
  });
});

const traced = { ...priced(live, 50_000), trace };

test('what a workflow has to take is started again after 5 s, with the trace of its write', (t) => {
  t.like(completed(live, { ...traced, updatedAt: later(7) }), { startAt: later(5_007), bulk: null, trace });
});

test('bulk work keeps its place, unless a workflow holds the item', (t) => {
  const bulk = inBulk(priced(live, 50_000));
  t.like(completed(live, bulk), { startAt: bulk.updatedAt, bulk: 'waits' });
  t.like(completed({ ...live, startAt: noon, bulk: 'waits' }, bulk), { startAt: noon, bulk: 'waits' });
  t.like(completed({ ...live, startAt: noon }, bulk), { startAt: later(6_000), bulk: null });
});

test('a single write takes bulk work out of its place', (t) => {
  const before = inBulk({ ...live, startAt: noon });
  t.like(completed(before, priced(before, 50_000)), { startAt: later(6_000), bulk: null });
  t.like(completed(before, priced(before, 45_040)), { startAt: null, bulk: null });
});

test('a write of an item whose workflow waits or rests goes to that, also when nothing is left to do', (t) => {
  const held = { ...live, startAt: later(3_600_000) };
  t.like(completed(held, priced(held, 45_040)), { startAt: later(6_000) });
});

test('an item whose workflow works is looked after in a minute, one that waits in an hour, or a minute after its wait', (t) => {
  const dueIn = (step: LongStep): number =>
    (heldByWorkflow(traced, step, noon).startAt?.getTime() ?? 0) - noon.getTime();
  const wait = (ms: number): LongStep => ({ kind: 'wait', waitingFor: 'marketplace', until: later(ms) });
  const minute = 60_000;
  t.is(dueIn({ kind: 'send-price', publication: 1 }), minute);
  t.is(dueIn(wait(10_000)), 60 * minute);
  t.is(dueIn(wait(300 * minute)), 301 * minute);
  t.deepEqual(heldByWorkflow(traced, wait(1), noon).trace, trace);
});

test('a wait that is being tried again keeps its own text', (t) => {
  const left = heldByWorkflow(waiting, { kind: 'prepare-listing', publication: 1 }, noon);
  t.deepEqual(left.processing, waiting.processing);
});

test('bulk work counts as under way while its workflow works, not while it waits', (t) => {
  const bulk = { ...priced(live, 50_000), startAt: noon, bulk: 'started' } as const;
  t.is(heldByWorkflow(bulk, { kind: 'send-price', publication: 1 }, noon).bulk, 'started');
  t.is(heldByWorkflow(bulk, { kind: 'wait', waitingFor: 'marketplace', until: later(1) }, noon).bulk, null);
});
