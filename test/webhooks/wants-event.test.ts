import test from 'ava';
import {
  eventTypes,
  namedEventTypes,
  specifiedEventTypes,
  type EventType,
} from '../../features/webhooks/rules/event-types.ts';
import { accountId, endpointId } from '../../features/rules/ids.ts';
import { wantsEvent, type OfferedEvent, type WebhookTarget } from '../../features/webhooks/rules/delivery.ts';

const [own, reseller] = [accountId('own'), accountId('reseller')];
const url: WebhookTarget = { kind: 'account', accountId: own };
const anEndpoint = (eventTypes_: readonly EventType[], change = {}): WebhookTarget => ({
  kind: 'endpoint',
  endpointId: endpointId('e'),
  accountId: own,
  scope: 'self',
  active: true,
  eventTypes: eventTypes_,
  ...change,
});
const told = (target: WebhookTarget, event: Partial<OfferedEvent> = {}): EventType[] =>
  eventTypes.filter((type) => wantsEvent(target, { type, ...event }));

test('who names no type gets the six of the specification: an empty list, and the account-level URL', (t) => {
  t.is(specifiedEventTypes.length, 6);
  t.deepEqual(told(anEndpoint([])), [...specifiedEventTypes]);
  t.deepEqual(told(url), [...specifiedEventTypes]);
});

test('an endpoint gets the types that it names, and no other', (t) => {
  t.deepEqual(told(anEndpoint(['item.sold', 'order.paid'])), ['item.sold', 'order.paid']);
});

test("a reseller's endpoint hears of orders only for members that share them", (t) => {
  const members = { accountId: reseller, scope: 'members' };
  const orders = namedEventTypes.filter((type) => type.startsWith('order.'));
  t.is(orders.length, 3);
  t.deepEqual(told(anEndpoint(orders, members)), []);
  t.deepEqual(told(anEndpoint(orders, { ...members, sharesOrders: false })), []);
  t.deepEqual(told(anEndpoint(orders, { ...members, sharesOrders: true })), orders);
});

test('nobody is told what a key of its own has written', (t) => {
  const members = anEndpoint(['item.changed'], { accountId: reseller, scope: 'members' });
  t.deepEqual(told(members, { writtenBy: reseller }), []);
  t.deepEqual(told(anEndpoint(['item.changed']), { writtenBy: reseller }), ['item.changed']);
});
