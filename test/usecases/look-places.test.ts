import test from 'ava';
import { accountId } from '../../core/ids.ts';
import { aGate } from '../support/a-gate.ts';
import { createLookPlaces } from '../../usecases/items/look-places.ts';

const [one, other] = [accountId('one'), accountId('other')];
const noEnd = aGate().opened;

test('a place is held until its work ends, however it ends', async (t) => {
  const places = createLookPlaces(3, 60_000);
  const { opened, open } = aGate();
  places.take(one, opened);
  places.take(one, Promise.reject(new Error('no')));
  places.take(other, opened);
  t.is(places.free(), 0);
  await places.untilFree(1);
  t.is(places.free(), 1);
  t.deepEqual(places.accountsWith(1).toSorted(), [one, other]);
  open();
  await places.untilFree(3);
  t.deepEqual(places.accountsWith(1), []);
});

test('accounts that have their share are named', (t) => {
  const places = createLookPlaces(10, 60_000);
  for (const account of [one, one, one, other]) places.take(account, noEnd);
  t.deepEqual(places.accountsWith(3), [one]);
  t.deepEqual(places.accountsWith(4), []);
});

test('work that takes too long goes on, but holds no place any more', async (t) => {
  const places = createLookPlaces(2, 20);
  // Its own timer keeps no process alive.
  const alive = setInterval(() => undefined, 1_000);
  t.teardown(() => {
    clearInterval(alive);
  });
  places.take(one, noEnd);
  places.take(one, noEnd);
  await places.untilFree(2);
  t.is(places.free(), 2);
});
