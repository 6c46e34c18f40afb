import test from 'ava';
import { acceptWrite } from '../../../core/items/accept-write.ts';
import { nextStep } from '../../../core/items/next-step.ts';
import { updateItem } from '../../../core/items/upsert-item.ts';
import { changeNewestListing } from '../../../core/listings/publication.ts';
import { setBack } from '../../../core/listings/setback.ts';
import { anItem, anItemBeingPublished, later, noon } from '../../support/an-item.ts';
import { anItemRequest } from '../../support/an-item-request.ts';

test('an item that is to be published opens its listing', (t) => {
  t.deepEqual(nextStep(anItem(), noon), { kind: 'open-listing' });
});

test('an item that nobody wants published settles', (t) => {
  t.deepEqual(nextStep(anItem({ wantedPublication: 0 }), noon), { kind: 'settle' });
});

test('an item that is not active is not published', (t) => {
  for (const serviceStatus of ['draft', 'sold', 'not_listed', 'archived'] as const) {
    t.deepEqual(nextStep(anItem({ serviceStatus }), noon), { kind: 'settle' });
    t.deepEqual(nextStep(anItemBeingPublished('prepared', { serviceStatus }), noon), { kind: 'settle' });
  }
});

test('what was drafted goes live only as the item is now', (t) => {
  const prepared = anItemBeingPublished('prepared');
  t.deepEqual(nextStep(prepared, noon), { kind: 'go-live', publication: 1 });
  const changed = updateItem(prepared, anItemRequest({ priceOre: 50_000 }), later(1_000));
  t.deepEqual(nextStep(changed, later(1_000)), { kind: 'redraft' });
});

test('a request whose commit may still be on its way is committed again, never replaced', (t) => {
  const sent = changeNewestListing(anItemBeingPublished('prepared'), { mayBeCommitted: true });
  const changed = updateItem(sent, anItemRequest({ priceOre: 50_000 }), later(1_000));
  t.deepEqual(nextStep(changed, later(1_000)), { kind: 'go-live', publication: 1 });
});

test('what may be up already is followed to its end, whatever became of the item', (t) => {
  const taken = acceptWrite(anItemBeingPublished('committing', { serviceStatus: 'not_listed' }), noon);
  t.deepEqual(nextStep(taken, noon), { kind: 'go-live', publication: 1 });
});

test('a publication that was set back waits until its time', (t) => {
  const waiting = setBack(
    anItemBeingPublished('drafting'),
    { cause: 'MARKETPLACE_TIMEOUT', message: 'no answer' },
    noon,
  );
  t.deepEqual(nextStep(waiting, noon), { kind: 'wait', waitingFor: 'marketplace', until: later(1_000) });
  t.deepEqual(nextStep(waiting, later(1_000)), { kind: 'prepare-listing', publication: 1 });
});

test('events that are due are stored before anything else', (t) => {
  const told = setBack(anItemBeingPublished('drafting'), { cause: 'MARKETPLACE_NOT_CONNECTED', message: 'no' }, noon);
  t.deepEqual(nextStep(told, noon), { kind: 'store-outbox' });
});
