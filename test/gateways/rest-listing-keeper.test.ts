import test from 'ava';
import type { ChangeOutcome } from '../../gateways/marketplace/port.ts';
import { fails, says, seller, setUp, someChanges, startingAt } from './support/marketplace-double.ts';

test('a revision is one PUT of everything but price and pictures that stay', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200, body: { requestId: 601 } }]);
  t.deepEqual(await marketplace.revise(seller, '9001', someChanges()), { requestId: '601' });
  await marketplace.revise(
    seller,
    '9001',
    someChanges({ startPriceKronor: null, shippingKronor: null, weightKg: null }),
  );
  t.like(calls[0], { method: 'PUT', url: '/v4/listings/items/9001' });
  t.deepEqual(calls[0]?.body, {
    title: 'Strålkastare, höger',
    description: '<p>Hel och ren</p>',
    categoryId: 520,
    startPrice: 500,
    buyItNowPrice: null,
    shippingOptions: [{ shippingOptionId: 1, cost: 99 }],
    weightKg: 2.5,
    autoCommit: true,
  });
  t.like(calls[1]?.body, { shippingOptions: [], weightKg: null });
  t.false(Object.hasOwn(calls[1]?.body as object, 'startPrice'));
  t.is(calls.length, 2);
});

test('terms go with a revision, and the prices with every change of the start price', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200, body: { requestId: 601 } }]);
  const terms = {
    shippingOptions: [{ optionId: 3, cost: 0 }],
    vatPercent: 25,
    reservePriceKronor: 800,
    buyNowPriceKronor: 1_200,
  };
  await marketplace.revise(seller, '9001', someChanges({ terms }));
  t.like(calls[0]?.body, {
    shippingOptions: [{ shippingOptionId: 3, cost: 0 }],
    vat: 25,
    reservePrice: 800,
    buyItNowPrice: 1_200,
  });
  await marketplace.setPrices(seller, '9001', { ...startingAt(500), ...terms });
  t.deepEqual(calls[1]?.body, {
    items: [{ itemId: 9001, startPrice: 500, reservePrice: 800, buyItNowPrice: 1_200 }],
  });
});

test('a revision with pictures takes effect by the commit that follows them', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200, body: { requestId: 601 } }, { status: 204 }]);
  const jpegs = [Buffer.from('one'), Buffer.from('two')];
  t.deepEqual(await marketplace.revise(seller, '9001', someChanges({ jpegs })), { requestId: '601' });
  t.deepEqual(
    calls.map(({ method, url }) => `${method} ${url}`),
    [
      'PUT /v4/listings/items/9001',
      'POST /v4/listings/items/601/images',
      'POST /v4/listings/items/601/images',
      'POST /v4/listings/items/601/commit',
    ],
  );
  t.like(calls[0]?.body, { autoCommit: false });
  t.like(calls[2]?.body, { imageData: jpegs[1]?.toString('base64') });
});

test('a revision that broke off among its pictures is an unknown outcome, without a commit', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200, body: { requestId: 601 } }, { status: 503 }]);
  const work = marketplace.revise(seller, '9001', someChanges({ jpegs: [Buffer.from('one')] }));
  await fails(t, work, { kind: 'outcome_unknown' });
  t.is(calls.length, 2);
});

test('a price is one PUT of the price alone', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200, body: { requestId: 602 } }]);
  t.deepEqual(await marketplace.setPrices(seller, '9001', startingAt(475)), { requestId: '602' });
  t.like(calls[0], { method: 'PUT', url: '/v4/listings/items/prices' });
  t.deepEqual(calls[0]?.body, { items: [{ itemId: 9001, startPrice: 475 }] });
});

test('a change that is refused at once is an outcome', async (t) => {
  const cases: [number, string, ChangeOutcome][] = [
    [409, 'ItemHasBids', { kind: 'has_bids', message: 'ItemHasBids it is' }],
    [404, 'ItemNotActive', { kind: 'not_active' }],
    [409, 'ItemNotYetActive', { kind: 'try_again', message: 'ItemNotYetActive it is' }],
    [404, 'ItemNotFound', { kind: 'refused', message: 'ItemNotFound it is' }],
    [400, 'InvalidRequest', { kind: 'refused', message: 'InvalidRequest it is' }],
  ];
  for (const [status, code, outcome] of cases) {
    const { marketplace } = await setUp(t, [says(status, code)]);
    t.deepEqual(await marketplace.revise(seller, '9001', someChanges()), { outcome });
    t.deepEqual(await marketplace.setPrices(seller, '9001', startingAt(475)), { outcome });
  }
  const { marketplace } = await setUp(t, [{ status: 200, body: { requestId: 601 } }]);
  const jpegs = [Buffer.alloc(4 * 1024 * 1024 + 1)];
  t.like(await marketplace.revise(seller, '9001', someChanges({ jpegs })), { outcome: { kind: 'refused' } });
});

test("the bits of a change's result fold into one outcome, combined or alone", async (t) => {
  const cases: [number, ChangeOutcome['kind']][] = [
    [1, 'taken'],
    [1 + 2, 'taken'],
    [32, 'has_bids'],
    [1 + 32, 'has_bids'],
    [4 + 32, 'has_bids'],
    [16, 'try_again'],
    [2 + 4 + 16, 'try_again'],
    [8, 'try_again'],
    [256, 'try_again'],
    [0, 'unknown_yet'],
    [128, 'unknown_yet'],
    [2, 'refused'],
    [4, 'refused'],
    [64, 'refused'],
    [1024, 'refused'],
  ];
  const { marketplace, calls } = await setUp(
    t,
    cases.map(([resultCode]) => ({
      status: 200,
      body: { results: [{ requestId: 601, resultCode, message: 'said' }] },
    })),
  );
  for (const [bits, kind] of cases) t.is((await marketplace.readChange(seller, '601')).kind, kind, `bits ${bits}`);
  t.is(calls[0]?.url, '/v4/listings/request-results?requestIds=601');
  const none = await setUp(t, [{ status: 200, body: { results: [{ requestId: 7, resultCode: 1 }] } }]);
  t.deepEqual(await none.marketplace.readChange(seller, '601'), { kind: 'unknown_yet' });
});

test('a change that was taken says whether its pictures were', async (t) => {
  const { marketplace } = await setUp(t, [
    { status: 200, body: { results: [{ requestId: 601, resultCode: 1 }] } },
    { status: 200, body: { results: [{ requestId: 601, resultCode: 1 + 2 }] } },
  ]);
  t.deepEqual(await marketplace.readChange(seller, '601'), { kind: 'taken', imagesRefused: false });
  t.deepEqual(await marketplace.readChange(seller, '601'), { kind: 'taken', imagesRefused: true });
});

test('a take-down is one DELETE; bids and an auction that is over are outcomes, an unknown ad is refused', async (t) => {
  const { marketplace, calls } = await setUp(t, [
    { status: 204 },
    says(409, 'ItemHasBids'),
    says(404, 'ItemNotActive'),
    says(404, 'ItemNotFound'),
  ]);
  t.is(await marketplace.remove(seller, '9001'), 'removed');
  t.is(await marketplace.remove(seller, '9001'), 'has_bids');
  t.is(await marketplace.remove(seller, '9001'), 'not_active');
  await fails(t, marketplace.remove(seller, '9001'), { kind: 'refused', code: 'ItemNotFound' });
  t.like(calls[0], { method: 'DELETE', url: '/v4/listings/items/9001', body: undefined });
});
