import { inspect } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import type { MarketplaceError, SellerOrders } from '../../gateways/marketplace/port.ts';
import { createRestMarketplace, type RestMarketplace } from '../../gateways/marketplace/rest-marketplace.ts';
import { Secret } from '../../platform/security/secret.ts';
import {
  aDraft,
  adUrlTemplate,
  appKey,
  fails,
  now,
  says,
  seller,
  setUp,
  startingAt,
  token,
  type Answer,
} from './support/marketplace-double.ts';
import { present } from '../support/clock.ts';

type Calls = Record<string, (marketplace: RestMarketplace) => Promise<unknown>>;
/** Nothing is up whatever comes of them. */
const drafts: Calls = {
  createDraft: (marketplace) => marketplace.createDraft(seller, aDraft()),
  addImage: (marketplace) => marketplace.addImage(seller, '501', Buffer.from([0xff, 0xd8, 0xff])),
};
/** They may have taken effect whatever the answer says. */
const writes: Calls = {
  commit: (marketplace) => marketplace.commit(seller, '501'),
  markShipped: (marketplace) => marketplace.markShipped(seller, '7'),
};
/** As the writes, but the state is read afterwards, so their error is that of a read. */
const watchedWrites: Calls = {
  remove: (marketplace) => marketplace.remove(seller, '9001'),
  setPrices: (marketplace) =>
    marketplace.setPrices(seller, '9001', { wanted: startingAt(500), present: startingAt(450) }),
};
const reads: Calls = {
  readResult: (marketplace) => marketplace.readResult(seller, '501'),
  readAuction: (marketplace) => marketplace.readAuction(seller, '9001'),
  readRunning: (marketplace) => marketplace.readRunning(seller, 'feed'),
  readEnded: (marketplace) => marketplace.readEnded(seller, now),
  readTransactions: (marketplace) => marketplace.readTransactions(seller, now),
  readChangeMark: (marketplace) => marketplace.readChangeMark(seller, '0'),
  readOrders: (marketplace: SellerOrders) => marketplace.readOrders(seller, now),
};

type Expected = Partial<MarketplaceError>;

async function allFail(
  t: ExecutionContext,
  answer: Answer,
  { draft, write, read }: { draft: Expected; write: Expected; read: Expected },
): Promise<void> {
  const { marketplace } = await setUp(t, [answer]);
  for (const call of Object.values(drafts)) await fails(t, call(marketplace), draft);
  for (const call of Object.values(writes)) await fails(t, call(marketplace), write);
  for (const call of [...Object.values(watchedWrites), ...Object.values(reads)])
    await fails(t, call(marketplace), read);
}

const allAs = (expected: Expected) => ({ draft: expected, write: expected, read: expected });
const unknown = {
  draft: { kind: 'outcome_unknown' },
  write: { kind: 'outcome_unknown' },
  read: { kind: 'unavailable' },
} as const;

test('a draft is created uncommitted, without restarts, in whole kronor and with its own references', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200, body: { requestId: 501, itemId: 9001 } }]);
  t.deepEqual(await marketplace.createDraft(seller, aDraft()), { requestId: '501', adId: '9001' });
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
    itemType: 1,
    acceptedBidderId: 1,
    shippingOptions: [{ shippingProviderId: 6, cost: 99, shippingWeight: 2.5, shippingWeightSpecified: true }],
    ownReferences: ['A1', 'item-1', 'item-1:1'],
    autoCommit: false,
  });
});

test('prices, VAT and an own end go along where there are some', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200, body: { requestId: 501, itemId: 9001 } }]);
  const prices = { reservePriceKronor: 800, buyNowPriceKronor: 1_200 };
  const endsAt = new Date('2026-12-01T18:00:00Z');
  await marketplace.createDraft(seller, aDraft({ ...prices, vatPercent: 25, endsAt }));
  const more = { reservePrice: 800, buyItNowPrice: 1_200, vat: 25, customEndDate: '2026-12-01T18:00:00.000Z' };
  t.like(calls[0]?.body, more);
});

const shippingCases: [string, Parameters<typeof aDraft>[0], object[]][] = [
  ['free shipping is a price of 0', { shippingKronor: 0, weightKg: null }, [{ shippingProviderId: 6, cost: 0 }]],
  ['without a price the buyer collects', { shippingKronor: null }, [{ shippingOptionId: 8, cost: 0 }]],
  [
    "a carrier's product goes with its provider and the weight; collection has no weight",
    {
      shippingOptions: [
        { providerId: 1, productId: 101, cost: 63 },
        { optionId: 8, cost: 0 },
      ],
    },
    [
      {
        shippingProviderId: 1,
        shippingProductId: 101,
        shippingProductIdSpecified: true,
        cost: 63,
        shippingWeight: 2.5,
        shippingWeightSpecified: true,
      },
      { shippingOptionId: 8, cost: 0 },
    ],
  ],
];
for (const [what, changes, shippingOptions] of shippingCases)
  test(`shipping: ${what}`, async (t) => {
    const { marketplace, calls } = await setUp(t, [{ status: 200, body: { requestId: 501, itemId: 9001 } }]);
    await marketplace.createDraft(seller, aDraft(changes));
    t.like(calls[0]?.body, { shippingOptions });
  });

