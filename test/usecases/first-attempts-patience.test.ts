import test from 'ava';
import type { StoreConnection } from '../../store/database/connection.ts';
import type { FirstAttemptDependencies } from '../../usecases/deliveries/first-attempts.ts';
import { aGate } from '../support/a-gate.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { until } from '../support/until.ts';
import { startDeliveryLife } from './support/delivery-life.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

const groups = { look: 'findDestination', reservation: 'reserveMany', recording: 'completeMany' } as const;

for (const [group, name] of Object.entries(groups))
  test(`a ${group} of first attempts that hangs in the database, twice, holds no attempt that comes later`, async (t) => {
    const life = await startDeliveryLife(store);
    t.teardown(() => life.close());
    const [begun, gate] = [[aGate(), aGate()], aGate()];
    let calls = 0;
    /** As at a lock: the first two calls stand still until the test lets them go on. */
    const held =
      <Given extends unknown[], Result>(sound: (...given: Given) => Promise<Result>) =>
      async (...given: Given): Promise<Result> => {
        begun[calls]?.open();
        calls += 1;
        if (calls <= 2) await gate.opened;
        return sound(...given);
      };
    const lane = (sound: FirstAttemptDependencies): Partial<FirstAttemptDependencies> => ({
      [name]: held<unknown[], unknown>(sound[name] as (...given: unknown[]) => Promise<unknown>),
    });
    const process = life.process({ lane });
    const push = async (externalId: string): Promise<void> => {
      await process.push(externalId);
      await process.advance(externalId);
    };
    for (const [index, externalId] of ['A1', 'A2'].entries()) {
      await push(externalId);
      await begun[index]?.opened;
    }
    await push('A3');
    const succeeded = async () => (await life.deliveries()).filter(({ state }) => state === 'succeeded').length;
    await t.notThrowsAsync(until('the third is delivered', async () => (await succeeded()) === 1, 4_000));
    gate.open();
    await process.close();
    t.is(await succeeded(), 3);
  });
