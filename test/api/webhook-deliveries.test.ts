import test from 'ava';
import { withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);

const anAttempt = (accountId: string, number: number, fields: object = {}) => ({
  _id: `att_${accountId}_${number}`,
  accountId,
  deliveryId: 'dlv_1',
  endpointId: 'endpoint-1',
  eventId: 'evt_1',
  externalId: `A${number}`,
  eventType: 'item.created',
  attempt: 1,
  status: 'failed',
  errorMessage: 'answered 500',
  httpStatus: 500,
  durationMs: 12,
  createdAt: new Date(Date.UTC(2026, 0, 1) + number * 1_000),
  ...fields,
});

test('list 200: the 100 most recent attempts of the account, newest first', async (t) => {
  const [{ token, id }, other] = [await world().account(), await world().account()];
  const rows = Array.from({ length: 120 }, (_, number) => anAttempt(id, number));
  await world()
    .store.connection.collection<{ _id: string }>('delivery_attempts')
    .insertMany([...rows, anAttempt(other.id, 1)]);
  const reply = await world().call('GET', '/integration/webhook-deliveries', { token });
  t.is(reply.status, 200);
  const { deliveries } = reply.body;
  t.is(deliveries.length, 100);
  t.like(deliveries[0], {
    id: `att_${id}_119`,
    externalId: 'A119',
    eventType: 'item.created',
    status: 'failed',
    errorMessage: 'answered 500',
    createdAt: '2026-01-01T00:01:59.000Z',
    endpointId: 'endpoint-1',
  });
});

test('list 200: an attempt at the account-level URL has no endpointId', async (t) => {
  const { token, id } = await world().account();
  const row = anAttempt(id, 1, { endpointId: null, status: 'success', errorMessage: null, httpStatus: 200 });
  await world().store.connection.collection<{ _id: string }>('delivery_attempts').insertOne(row);
  const [delivery] = (await world().call('GET', '/integration/webhook-deliveries', { token })).body.deliveries;
  t.false('endpointId' in delivery);
  t.is(delivery.errorMessage, null);
});
