import test from 'ava';
import { csvRows } from '../../client/files/csv-rows.ts';
import type { AccountId } from '../../features/rules/ids.ts';
import { createCallerLimits, type Allowance } from '../../features/accounts/caller-limits.ts';
import { generousLimits, withApiWorld, isError } from '../support/api-world.ts';
import { until } from '../support/until.ts';
import { few, limitOf, limitsOn } from '../support/with-limits.ts';
import { present } from '../support/clock.ts';

/** The account of each confirmation: one for an answer, and one for each page of a file. */
const confirmed: string[] = [];
const world = withApiWorld(test, {
  replace: ({ confirmCredential }) => ({
    confirmCredential: (scope) => {
      confirmed.push(scope.accountId);
      return confirmCredential(scope);
    },
  }),
});
const withLimits = limitsOn(world);

/** The rows of a file, by our own reader of CSV, without their heading. */
async function rowsOf(token: string, path: string): Promise<string[][]> {
  const { status, text } = await world().call('GET', path, { token });
  if (status !== 200) throw new Error(text);
  const rows: string[][] = [];
  const dialect = { separator: path.includes('language=en') ? ',' : ';', newline: '\n' } as const;
  for await (const { cells } of csvRows(piecesOf(text), dialect)) rows.push([...cells]);
  return rows.slice(1);
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield text;
}

const attempt = (accountId: string, n: number) => ({
  _id: `att_${accountId}_${n}`,
  accountId,
  deliveryId: `dlv_${n}`,
  endpointId: null,
  eventId: `evt_${n}`,
  externalId: n === 7 ? '=cmd|x' : `A${n}`,
  eventType: 'item.created',
  attempt: 1,
  status: 'failed',
  errorMessage: 'answered 500',
  httpStatus: 500,
  durationMs: 12,
  responseStart: '',
  createdAt: present(-3_600_000 + n),
});

test('a file has the whole list by its filters, also over several pages, and nothing of another account', async (t) => {
  const [own, other] = [await world().account(), await world().account()];
  const rows = Array.from({ length: 450 }, (_, n) => attempt(own.id, n));
  await world()
    .store.connection.collection<{ _id: string }>('delivery_attempts')
    .insertMany([...rows, attempt(other.id, 1)]);
  const all = await rowsOf(own.token, '/partner/webhook-deliveries.csv');
  t.is(all.length, 450);
  t.is(all[0]?.[2], 'A449');
  t.is(all.at(-8)?.[2], "'=cmd|x");
  const one = await rowsOf(own.token, '/partner/webhook-deliveries.csv?externalId=A3&language=en');
  t.deepEqual(
    one.map((cells) => cells[2]),
    ['A3'],
  );
});

test('orders are a file for bookkeeping, with title and the VAT within the price', async (t) => {
  const { token, apiKey } = await world().account();
  const item = { title: 'Lampa; "grön"', price: 125, imageUrls: [], listing: { vatPercent: 25 } };
  await world().call('PUT', '/integration/v1/items/VAT-1', { apiKey, body: item });
  const sale = { externalId: 'VAT-1', platform: 'service_card', amount: 125.5, status: 'paid' };
  t.is((await world().call('POST', '/partner/orders', { token, body: sale })).status, 201);
  const [row] = await rowsOf(token, '/partner/orders.csv');
  t.is(row?.[7], 'Lampa; "grön"');
  t.deepEqual(row?.slice(9, 12), ['125,5', '25', '25,1']);
  t.regex(row?.[1] ?? '', /^\d{4}-\d\d$/);
  // States are told in the words of the pages.
  t.is(row?.[5], 'Betald');
  t.is(row?.[8], 'Direkt, kort');
  t.is((await rowsOf(token, '/partner/orders.csv?language=en'))[0]?.[5], 'Paid');
  t.is((await rowsOf(token, '/partner/items.csv?q=lampa')).length, 1);
});

test('a file has no parameters of pages, and refuses before its first line', async (t) => {
  const { token } = await world().account();
  for (const query of ['limit=5', 'cursor=x', 'status=unknown', 'language=fr'])
    isError(t, await world().call('GET', `/partner/orders.csv?${query}`, { token }), {
      status: 400,
      code: 'BAD_REQUEST',
    });
});

