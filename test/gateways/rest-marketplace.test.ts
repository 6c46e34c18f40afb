import { inspect } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import type { MarketplaceError } from '../../gateways/marketplace/port.ts';
import { createRestMarketplace, type RestMarketplace } from '../../gateways/marketplace/rest-marketplace.ts';
import { Secret } from '../../security/secret.ts';
import {
  aDraft,
  appKey,
  receipt,
  seller,
  setUp,
  someChanges,
  token,
  type Answer,
  fails,
  says,
  startingAt,
} from './support/marketplace-double.ts';
import { present } from '../support/clock.ts';

const writes: Record<string, (marketplace: RestMarketplace) => Promise<unknown>> = {
  createDraft: (marketplace) => marketplace.createDraft(seller, aDraft()),
  addImage: (marketplace) => marketplace.addImage(seller, '501', Buffer.from([0xff, 0xd8, 0xff])),
  commit: (marketplace) => marketplace.commit(seller, '501'),
  remove: (marketplace) => marketplace.remove(seller, '9001'),
  markShipped: (marketplace) => marketplace.markShipped(seller, '7'),
};
/** Their refusals are outcomes, not errors; everything else is as with the others. */
const changes: Record<string, (marketplace: RestMarketplace) => Promise<unknown>> = {
  revise: (marketplace) => marketplace.revise(seller, '9001', someChanges()),
  setPrices: (marketplace) => marketplace.setPrices(seller, '9001', startingAt(500)),
};
const reads: Record<string, (marketplace: RestMarketplace) => Promise<unknown>> = {
  readOutcome: (marketplace) => marketplace.readOutcome(seller, receipt),
  readChange: (marketplace) => marketplace.readChange(seller, '501'),
  findByOwnReference: (marketplace) => marketplace.findByOwnReference(seller, 'item-1:1'),
  readUpdatedItems: (marketplace) => marketplace.readUpdatedItems(seller, new Date(0)),
  readTransactions: (marketplace) => marketplace.readTransactions(seller, new Date(0)),
  readOrders: (marketplace) => marketplace.readOrders(seller, new Date(0)),
};

async function allFail(
  t: ExecutionContext,
  answer: Answer,
  expected: { write: Partial<MarketplaceError>; read: Partial<MarketplaceError> },
): Promise<void> {
  const { marketplace } = await setUp(t, [answer]);
  for (const call of Object.values(writes)) await fails(t, call(marketplace), expected.write);
  for (const call of expected.write.kind === 'refused' ? [] : Object.values(changes))
    await fails(t, call(marketplace), expected.write);
  for (const call of Object.values(reads)) await fails(t, call(marketplace), expected.read);
}

test('a draft is created uncommitted, without restarts, in whole kronor and with its own references', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200, body: { requestId: 501, itemId: 9001 } }]);
  t.deepEqual(await marketplace.createDraft(seller, aDraft()), receipt);
  t.like(calls[0], { method: 'POST', url: '/v4/listings/items' });
  t.like(calls[0]?.headers, {
    'x-app-id': 'app-1',
    'x-app-key': appKey,
    'x-user-id': '77',
    'x-user-token': token,
    'content-type': 'application/json',
  });
  t.deepEqual(calls[0]?.body, {
    title: 'Strålkastare',
    description: '<p>Hel</p>',
    categoryId: 520,
    duration: 7,
    restarts: 0,
    startPrice: 450,
    reservePrice: null,
    buyItNowPrice: null,
    itemType: 1,
    acceptedBidderId: 1,
    shippingOptions: [{ shippingOptionId: 1, cost: 99 }],
    weightKg: 2.5,
    ownReferences: ['A1', 'item-1', 'item-1:1'],
    autoCommit: false,
  });
});

test('no shipping price and no weight leave both out, and free shipping is sent as 0', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200, body: { requestId: 501, itemId: 9001 } }]);
  await marketplace.createDraft(seller, aDraft({ shippingKronor: null, weightKg: null }));
  await marketplace.createDraft(seller, aDraft({ shippingKronor: 0 }));
  t.like(calls[0]?.body, { shippingOptions: [] });
  t.false(Object.hasOwn(calls[0]?.body as object, 'weightKg'));
  t.like(calls[1]?.body, { shippingOptions: [{ cost: 0 }] });
});

