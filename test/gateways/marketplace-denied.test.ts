import test from 'ava';
import { fails, now, says, seller, setUp, type Answer } from './support/marketplace-double.ts';

const clock: Answer = { status: 200, body: '"2026-11-21T12:00:00Z"' };
const user: Answer = { status: 200, body: { id: 77 } };

for (const status of [401, 403]) {
  const no = says(status, status === 401 ? 'Unauthorized' : 'Forbidden');

  test(`${status}: the application is asked about first, without the seller, then the token`, async (t) => {
    const { marketplace, calls } = await setUp(t, [no, clock, no]);
    await fails(t, marketplace.commit(seller, '501'), { kind: 'token_expired', status });
    t.deepEqual(
      calls.map(({ method, url }) => `${method} ${url}`),
      ['POST /v4/listings/items/501/commit', 'GET /v4/reference-data/time', 'GET /v4/users/me'],
    );
    t.is(calls[1]?.headers['x-user-token'], undefined);
    t.is(calls[1]?.headers['x-app-id'], 'app-1');
    t.is(calls[2]?.headers['x-user-id'], '77');
  });

  test(`${status}: where the application itself is refused, no seller needs to reconnect`, async (t) => {
    const { marketplace, calls } = await setUp(t, [no, no]);
    await fails(t, marketplace.readOrders(seller, now), { kind: 'not_accepted', status });
    t.is(calls.length, 2);
  });

  test(`${status}: where both are taken, it is a permission that is missing, and no item is given up`, async (t) => {
    const { marketplace } = await setUp(t, [no, clock, user]);
    const error = await fails(t, marketplace.commit(seller, '501'), { kind: 'not_accepted', status });
    t.regex(error.message, /does not permit this call: .* it is$/);
  });

  test(`${status}: where the questions find no answer, nothing is said about anyone`, async (t) => {
    for (const second of [[says(503, 'X')], [clock, says(503, 'X')]]) {
      const { marketplace } = await setUp(t, [no, ...second]);
      await fails(t, marketplace.commit(seller, '501'), { kind: 'unavailable', status });
    }
    const { marketplace } = await setUp(t, [no, says(429, 'X', { 'retry-after': '60' })]);
    await fails(t, marketplace.commit(seller, '501'), { kind: 'unavailable' });
    const lost = await setUp(t, [no, (response) => response.destroy()]);
    await fails(t, lost.marketplace.commit(seller, '501'), { kind: 'unavailable' });
  });
}

test('the questions are counted like other calls', async (t) => {
  const counted: string[] = [];
  const { marketplace } = await setUp(t, [says(403, 'Forbidden'), clock, user], {
    gate: async ({ operation }, send) => {
      counted.push(operation);
      return send();
    },
  });
  await fails(t, marketplace.remove(seller, '9001'), { kind: 'not_accepted' });
  t.deepEqual(counted, ['end', 'time', 'me']);
});
