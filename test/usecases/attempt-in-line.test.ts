import test from 'ava';
import { accountId, deliveryId, endpointId, eventId } from '../../core/ids.ts';
import { newDelivery, type DeliveryStore } from '../../store/deliveries/deliveries.ts';
import { attemptDelivery } from '../../usecases/deliveries/attempt-delivery.ts';
import type { DeliveryDependencies } from '../../usecases/deliveries/delivery-dependencies.ts';
import type { Asker } from '../../usecases/deliveries/endpoint-health.ts';

const now = new Date('2026-03-02T09:15:00Z');
const delivery = newDelivery({
  _id: deliveryId('dlv_1'),
  ...{ accountId: accountId('a1'), aboutAccountId: accountId('a1') },
  ...{ eventId: eventId('evt_1'), eventType: 'item.created', externalId: 'A1', eventNumber: 1 },
  ...{ endpointId: endpointId('e1'), target: 'e1', scope: 'self', purpose: 'event' },
  ...{ state: 'pending', missed: false, nextAttemptAt: now },
  body: Buffer.from('{}'),
  ...{ eventAt: now, createdAt: now },
});

/** Everything but the look at the record and at the line fails the test. */
function lineOf(forMs: number) {
  const released: unknown[] = [];
  const askers: Asker[] = [];
  const clock = { now };
  let row = delivery;
  const store: Partial<DeliveryStore> = {
    findPending: () => Promise.resolve(row),
    releaseClaims: (ids, at) => {
      released.push([ids, at]);
      row = { ...row, nextAttemptAt: at };
      return Promise.resolve();
    },
  };
  const tryBegin = (_target: string, asker: Asker) => {
    askers.push(asker);
    return { kind: 'wait', forMs };
  };
  const dependencies = {
    deliveries: store,
    health: { tryBegin },
    now: () => clock.now,
  } as unknown as DeliveryDependencies;
  /** As a failed attempt leaves it. */
  const fail = (): void => {
    const retryAt = new Date(clock.now.getTime() + 1_000);
    row = { ...row, attempts: 1, retryAt, nextAttemptAt: new Date(retryAt.getTime() + 5_000) };
  };
  return { dependencies, released, askers, clock, fail };
}

// specification: who-waits-for-a
test('who has to wait for a place sends, reserves and logs nothing, and the sweep lets it wait', async (t) => {
  const { dependencies, released } = lineOf(21_000);
  const step = await attemptDelivery(dependencies, delivery._id);
  t.like(step, { kind: 'wait', forMs: 21_000 });
  t.deepEqual(released, [[[delivery._id], new Date(now.getTime() + 26_000)]]);
});

// specification: who-waits-for-a
test('the record says, to whichever process a timer comes back to, who has waited; after an attempt it begins anew', async (t) => {
  const { dependencies, askers, clock, fail } = lineOf(1_000);
  const look = async (afterMs: number): Promise<void> => {
    clock.now = new Date(clock.now.getTime() + afterMs);
    await attemptDelivery(dependencies, delivery._id);
  };
  for (const afterMs of [0, 1_000, 1_030]) await look(afterMs);
  fail();
  for (const afterMs of [1_000, 1_000]) await look(afterMs);
  t.deepEqual(
    askers.map(({ hasWaited }) => hasWaited),
    [false, true, true, false, true],
  );
});

test('who has to wait waits, also when nobody can say how its reseller calls the account', async (t) => {
  const { dependencies } = lineOf(21_000);
  const memberOf = (): Promise<never> => Promise.reject(new Error('the database is busy'));
  const step = await attemptDelivery({ ...dependencies, memberOf }, delivery._id);
  t.like(step, { kind: 'wait', forMs: 21_000, why: { reason: 'receiver_slow', member: null } });
});
