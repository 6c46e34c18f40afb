import test from 'ava';
import { isError, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);
const path = '/partner/marketplace-connection';
const connect = (token: string, body: object = { marketplaceUserId: '4711', token: 'seller-token' }) =>
  world().call('PUT', path, { token, body });
const rows = () => world().store.connection.collection<{ _id: string }>('marketplace_connections');

test('connect 200: shown without its token, which is stored encrypted', async (t) => {
  const { token, id } = await world().account();
  const reply = await connect(token);
  t.is(reply.status, 200);
  t.like(reply.body, { marketplaceUserId: '4711', state: 'connected' });
  t.false(reply.text.includes('seller-token'));
  t.deepEqual((await world().call('GET', path, { token })).body, reply.body);
  t.false(JSON.stringify(await rows().findOne({ _id: id })).includes('seller-token'));
});

test('connect 200: connecting again owes the stopped work another try and keeps how far the looks have come', async (t) => {
  const { token, id } = await world().account();
  await connect(token);
  const lookedAt = new Date('2026-01-01T00:00:00Z');
  await rows().updateOne({ _id: id }, { $set: { state: 'expired', resumeOwed: false, lookedAt, liveMark: 7 } });
  t.is((await connect(token, { marketplaceUserId: '4711', token: 'next' })).body.state, 'connected');
  t.like(await rows().findOne({ _id: id }), { state: 'connected', resumeOwed: true, lookedAt, liveMark: 7 });
});

test('connect 200: the end of the token is kept when the caller knows it, and shown', async (t) => {
  const { token } = await world().account();
  t.is((await connect(token)).body.expiresAt, null);
  const expiresAt = '2027-05-01T10:00:00.000Z';
  const reply = await connect(token, { marketplaceUserId: '4711', token: 'next', expiresAt });
  t.is(reply.body.expiresAt, expiresAt);
  t.is((await world().call('GET', path, { token })).body.expiresAt, expiresAt);
});

test('connect 422: user and token are needed', async (t) => {
  const { token } = await world().account();
  const reply = await connect(token, { token: ' ' });
  isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
  t.deepEqual(reply.body.details.map((problem: { field: string }) => problem.field).sort(), [
    'marketplaceUserId',
    'token',
  ]);
});

for (const marketplaceUserId of ['410001\r\nX-Evil: 1', '410001\n', '41 0001', 'användare', '410001;'])
  test(`connect 422: a user id that no header carries as it is: ${JSON.stringify(marketplaceUserId)}`, async (t) => {
    const { token } = await world().account();
    const reply = await connect(token, { marketplaceUserId, token: 'seller-token' });
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.is(reply.body.details[0].field, 'marketplaceUserId');
    isError(t, await world().call('GET', path, { token }), { status: 404, code: 'NOT_FOUND' });
  });

test('disconnect 204, also when nothing is connected; then read 404', async (t) => {
  const { token } = await world().account();
  await connect(token);
  for (const _ of [1, 2]) t.is((await world().call('DELETE', path, { token })).status, 204);
  isError(t, await world().call('GET', path, { token }), { status: 404, code: 'NOT_FOUND' });
});