/** An account whose log has three pages of a file. */
async function withAttempts() {
  const account = await world().account();
  await world()
    .store.connection.collection<{ _id: string }>('delivery_attempts')
    .insertMany(Array.from({ length: 450 }, (_, n) => attempt(account.id, n)));
  return account;
}

const path = '/partner/webhook-deliveries.csv';

// specification: calls-cost-what
test('a file costs what its pages would, and leaves a quarter of the burst to other calls', async (t) => {
  const { token } = await withAttempts();
  await withLimits({ account: few(100) }, async ({ call }) => {
    t.is((await call('GET', path, { token })).status, 200);
    t.regex(limitOf(await call('GET', '/auth/me', { token })) ?? '', /r=86;/);
  });
});

test('a file that costs more than the burst is not refused: it is sent as fast as points come back', async (t) => {
  const { token } = await withAttempts();
  await withLimits({ account: { burst: 8, perSecond: 40 } }, async ({ call }) => {
    const { status, text } = await call('GET', path, { token });
    t.is(status, 200);
    t.is(text.trim().split('\n').length, 451);
  });
});

// specification: calls-cost-what
test('an account has two files at once, a third is told to come back; another account has its own', async (t) => {
  const [{ token }, other] = [await withAttempts(), await world().account()];
  await withLimits({ account: few(10) }, async ({ call, url }) => {
    const gone = new AbortController();
    const begin = () => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` }, signal: gone.signal });
    // Points for their first page alone, so that they last.
    const held = [await begin(), await begin()];
    t.deepEqual(
      held.map(({ status }) => status),
      [200, 200],
    );
    const third = await call('GET', path, { token });
    isError(t, third, { status: 429, code: 'RATE_LIMITED' });
    t.is(third.headers.get('retry-after'), '5');
    t.is((await call('GET', path, { token: other.token })).status, 200);
    // They are named until here: a response that nothing refers to is given up.
    t.false(held.some(({ bodyUsed }) => bodyUsed));
    gone.abort();
    await until('a place is free', async () => (await call('HEAD', path, { token })).status === 200);
  });
});

test('callers that hang up before their file begins leave no place taken', async (t) => {
  const { token } = await withAttempts();
  const limits = createCallerLimits(generousLimits);
  let held = 0;
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const take = async (allowance: Allowance, points?: number) => {
    held += 1;
    await gate;
    return allowance.take(points);
  };
  const byAccount = (account: AccountId) => {
    const allowance = limits.byAccount(account);
    return { ...allowance, take: (points?: number) => take(allowance, points) };
  };
  const aborted = () => world().logLines.filter((line) => line['msg'] === 'request.aborted').length;
  const rateLimits = { ...limits, byAccount };
  await withLimits(
    {},
    async ({ call, url }) => {
      const before = aborted();
      const gone = new AbortController();
      const headers = { authorization: `Bearer ${token}` };
      const calls = [1, 2].map(() => fetch(`${url}${path}`, { headers, signal: gone.signal }));
      await until('both calls are held before their file begins', async () => held === 2);
      gone.abort();
      // Node 22's DOMException is no error to ava.
      await Promise.all(calls.map((one) => t.throwsAsync(one, { any: true, name: 'AbortError' })));
      await until('the service knows that both have gone', async () => aborted() >= before + 2);
      letGo();
      t.is((await call('GET', path, { token })).status, 200);
    },
    { rateLimits },
  );
});

// specification: calls-cost-what
test('a caller that hangs up while its file waits for points is read no page', async (t) => {
  const { id, token } = await withAttempts();
  const pagesRead = () => confirmed.filter((account) => account === id).length;
  await withLimits({ account: few(20) }, async ({ call, url }) => {
    // Each page costs four points, and a file leaves a quarter of the burst to other calls.
    for (let n = 0; n < 3; n += 1) await call('GET', '/partner/items?limit=200', { token });
    const gone = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    t.is((await fetch(`${url}${path}`, { headers, signal: gone.signal })).status, 200);
    const before = pagesRead();
    gone.abort();
    const again = performance.now() + 2 * 200;
    await until('the file has looked for points twice, as it does each 200 ms', async () => performance.now() > again);
    t.is(pagesRead(), before);
  });
});