test('an image is sent as base64 JPEG to its request; one that is too large is refused without a call', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 204 }]);
  await marketplace.addImage(seller, '501', Buffer.from('jpeg'));
  t.like(calls[0], {
    method: 'POST',
    url: '/v4/listings/items/501/images',
    body: { imageData: 'anBlZw==', imageFormat: 0, hasMega: true },
  });
  await fails(t, marketplace.addImage(seller, '501', Buffer.alloc(4 * 1024 * 1024 + 1)), { kind: 'refused' });
  t.is(calls.length, 1);
});

test('a commit is one POST; being told that it was committed already is success', async (t) => {
  const { marketplace, calls } = await setUp(t, [
    { status: 202 },
    says(409, 'AlreadyCommitted'),
    says(409, 'SomethingElse'),
  ]);
  await marketplace.commit(seller, '501');
  await marketplace.commit(seller, '501');
  t.like(calls[0], { method: 'POST', url: '/v4/listings/items/501/commit' });
  await fails(t, marketplace.commit(seller, '501'), { kind: 'refused', code: 'SomethingElse' });
});

const row = (itemId: number, ownReferences: string[], more: object = {}): object => ({
  itemId,
  ownReferences,
  state: 'Active',
  title: 'x',
  startPrice: 1,
  bidCount: 0,
  ...more,
});

test('a look-up reads every page, keeps exact matches only, and knows each state', async (t) => {
  const { marketplace, calls, server } = await setUp(t, [
    {
      status: 200,
      body: {
        items: [
          row(1, ['item-1:1'], { requestId: 11, bidCount: 2, itemUrl: 'https://m.example/1' }),
          row(2, ['item-1:11']),
        ],
        totalPages: 2,
      },
    },
    {
      status: 200,
      body: {
        items: [row(3, ['A1', 'item-1:1'], { requestId: null, state: 'Waiting', startPrice: 450 })],
        totalPages: 2,
      },
    },
  ]);
  t.deepEqual(await marketplace.findByOwnReference(seller, 'item-1:1'), [
    {
      adId: '1',
      adUrl: 'https://m.example/1',
      requestId: '11',
      ownReferences: ['item-1:1'],
      startPriceKronor: 1,
      state: 'active',
      bids: 2,
    },
    {
      adId: '3',
      adUrl: `${server.url}/item/3`,
      requestId: null,
      ownReferences: ['A1', 'item-1:1'],
      startPriceKronor: 450,
      state: 'waiting',
      bids: 0,
    },
  ]);
  t.deepEqual(
    calls.map((call) => call.url),
    [1, 2].map((page) => `/v4/listings/seller-items?ownReference=item-1%3A1&filterActive=All&page=${page}`),
  );
});

test('a look-up that finds no end never says that there is nothing', async (t) => {
  const { marketplace } = await setUp(t, [{ status: 200, body: { items: [], totalPages: 9999 } }]);
  await fails(t, marketplace.findByOwnReference(seller, 'x'), { kind: 'unavailable' });
});

test('both feeds are read from the given time on', async (t) => {
  const { marketplace, calls, server } = await setUp(t, [
    {
      status: 200,
      body: {
        items: [
          {
            itemId: 9001,
            state: 'Sold',
            bidCount: 3,
            currentPrice: 700,
            endDate: '2026-11-21T10:00:00Z',
            updatedDate: '2026-11-21T10:00:01Z',
            ownReferences: [],
          },
        ],
      },
    },
    {
      status: 200,
      body: {
        transactions: [
          {
            transactionId: 5,
            itemId: 9001,
            amount: 700,
            buyerAlias: 'b',
            date: '2026-11-21T10:00:00Z',
            lastUpdatedDate: '2026-11-21T11:00:00Z',
            isPaid: false,
          },
        ],
      },
    },
  ]);
  const adUrlOn = (adId: string): string => `${server.url}/item/${adId}`;
  const since = new Date('2026-11-21T09:00:00Z');
  t.deepEqual(await marketplace.readUpdatedItems(seller, since), [
    {
      ...{ adId: '9001', adUrl: adUrlOn('9001'), state: 'sold', bids: 3, priceKronor: 700 },
      endsAt: new Date('2026-11-21T10:00:00Z'),
      updatedAt: new Date('2026-11-21T10:00:01Z'),
    },
  ]);
  t.deepEqual(await marketplace.readTransactions(seller, since), [
    {
      transactionId: '5',
      adId: '9001',
      adUrl: adUrlOn('9001'),
      amountKronor: 700,
      soldAt: new Date('2026-11-21T10:00:00Z'),
      updatedAt: new Date('2026-11-21T11:00:00Z'),
      paid: false,
    },
  ]);
  t.deepEqual(
    calls.map((call) => call.url),
    [
      '/v4/listings/updated-seller-items?since=2026-11-21T09%3A00%3A00.000Z',
      '/v4/orders/seller-transactions?since=2026-11-21T09%3A00%3A00.000Z',
    ],
  );
});

