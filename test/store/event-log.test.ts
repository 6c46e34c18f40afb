import { randomUUID } from 'node:crypto';
import test from 'ava';
import { accountId } from '../../core/ids.ts';
import { recordEvents } from '../../store/events/event-log.ts';
import type { DueEvent, NumberedEvent } from '../../store/events/events.ts';
import { planDeliveries } from '../../usecases/events/plan-deliveries.ts';
import { openTestStore, closeTestStore } from '../support/open-test-store.ts';
import { aDueEvent } from '../support/stored-events.ts';

test('events that are stored already, or come twice at once, are left out; the others are numbered without a gap', async (t) => {
  const store = await openTestStore();
  t.teardown(() => closeTestStore(store));
  const account = accountId(randomUUID());
  const [first, second, third] = ['A1', 'A2', 'A3'].map((externalId) => aDueEvent(account, externalId)) as [
    DueEvent,
    DueEvent,
    DueEvent,
  ];
  const planned: [string, number][] = [];
  const record = (events: readonly DueEvent[]) =>
    recordEvents(store, account, {
      events,
      planDeliveries: ({ externalId, number }: NumberedEvent) => {
        planned.push([externalId, number]);
        return [];
      },
      now: new Date(),
    });
  await record([first]);
  await record([second, first, third, second]);
  await record([first, third]);

  const rows = await store.connection.collection('events').find({ accountId: account }).sort({ number: 1 }).toArray();
  t.deepEqual(
    rows.map(({ externalId, number }) => [externalId, number]),
    [
      ['A1', 1],
      ['A2', 2],
      ['A3', 3],
    ],
  );
  t.deepEqual(planned, [
    ['A1', 1],
    ['A2', 2],
    ['A3', 3],
  ]);
});

test('a transaction of events has at most a thousand rows; one event with all its targets always fits', async (t) => {
  const store = await openTestStore();
  t.teardown(() => closeTestStore(store));
  const account = accountId(randomUUID());
  const endpoints = Array.from({ length: 41 }, (_, n) => ({
    ...{ _id: `e${n}`, accountId: account, scope: 'self', active: true, eventTypes: [], createdAt: new Date(0) },
  }));
  await store.connection.collection<{ _id: string }>('webhook_endpoints').insertMany(endpoints);
  const events = Array.from({ length: 100 }, (_, n) => aDueEvent(account, `A${n}`));
  /** Each transaction looks for its targets by itself. */
  const rowsOf = new Map<unknown, number>();
  const made = await recordEvents(store, account, {
    events,
    planDeliveries: (event, targets) => {
      rowsOf.set(targets, (rowsOf.get(targets) ?? 0) + 1 + targets.length);
      return planDeliveries(event, targets, new Date());
    },
    now: new Date(),
  });
  t.is(made.length, 4_100);
  t.is(await store.connection.collection('deliveries').countDocuments({ accountId: account }), 4_100);
  t.true(Math.max(...rowsOf.values()) <= 1_000, String([...rowsOf.values()]));
});
