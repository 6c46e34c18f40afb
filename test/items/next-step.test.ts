import test from 'ava';
import { listingStates, type ListingState } from '../../features/items/rules/item.ts';
import { acceptWrite } from '../../features/items/rules/owed-work.ts';
import { nextStep, type NextStep } from '../../features/items/rules/next-step.ts';
import { deletedItem } from '../../features/items/rules/delete-item.ts';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import { withFailure } from '../../features/listings/rules/listing-failure.ts';
import { aCall, aLiveItem, anItem, anItemBeingPublished, emptied, later, noon } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

test('an item that is to be published opens its listing', (t) => {
  t.deepEqual(nextStep(anItem(), noon), { kind: 'open-listing' });
});

test('an item that nobody wants published settles', (t) => {
  t.deepEqual(nextStep(anItem({ wantedPublication: 0 }), noon), { kind: 'settle' });
});

test('an item that is not active is not published', (t) => {
  for (const serviceStatus of ['draft', 'sold', 'not_listed', 'archived'] as const) {
    t.deepEqual(nextStep(anItem({ serviceStatus }), noon), { kind: 'settle' });
    const drafted = nextStep(anItemBeingPublished('prepared', { serviceStatus }), noon);
    // What nobody wants is called off before it rests.
    t.deepEqual(drafted, { kind: serviceStatus === 'draft' ? 'settle' : 'call-off' });
  }
});

test('what was drafted goes live only as the item is now', (t) => {
  const prepared = anItemBeingPublished('prepared');
  t.deepEqual(nextStep(prepared, noon), { kind: 'go-live', publication: 1 });
  const changed = updateItem(prepared, anItemRequest({ priceOre: 50_000 }), aCall(1_000));
  t.deepEqual(nextStep(emptied(changed), later(1_000)), { kind: 'redraft' });
});

test('a request whose commit may still be on its way is committed again, never replaced', (t) => {
  const sent = changeNewestListing(anItemBeingPublished('prepared'), { mayBeCommitted: true });
  const changed = updateItem(sent, anItemRequest({ priceOre: 50_000 }), aCall(1_000));
  t.deepEqual(nextStep(emptied(changed), later(1_000)), { kind: 'go-live', publication: 1 });
});

test('what may be up already is followed to its end, whatever became of the item', (t) => {
  const taken = acceptWrite(anItemBeingPublished('committing', { serviceStatus: 'not_listed' }), noon);
  t.deepEqual(nextStep(taken, noon), { kind: 'go-live', publication: 1 });
});

test('a publication that was set back waits until its time', (t) => {
  const waiting = withFailure(
    anItemBeingPublished('drafting'),
    { cause: 'MARKETPLACE_TIMEOUT', message: 'no answer' },
    { now: noon, work: 'publish' },
  );
  t.deepEqual(nextStep(emptied(waiting), noon), { kind: 'wait', waitingFor: 'marketplace', until: later(1_000) });
  t.deepEqual(nextStep(emptied(waiting), later(1_000)), { kind: 'prepare-listing', publication: 1 });
});

// --- each state of the newest auction, wanted or not, waiting or not

interface Expected {
  readonly wanted: NextStep['kind'];
  readonly unwanted: NextStep['kind'];
  /** There is a call to the marketplace to wait with. */
  readonly waits: boolean;
}

const steps: Readonly<Record<ListingState, Expected>> = {
  drafting: { wanted: 'prepare-listing', unwanted: 'call-off', waits: true },
  prepared: { wanted: 'go-live', unwanted: 'call-off', waits: true },
  committing: { wanted: 'go-live', unwanted: 'go-live', waits: true },
  live: { wanted: 'settle', unwanted: 'take-down', waits: false },
  leaving: { wanted: 'take-down', unwanted: 'take-down', waits: true },
  ended: { wanted: 'settle', unwanted: 'settle', waits: false },
  sold: { wanted: 'settle', unwanted: 'settle', waits: false },
  removed: { wanted: 'settle', unwanted: 'settle', waits: false },
  cancelled: { wanted: 'settle', unwanted: 'settle', waits: false },
  failed: { wanted: 'settle', unwanted: 'settle', waits: false },
};