test("an ad's address that is not HTTPS is not taken over: the service's own takes its place", async (t) => {
  const urls = ['javascript:alert(1)', 'http://m.example/1', 'data:text/html,x', '//m.example/1', 'https://', 'x'];
  const items = urls.map((itemUrl, index) => row(index + 1, ['item-1:1'], { itemUrl }));
  const { marketplace, server } = await setUp(t, [{ status: 200, body: { items, totalPages: 1 } }]);
  const found = await marketplace.findByOwnReference(seller, 'item-1:1');
  t.deepEqual(
    found.map(({ adUrl }) => adUrl),
    urls.map((_url, index) => `${server.url}/item/${index + 1}`),
  );
});

test('an expired or wrong token asks the seller to reconnect', async (t) => {
  for (const code of ['TokenExpired', 'InvalidToken'])
    await allFail(t, says(401, code), {
      write: { kind: 'token_expired', code },
      read: { kind: 'token_expired', code },
    });
});

test('a token that no header can carry is an expired one, found without a call', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 204 }]);
  await fails(t, marketplace.commit({ ...seller, token: new Secret('a\nb') }, '501'), { kind: 'token_expired' });
  t.is(calls.length, 0);
});

test('a user id that no header can carry asks the seller to reconnect, without a call', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 204 }]);
  const stored = { ...seller, marketplaceUserId: '410001\r\nX-Evil: 1' };
  await fails(t, marketplace.commit(stored, '501'), { kind: 'token_expired' });
  t.is(calls.length, 0);
});

test("our own application being refused is an outage, never a reason to give up a seller's work", async (t) => {
  await allFail(t, says(401, 'InvalidApplication'), {
    write: { kind: 'unavailable', code: 'InvalidApplication' },
    read: { kind: 'unavailable' },
  });
});

test('an exhausted budget says when calls are free again', async (t) => {
  const expected = { kind: 'budget_exhausted', code: 'CallLimitExceeded', retryAfterMs: 7_200_000 } as const;
  await allFail(t, says(429, 'CallLimitExceeded', { 'retry-after': '7200' }), { write: expected, read: expected });
  const { marketplace } = await setUp(t, [
    says(429, 'X', { 'retry-after': present(600_000).toUTCString() }),
    { status: 429, body: 'slow down' },
  ]);
  const dated = await fails(t, marketplace.commit(seller, '501'), { kind: 'budget_exhausted' });
  t.true((dated.retryAfterMs ?? 0) > 590_000 && (dated.retryAfterMs ?? 0) <= 600_000);
  await fails(t, marketplace.commit(seller, '501'), { kind: 'budget_exhausted', retryAfterMs: 60_000 });
});

test("a 4xx in the marketplace's own words refuses a write with its code; a look it merely makes impossible", async (t) => {
  for (const status of [400, 403, 404, 409, 422])
    await allFail(t, says(status, 'InvalidRequest'), {
      write: { kind: 'refused', code: 'InvalidRequest', message: 'InvalidRequest it is' },
      read: { kind: 'unavailable', code: 'InvalidRequest' },
    });
  await allFail(
    t,
    { status: 413, body: '<h1>Too large</h1>' },
    { write: { kind: 'refused' }, read: { kind: 'unavailable' } },
  );
});

const lost = { write: { kind: 'outcome_unknown' }, read: { kind: 'unavailable' } } as const;