test('settings replace the ways to ship, a category and the number of JPEG', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200, body: { requestId: 501, itemId: 9001 } }], {
    settings: {
      jpegFormat: 1,
      ownShipping: { optionId: 6 },
      pickup: { optionId: 9 },
      categories: new Map([[520, 301_790]]),
    },
  });
  await marketplace.createDraft(seller, aDraft({ weightKg: null }));
  await marketplace.createDraft(seller, aDraft({ shippingKronor: null }));
  await marketplace.addImage(seller, '501', Buffer.from('jpeg'));
  t.like(calls[0]?.body, { categoryId: 301_790, shippingOptions: [{ shippingOptionId: 6, cost: 99 }] });
  t.like(calls[1]?.body, { shippingOptions: [{ shippingOptionId: 9, cost: 0 }] });
  t.like(calls[2]?.body, { imageFormat: 1 });
});

test('an image is sent as base64 JPEG to its request; one that is too large is refused without a call', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200 }]);
  await marketplace.addImage(seller, '501', Buffer.from('jpeg'));
  t.like(calls[0], {
    method: 'POST',
    url: '/v4/listings/items/501/images',
    body: { imageData: 'anBlZw==', imageFormat: 0, hasMega: true },
  });
  await fails(t, marketplace.addImage(seller, '501', Buffer.alloc(4 * 1024 * 1024 + 1)), { kind: 'refused' });
  t.is(calls.length, 1);
});

test('a commit is one POST without a body, and any success is one, whatever its body says', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200 }, { status: 202, body: '"queued"' }]);
  await marketplace.commit(seller, '501');
  await marketplace.commit(seller, '501');
  t.like(calls[0], { method: 'POST', url: '/v4/listings/items/501/commit', body: undefined });
});

test('no refusal of a commit says that nothing is up, in whatever words and form', async (t) => {
  const refusals: Answer[] = [
    ...[400, 404, 409, 422].map((status) => says(status, 'BadRequest')),
    { status: 400, body: { title: 'One or more validation errors occurred.', errors: { id: ['is wrong'] } } },
    { status: 413, body: '<h1>Too large</h1>' },
  ];
  const { marketplace } = await setUp(t, refusals);
  for (const refusal of refusals)
    await fails(t, marketplace.commit(seller, '501'), {
      kind: 'outcome_unknown',
      status: (refusal as { status: number }).status,
    });
});

test('a draft that the marketplace does not like is refused in its words, in each form that is known', async (t) => {
  const long = 'x'.repeat(400);
  const forms: [Answer, string][] = [
    [says(400, 'AllowedBuyerRegionInvalid'), 'AllowedBuyerRegionInvalid it is'],
    [{ status: 400, body: { error: { code: 'BadRequest', message: null } } }, 'BadRequest'],
    [
      { status: 400, body: { title: 'Not valid', errors: { title: ['is too long', 'is odd'], vat: ['is odd'] } } },
      'title: is too long is odd; vat: is odd',
    ],
    [{ status: 422, body: { title: 'Not valid' } }, 'Not valid'],
    [{ status: 400, body: 'the price\n is too  high' }, 'the price is too high'],
    [{ status: 400, body: long }, `${long.slice(0, 300)}…`],
    [{ status: 400, body: '<html>Bad Request' }, 'the marketplace answered HTTP 400'],
    [{ status: 413, body: '<h1>Too large</h1>' }, 'the marketplace answered HTTP 413'],
    [says(404, 'NotFound'), 'NotFound it is'],
  ];
  const { marketplace } = await setUp(
    t,
    forms.map(([answer]) => answer),
  );
  for (const [, message] of forms)
    await fails(t, marketplace.createDraft(seller, aDraft()), { kind: 'refused', message });
});

test('an exhausted budget says when calls are free again; without a time it is an hour', async (t) => {
  const hours = says(429, 'TooManyRequests', { 'retry-after': '7200' });
  await allFail(t, hours, allAs({ kind: 'budget_exhausted', status: 429, retryAfterMs: 7_200_000 }));
  const { marketplace } = await setUp(t, [
    says(429, 'X', { 'retry-after': present(600_000).toUTCString() }),
    { status: 429, body: 'slow down' },
    says(429, 'X', { 'retry-after': 'later' }),
  ]);
  const dated = await fails(t, marketplace.commit(seller, '501'), { kind: 'budget_exhausted' });
  t.true((dated.retryAfterMs ?? 0) > 590_000 && (dated.retryAfterMs ?? 0) <= 600_000);
  for (let times = 0; times < 2; times++)
    await fails(t, marketplace.commit(seller, '501'), { kind: 'budget_exhausted', retryAfterMs: 3_600_000 });
});

test('after a 5xx, even one in its own words, nobody knows what a write did', async (t) => {
  for (const status of [500, 502, 503, 504]) await allFail(t, says(status, 'InternalServerError'), unknown);
  await allFail(t, { status: 503, body: '<h1>Service unavailable</h1>' }, unknown);
});

