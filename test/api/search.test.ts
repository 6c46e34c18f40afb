import { randomUUID } from 'node:crypto';
import test from 'ava';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { present } from '../support/clock.ts';

const world = withApiWorld(test);

const push = (account: TestAccount, externalId: string, title: string) =>
  world().call('PUT', `/integration/v1/items/${externalId}`, {
    apiKey: account.apiKey,
    body: { title, price: 149, imageUrls: [] },
  });
const find = (account: TestAccount, q: string, rest = '') =>
  world().call('GET', `/partner/search?q=${encodeURIComponent(q)}${rest}`, { token: account.token });

async function anAttempt(account: TestAccount, externalId: string): Promise<string> {
  const _id = `dlv_${randomUUID().replaceAll('-', '')}:1`;
  const row = {
    _id,
    accountId: account.id,
    deliveryId: _id.slice(0, -2),
    endpointId: null,
    eventId: 'evt_1',
    externalId,
    eventType: 'item.created',
    attempt: 1,
    status: 'success',
    errorMessage: null,
    httpStatus: 200,
    durationMs: 5,
    responseStart: '',
    createdAt: present(),
  };
  await world().store.connection.collection<{ _id: string }>('delivery_attempts').insertOne(row);
  return _id;
}

test('words of an item find it, its orders and its deliveries', async (t) => {
  const account = await world().account();
  await push(account, 'GBG-5002', 'Strålkastare höger fram');
  await push(account, 'GBG-7001', 'Bromsskiva');
  const sale = { externalId: 'GBG-5002', platform: 'service', amount: 99 };
  const order = await world().call('POST', '/partner/orders', { token: account.token, body: sale });
  t.is(order.status, 201, order.text);
  const attempt = await anAttempt(account, 'GBG-5002');
  for (const q of ['GBG-50', 'strålkast', 'stralkastare']) {
    const { status, body } = await find(account, q);
    t.is(status, 200);
    t.deepEqual(
      body.items.map(({ externalId }: { externalId: string }) => externalId),
      ['GBG-5002'],
      q,
    );
    t.deepEqual(
      body.orders.map(({ id }: { id: string }) => id),
      [order.body.id],
      q,
    );
    t.deepEqual(
      body.deliveries.map(({ id }: { id: string }) => id),
      [attempt],
      q,
    );
    t.deepEqual(body.members, []);
  }
});

test('an id of an order and one of a delivery find just these', async (t) => {
  const account = await world().account();
  await push(account, 'A1', 'Emaljkanna');
  const sale = { externalId: 'A1', platform: 'service', amount: 99 };
  const { body: order } = await world().call('POST', '/partner/orders', { token: account.token, body: sale });
  const attempt = await anAttempt(account, 'A1');
  t.deepEqual((await find(account, order.id)).body.orders[0].externalId, 'A1');
  t.deepEqual((await find(account, attempt.slice(0, -2))).body.deliveries[0].id, attempt);
});

test('nothing of another account is found, not even by its id', async (t) => {
  const [account, stranger] = [await world().account(), await world().account()];
  await push(stranger, 'THEIRS-1', 'Emaljkanna');
  const sale = { externalId: 'THEIRS-1', platform: 'service', amount: 99 };
  const { body: order } = await world().call('POST', '/partner/orders', { token: stranger.token, body: sale });
  const attempt = await anAttempt(stranger, 'THEIRS-1');
  for (const q of ['THEIRS-1', 'emaljkanna', order.id, attempt.slice(0, -2)])
    t.deepEqual((await find(account, q)).body, { items: [], orders: [], deliveries: [], members: [] }, q);
});

test('a reseller finds its members, and as one of them that one’s items alone', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  await push(member, 'M1', 'Emaljkanna');
  await push(reseller, 'R1', 'Emaljkanna');
  const sale = { externalId: 'M1', platform: 'service', amount: 99 };
  await world().call('POST', '/partner/orders', { token: member.token, body: sale });
  const own = (await find(reseller, 'emaljkanna')).body;
  t.deepEqual(
    own.items.map(({ externalId }: { externalId: string }) => externalId),
    ['R1'],
  );
  t.is((await find(reseller, member.reference)).body.members[0].memberUserId, member.id);
  const acting = (await find(reseller, 'emaljkanna', `&member=${member.reference}`)).body;
  t.deepEqual(
    acting.items.map(({ externalId }: { externalId: string }) => externalId),
    ['M1'],
  );
  t.deepEqual([acting.orders, acting.deliveries, acting.members], [[], [], []]);
});

test('a search for nothing is refused', async (t) => {
  const { token } = await world().account();
  for (const query of ['', '?q=', '?q=%20', `?q=${'x'.repeat(5_001)}`])
    isError(t, await world().call('GET', `/partner/search${query}`, { token }), { status: 400, code: 'BAD_REQUEST' });
});