test('after a 5xx, even one in its own words, nobody knows what a write did', async (t) => {
  for (const status of [500, 502, 503, 504]) await allFail(t, says(status, 'Internal'), lost);
  await allFail(t, { status: 503, body: '<h1>Service unavailable</h1>' }, lost);
});

test("a redirect, a time-out status and a page from some server on the way are not the marketplace's word", async (t) => {
  await allFail(t, { status: 307, headers: { location: '/elsewhere' } }, lost);
  await allFail(t, says(408, 'RequestTimeout'), lost);
  await allFail(t, { status: 404, body: '<h1>Not found</h1>' }, lost);
});

test('an answer that cannot be read leaves a write unknown', async (t) => {
  await allFail(t, { status: 200, body: '<html>garbage' }, lost);
  const { marketplace } = await setUp(t, [
    { status: 200, body: { requestId: 'abc' } },
    { status: 200 },
    { status: 200, body: { results: [{ requestId: 501, resultCode: 'Ok' }] } },
    { status: 200, body: { items: [row(1, [], { state: 'Paused' })], totalPages: 1 } },
  ]);
  await fails(t, marketplace.createDraft(seller, aDraft()), { kind: 'outcome_unknown' });
  await fails(t, marketplace.createDraft(seller, aDraft()), { kind: 'outcome_unknown' });
  await fails(t, marketplace.readOutcome(seller, receipt), { kind: 'unavailable' });
  await fails(t, marketplace.findByOwnReference(seller, 'x'), { kind: 'unavailable' });
});

test('a connection closed without an answer leaves a write unknown', async (t) => {
  await allFail(t, (response) => response.destroy(), lost);
  await allFail(
    t,
    (response) => void response.writeHead(200, { 'content-length': '50' }).write('{"req', () => response.destroy()),
    lost,
  );
});

test('an answer that takes too long, or drips, costs the time-out and leaves a write unknown', async (t) => {
  for (const slow of [() => undefined, (response) => void response.writeHead(200).write('{')] satisfies Answer[]) {
    const { marketplace } = await setUp(t, [slow], { requestTimeoutMs: 150 });
    const error = await fails(t, marketplace.commit(seller, '501'), { kind: 'outcome_unknown' });
    t.is(error.message, 'the marketplace did not answer within 0.15 seconds');
    await fails(t, marketplace.readOutcome(seller, receipt), { kind: 'unavailable' });
  }
});

test('where no connection comes about, nothing was done', async (t) => {
  const { marketplace, server } = await setUp(t, [{ status: 204 }]);
  await server.close();
  for (const call of [...Object.values(writes), ...Object.values(changes), ...Object.values(reads)])
    await fails(t, call(marketplace), {
      kind: 'unavailable',
      message: 'the marketplace is out of reach: connection refused',
    });
});

test('key and token are in no error, even when the marketplace echoes them', async (t) => {
  const echo = `bad key ${appKey} or token ${token}`;
  const { marketplace } = await setUp(t, [
    { status: 400, body: { error: { code: 'Bad', message: echo } } },
    (response) => response.destroy(),
    { status: 200, body: { results: [{ requestId: 501, resultCode: 4, message: echo }] } },
  ]);
  const spoken = await fails(t, marketplace.commit(seller, '501'), {
    kind: 'refused',
    message: 'bad key *** or token ***',
  });
  const dropped = await fails(t, marketplace.commit(seller, '501'), { kind: 'outcome_unknown' });
  const outcome = await marketplace.readOutcome(seller, receipt);
  const everything = inspect([spoken, spoken.stack, dropped, dropped.stack, dropped.cause, outcome], { depth: 10 });
  t.false(everything.includes(appKey) || everything.includes(token));
});

test('plain HTTP is only accepted on loopback', (t) => {
  const options = { appId: 'a', appKey: 'k', requestTimeoutMs: 100 };
  t.throws(() => createRestMarketplace({ ...options, url: 'http://marketplace.example' }), { message: /HTTPS/ });
  t.notThrows(() => createRestMarketplace({ ...options, url: 'https://marketplace.example' }));
  t.notThrows(() => createRestMarketplace({ ...options, url: 'http://localhost:1' }));
});