test("a redirect, a time-out status and a page from some server on the way are not the marketplace's word", async (t) => {
  await allFail(t, { status: 307, headers: { location: '/elsewhere' } }, unknown);
  await allFail(t, says(408, 'RequestTimeout'), unknown);
  const { marketplace } = await setUp(t, [{ status: 404, body: '<h1>Not found</h1>' }]);
  await fails(t, marketplace.createDraft(seller, aDraft()), { kind: 'outcome_unknown' });
});

test('an answer that cannot be read leaves a write unknown', async (t) => {
  const { marketplace } = await setUp(t, [{ status: 200, body: '<html>garbage' }]);
  await fails(t, marketplace.createDraft(seller, aDraft()), { kind: 'outcome_unknown' });
  await fails(t, marketplace.commit(seller, '501'), { kind: 'outcome_unknown' });
  for (const call of [...Object.values(watchedWrites), ...Object.values(reads)])
    await fails(t, call(marketplace), { kind: 'unavailable' });
  const others = await setUp(t, [{ status: 200, body: { requestId: 'abc' } }, { status: 200 }]);
  for (let times = 0; times < 2; times++)
    await fails(t, others.marketplace.createDraft(seller, aDraft()), { kind: 'outcome_unknown' });
});

test('a connection closed without an answer leaves a write unknown', async (t) => {
  await allFail(t, (response) => response.destroy(), unknown);
  const cutOff: Answer = (response) =>
    void response.writeHead(200, { 'content-length': '50' }).write('{"req', () => response.destroy());
  await allFail(t, cutOff, unknown);
});

test('an answer that takes too long, or drips, costs the time-out and leaves a write unknown', async (t) => {
  for (const slow of [() => undefined, (response) => void response.writeHead(200).write('{')] satisfies Answer[]) {
    const { marketplace } = await setUp(t, [slow], { requestTimeoutMs: 150 });
    const error = await fails(t, marketplace.commit(seller, '501'), { kind: 'outcome_unknown' });
    t.is(error.message, 'the marketplace did not answer within 0.15 seconds');
    await fails(t, marketplace.readResult(seller, '501'), { kind: 'unavailable' });
  }
});

test('where no connection comes about, nothing was done', async (t) => {
  const { marketplace, server } = await setUp(t, [{ status: 204 }]);
  await server.close();
  for (const call of [drafts, writes, watchedWrites, reads].flatMap((calls) => Object.values(calls)))
    await fails(t, call(marketplace), {
      kind: 'unavailable',
      message: 'the marketplace is out of reach: connection refused',
    });
});

test('a user id or token that no header can carry asks the seller to reconnect, without a call', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 204 }]);
  for (const stored of [
    { ...seller, token: new Secret('a\nb') },
    { ...seller, marketplaceUserId: '410001\r\nX-Evil: 1' },
  ])
    await fails(t, marketplace.commit(stored, '501'), { kind: 'token_expired' });
  t.is(calls.length, 0);
});

test('key and token are in no error, even when the marketplace echoes them', async (t) => {
  const echo = `bad key ${appKey} or token ${token}`;
  const { marketplace } = await setUp(t, [
    { status: 400, body: { error: { code: 'Bad', message: echo } } },
    (response) => response.destroy(),
    { status: 200, body: [{ requestId: 501, resultCode: 4, message: echo }] },
  ]);
  const spoken = await fails(t, marketplace.createDraft(seller, aDraft()), {
    kind: 'refused',
    message: 'bad key *** or token ***',
  });
  const dropped = await fails(t, marketplace.commit(seller, '501'), { kind: 'outcome_unknown' });
  const result = await marketplace.readResult(seller, '501');
  const everything = inspect([spoken, spoken.stack, dropped, dropped.stack, dropped.cause, result], { depth: 10 });
  t.false(everything.includes(appKey) || everything.includes(token));
});

test("a sandbox's seller has a marketplace of its own; without one the work waits", async (t) => {
  const sandbox = await setUp(t, [{ status: 200 }]);
  const access = { url: sandbox.server.url, appId: 'app-2', appKey: 'key-2' };
  const live = await setUp(t, [{ status: 200 }], { sandbox: access });
  await live.marketplace.commit({ ...seller, isSandbox: true }, '501');
  t.is(live.calls.length, 0);
  t.like(sandbox.calls[0]?.headers, { 'x-app-id': 'app-2', 'x-app-key': 'key-2' });
  await fails(t, sandbox.marketplace.commit({ ...seller, isSandbox: true }, '501'), { kind: 'not_accepted' });
});

test('plain HTTP is only accepted on loopback', (t) => {
  const others = { requestTimeoutMs: 100, adUrlTemplate, now: () => now };
  const at = (url: string) => createRestMarketplace({ ...others, live: { url, appId: 'a', appKey: 'k' } });
  t.throws(() => at('http://marketplace.example'), { message: /HTTPS/ });
  t.notThrows(() => at('https://marketplace.example'));
  t.notThrows(() => at('http://localhost:1'));
});
