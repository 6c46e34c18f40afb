import test from 'ava';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { createPaidCalls } from '../../features/accounts/store/paid-calls.ts';
import { createVehicleLookupStore } from '../../features/vehicles/store/plate-cache.ts';
import { later, noon } from '../support/an-item.ts';
import { withDatabase } from '../support/with-database.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

const vehicle = (model: string) => ({
  registrationPlate: 'MLB84A',
  make: 'Volvo',
  model,
  year: 2021,
  fuelType: 'hybrid',
  color: 'Blå',
});
const record = (model: string, askedAt: Date) => ({ vehicle: vehicle(model), askedAt, purgeAt: later(86_400_000) });

test('of answers that several processes got at the same time the newest stays, in whatever order they come', async (t) => {
  const lookups = createVehicleLookupStore(store);
  t.is(await lookups.find('MLB84A'), null);
  const answers = [later(2_000), noon, later(1_000)].map((askedAt) => record(askedAt.toISOString(), askedAt));
  await Promise.all(answers.map((answer) => lookups.save('MLB84A', answer)));
  for (const answer of answers) await lookups.save('MLB84A', answer);
  t.like(await lookups.find('MLB84A'), record(later(2_000).toISOString(), later(2_000)));
});

test('the database itself forgets answers when their time is over', async (t) => {
  const indexes = await store.connection.collection('vehicle_lookups').indexes();
  t.true(indexes.some(({ key, expireAfterSeconds }) => 'purgeAt' in key && expireAfterSeconds === 0));
});

test('calls are held until the latest time that any process was told, and of one name alone', async (t) => {
  let now = noon;
  const calls = createPaidCalls(store, () => now);
  t.is(await calls.heldSeconds('held'), 0);
  await Promise.all([60_000, 3_600_000, 1_000].map((ms) => calls.hold('held', later(ms))));
  t.is(await calls.heldSeconds('held'), 3_600);
  t.is(await calls.heldSeconds('other'), 0);
  now = later(3_599_500);
  t.is(await calls.heldSeconds('held'), 1);
  now = later(3_600_000);
  t.is(await calls.heldSeconds('held'), 0);
});
