import test from 'ava';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { aGate } from '../../support/a-gate.ts';
import type { Around } from '../../support/around-store.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';
import { until } from '../../support/until.ts';
import { startDeliveryLife } from '../../usecases/support/delivery-life.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

for (const step of ['insertMany delivery_attempts', 'bulkWrite deliveries'])
  test.serial(`${step} that hangs in the database, twice, holds no attempt that comes later`, async (t) => {
    const life = await startDeliveryLife(store);
    t.teardown(() => life.close());
    const [begun, gate] = [[aGate(), aGate()], aGate()];
    let calls = 0;
    /** As at a lock: the first two calls stand still until the test lets them go on. */
    const around: Around = async (name, take) => {
      if (name === step) {
        begun[calls]?.open();
        calls += 1;
        if (calls <= 2) await gate.opened;
      }
      return take();
    };
    const process = life.process({ around });
    for (const [index, name] of ['A1', 'A2'].entries()) {
      await process.happen(name);
      await begun[index]?.opened;
    }
    await process.happen('A3');
    const succeeded = async () => (await life.deliveries({ state: 'succeeded' })).length;
    await t.notThrowsAsync(until('the third is delivered', async () => (await succeeded()) === 1, 4_000));
    gate.open();
    await process.close();
    t.is(await succeeded(), 3);
  });
