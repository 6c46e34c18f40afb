import test from 'ava';
import { publishItem } from '../../features/items/rules/publish-item.ts';
import { wantsPublication, type Item } from '../../features/items/rules/item.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import { recordTakeDownRefused, recordTakenDown } from '../../features/listings/rules/delist.ts';
import { aCall, aLiveItem, anItemBeingPublished, emptied, later, noon } from '../support/an-item.ts';

const hour = 3_600_000;
const leaving = (change: Partial<Item> = {}): Item =>
  changeNewestListing(aLiveItem({ serviceStatus: 'not_listed', ...change }), { state: 'leaving' });
const errorsOf = (item: Item): unknown[] => item.outbox.map(({ data }) => data['error']);

// specification: ended-taken-down
test('a take-down is shown as ended and told to nobody', (t) => {
  const down = recordTakenDown(leaving(), 1, noon);
  t.like(down, { marketplaceStatus: 'ended', serviceStatus: 'not_listed' });
  t.is(down.listings[0]?.state, 'removed');
  t.deepEqual(down.outbox, []);
});

test('a draft that was removed never was a publication', (t) => {
  const down = recordTakenDown(
    changeNewestListing(anItemBeingPublished('prepared', { current: false }), { mayBeCommitted: true }),
    1,
    noon,
  );
  t.like(down.listings[0], { state: 'cancelled', mayBeCommitted: false });
  t.is(down.marketplaceStatus, 'pending_sync');
});

test('a take-down of another publication, or of what is over, changes nothing', (t) => {
  const item = leaving();
  t.is(recordTakenDown(item, 2, noon), item);
  t.is(recordTakeDownRefused(item, 2, noon), item);
  for (const state of ['ended', 'sold', 'removed', 'cancelled', 'failed', 'committing'] as const) {
    const over = anItemBeingPublished(state);
    t.is(recordTakenDown(over, 1, noon), over);
    t.is(recordTakeDownRefused(over, 1, noon), over);
  }
});

test('a sale that came before keeps the item sold when its newer auction is down', (t) => {
  t.is(
    recordTakenDown(leaving({ serviceStatus: 'sold', marketplaceStatus: 'sold' }), 1, noon).marketplaceStatus,
    'sold',
  );
});

test('what is asked for again while it comes down goes up once more', (t) => {
  const again = emptied(publishItem(leaving(), aCall()));
  const down = recordTakenDown(again, 1, noon);
  t.true(wantsPublication(down));
  t.is(down.wantedPublication, 2);
});

test('a publish that comes between the removal and the note of it is not lost', (t) => {
  // Bids held it once, so it counts as live; they went, and the next try to remove it succeeds.
  const held = emptied(recordTakeDownRefused(leaving(), 1, noon));
  const asked = emptied(publishItem(held, aCall()));
  t.is(asked.wantedPublication, 1);
  t.is(recordTakenDown(asked, 1, noon).wantedPublication, 2);
});

test('bids hold the auction: the status stands, it is told once, and the end is waited for', (t) => {
  const held = recordTakeDownRefused(leaving(), 1, noon);
  t.like(held, { serviceStatus: 'not_listed', marketplaceStatus: 'active' });
  t.like(held.listings[0], { state: 'live', hasBids: true });
  t.like(held.processing, { waitingFor: 'auction_end', notBefore: later(hour), stage: 'taking_down' });
  t.regex(String(errorsOf(held)[0]), /^TAKEDOWN_REFUSED_BIDS: /);
  const again = recordTakeDownRefused(held, 1, later(hour));
  t.is(errorsOf(again).length, 1);
});

test('bids hold an auction that was asked for again: it is simply up', (t) => {
  const again = emptied(publishItem(leaving(), aCall()));
  const held = recordTakeDownRefused(again, 1, noon);
  t.like(held, { serviceStatus: 'active', wantedPublication: 1 });
  t.is(held.listings[0]?.state, 'live');
  t.deepEqual(held.outbox, []);
});

test('bids on what was thought a draft prove that its commit arrived: it is followed', (t) => {
  const sent = changeNewestListing(anItemBeingPublished('prepared', { current: false }), { mayBeCommitted: true });
  t.is(recordTakeDownRefused(sent, 1, noon).listings[0]?.state, 'committing');
});