for (const state of listingStates) {
  const { wanted, unwanted, waits } = steps[state];
  // A live auction that is shown as such owes nothing.
  const item = { ...anItemBeingPublished(state), ...(state === 'live' && ({ marketplaceStatus: 'active' } as const)) };
  const waiting = { processing: { ...item.processing, waitingFor: 'marketplace' as const, notBefore: later(1) } };

  test(`${state}, wanted: ${wanted}${waits ? ', or waits' : ''}`, (t) => {
    t.is(nextStep(item, noon).kind, wanted);
    t.is(nextStep({ ...item, ...waiting }, noon).kind, waits ? 'wait' : wanted);
    t.is(nextStep({ ...item, ...waiting }, later(1)).kind, wanted);
  });

  test(`${state}, unwanted: ${unwanted}`, (t) => {
    for (const off of [
      { serviceStatus: 'not_listed' },
      { serviceStatus: 'sold' },
      { serviceStatus: 'archived' },
      { current: false },
    ] as const) {
      t.is(nextStep({ ...item, ...off }, noon).kind, unwanted);
      const isCall = unwanted === 'go-live' || unwanted === 'take-down';
      t.is(nextStep({ ...item, ...off, ...waiting }, noon).kind, isCall ? 'wait' : unwanted);
    }
  });
}

test('a draft whose commit may be on its way has to be removed when nobody wants it', (t) => {
  for (const state of ['drafting', 'prepared'] as const) {
    const sent = changeNewestListing(anItemBeingPublished(state, { current: false }), { mayBeCommitted: true });
    t.deepEqual(nextStep(sent, noon), { kind: 'take-down', publication: 1 });
  }
});

const picture = { sourceUrl: 'https://a.example/1.jpg', contentHash: null, failure: null } as const;
const images = (state: 'pending' | 'hosted' | 'failed', announced: boolean) => ({
  imageSet: { number: 1, images: [{ ...picture, state }], announced },
});

test('images come before anything that shows them, and are announced before', (t) => {
  for (const serviceStatus of ['draft', 'active'] as const) {
    t.deepEqual(nextStep(anItem({ serviceStatus, ...images('pending', false) }), noon), { kind: 'process-images' });
    t.deepEqual(nextStep(anItem({ serviceStatus, ...images('hosted', false) }), noon), { kind: 'announce-images' });
  }
});

test('a take-down waits for no images, and images of what is off are looked after once it is down', (t) => {
  const off = { serviceStatus: 'not_listed', ...images('pending', false) } as const;
  t.deepEqual(nextStep(anItemBeingPublished('live', off), noon), { kind: 'take-down', publication: 1 });
  t.deepEqual(nextStep(anItemBeingPublished('removed', off), noon), { kind: 'process-images' });
  t.deepEqual(nextStep(anItemBeingPublished('removed', { ...off, current: false }), noon), { kind: 'settle' });
});

test('without a working image nothing is published, but what may be up already is followed', (t) => {
  const failed = images('failed', true);
  t.deepEqual(nextStep(anItem(failed), noon), { kind: 'settle' });
  t.deepEqual(nextStep(anItemBeingPublished('prepared', failed), noon), { kind: 'settle' });
  const sent = changeNewestListing(anItemBeingPublished('prepared', failed), { mayBeCommitted: true });
  t.deepEqual(nextStep(sent, noon), { kind: 'go-live', publication: 1 });
});

test('a live auction follows the price, but for öre that the marketplace does not know', (t) => {
  const dearer = emptied(itemWithPrice(aLiveItem(), 50_000, aCall()));
  t.deepEqual(nextStep(dearer, noon), { kind: 'send-price', publication: 1 });
  const slightly = emptied(itemWithPrice(aLiveItem(), 45_010, aCall()));
  t.deepEqual(nextStep(slightly, noon), { kind: 'confirm-shown' });
});

test('what the marketplace refused is not asked again before the next accepted write', (t) => {
  const dearer = emptied(itemWithPrice(aLiveItem(), 50_000, aCall()));
  const refused = changeNewestListing(dearer, { refusedRevision: dearer.revision });
  t.deepEqual(nextStep(refused, noon), { kind: 'settle' });
  const again = emptied(itemWithPrice(refused, 60_000, aCall(1)));
  t.deepEqual(nextStep(again, noon), { kind: 'send-price', publication: 1 });
});

test('a deleted item settles with its auction down', (t) => {
  const deleted = emptied(deletedItem(aLiveItem(), aCall()));
  t.deepEqual(nextStep(deleted, noon), { kind: 'take-down', publication: 1 });
  t.deepEqual(nextStep(changeNewestListing(deleted, { state: 'removed' }), noon), { kind: 'settle' });
});
