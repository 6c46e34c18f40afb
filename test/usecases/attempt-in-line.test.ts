import test from 'ava';
import { accountId, deliveryId, endpointId, eventId } from '../../core/ids.ts';
import { newDelivery, type DeliveryStore } from '../../store/deliveries.ts';
import { attemptDelivery, type DeliveryDependencies } from '../../usecases/deliveries/attempt-delivery.ts';

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
  const store: Partial<DeliveryStore> = {
    findPending: () => Promise.resolve(delivery),
    releaseClaims: (...claim) => {
      released.push(claim);
      return Promise.resolve();
    },
  };
  const dependencies = {
    deliveries: store,
    health: { tryBegin: () => ({ kind: 'wait', forMs }) },
    now: () => now,
  } as unknown as DeliveryDependencies;
  return { dependencies, released };
}

for (const onlyIfCheap of [true, false]) {
  const way = onlyIfCheap ? 'a cheap try' : 'the queue';
  test(`who has to wait for a place on ${way} sends, reserves and logs nothing, and the sweep lets it wait`, async (t) => {
    const { dependencies, released } = lineOf(21_000);
    const step = await attemptDelivery(dependencies, delivery._id, { onlyIfCheap });
    t.like(step, { kind: 'wait', forMs: 21_000 });
    t.deepEqual(released, [[[delivery._id], new Date(now.getTime() + 26_000)]]);
  });
}
