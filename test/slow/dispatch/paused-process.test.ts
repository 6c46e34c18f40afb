import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { accountId } from '../../../core/ids.ts';
import { Ownership } from '../../../dispatch/ownership.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(async () => {
  await closeTestStore(store);
});

test('a process that was paused looks for work as soon as it lives again: it has turned away what it heard', async (t) => {
  let looks = 0;
  const onChange = (): void => void (looks += 1);
  const ownership = new Ownership({ store, clock: store.clock, workerId: randomUUID(), onChange });
  const account = accountId(randomUUID());
  await ownership.beat();
  t.true(ownership.owns(account));
  t.is(looks, 1);
  await ownership.beat();
  t.is(looks, 1);
  // As long as others wait before they take it for dead.
  await pause(3_100);
  t.false(ownership.owns(account));
  await ownership.beat();
  t.true(ownership.owns(account));
  t.is(looks, 2);
});
