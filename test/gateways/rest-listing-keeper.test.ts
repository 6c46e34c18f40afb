import test from 'ava';
import type { PriceOutcome, RemovalOutcome } from '../../gateways/marketplace/port.ts';
import {
  anAuction,
  anItem,
  fails,
  says,
  seller,
  setUp,
  startingAt,
  type Answer,
} from './support/marketplace-double.ts';

const prices = (start: number, reserve: number | null, buyNow: number | null) => ({
  startPriceKronor: start,
  reservePriceKronor: reserve,
  buyNowPriceKronor: buyNow,
});
type Prices = ReturnType<typeof prices>;
const one = 'PUT /v4/listings/items/9001/price';
const all = 'PUT /v4/listings/items/prices';

const calls: [string, { present: Prices; wanted: Prices }, string, object][] = [
  [
    'the start price alone',
    { present: prices(450, null, null), wanted: prices(500, null, null) },
    one,
    { openingPrice: 500 },
  ],
  [
    'a start price beside prices that stay',
    { present: prices(450, 800, 1200), wanted: prices(500, 800, 1200) },
    one,
    { openingPrice: 500 },
  ],
  [
    'another buy-now price',
    { present: prices(450, null, 1200), wanted: prices(500, null, 1300) },
    one,
    { openingPrice: 500, binPrice: 1300 },
  ],
  [
    'a buy-now price that is new',
    { present: prices(450, null, null), wanted: prices(450, null, 1300) },
    all,
    { id: 9001, openingPrice: 450, binPrice: { price: 1300 } },
  ],
  [
    'a buy-now price that is gone',
    { present: prices(450, null, 1300), wanted: prices(450, null, null) },
    all,
    { id: 9001, openingPrice: 450 },
  ],
  [
    'a reserve price, beside the buy-now price that stays',
    { present: prices(450, null, 1300), wanted: prices(450, 800, 1300) },
    all,
    { id: 9001, openingPrice: 450, reservedPrice: { price: 800 }, binPrice: { price: 1300 } },
  ],
  [
    'a reserve price that is no longer wanted stays, because it cannot be removed',
    { present: prices(450, 800, null), wanted: prices(450, null, 1300) },
    all,
    { id: 9001, openingPrice: 450, reservedPrice: { price: 800 }, binPrice: { price: 1300 } },
  ],
];
for (const [what, change, call, body] of calls)
  test(`prices: ${what}`, async (t) => {
    const { marketplace, calls } = await setUp(t, [
      { status: 200, body: { isSuccessful: true, validationErrors: null } },
    ]);
    t.deepEqual(await marketplace.setPrices(seller, '9001', change), { kind: 'taken' });
    t.is(`${calls[0]?.method} ${calls[0]?.url}`, call);
    t.deepEqual(calls[0]?.body, body);
    t.is(calls.length, 1);
  });

const no: Answer = {
  status: 200,
  body: {
    isSuccessful: false,
    validationErrors: [{ itemId: 9001, errorMessage: 'there are bids' }, { errorMessage: null }],
  },
};
const item = (changes: object = {}): Answer => ({ status: 200, body: anItem(changes) });
/** Every answer that is no plain success: none of them says what became of the auction. */
const doubts: Record<string, Answer> = {
  'a plain no': no,
  'a no without a reason': { status: 200, body: { isSuccessful: false, validationErrors: null } },
  'an answer without a word': { status: 200 },
  'an unreadable answer': { status: 200, body: '<html>' },
  'a 400': says(400, 'BadRequest'),
  'a 404': says(404, 'NotFound'),
  'a 500': says(500, 'InternalServerError'),
  'a lost connection': (response) => response.destroy(),
};
const change = { wanted: startingAt(500), present: startingAt(450) };

for (const [what, doubt] of Object.entries(doubts))
  test(`prices: after ${what} the auction itself says what it is`, async (t) => {
    const states: [Answer, PriceOutcome][] = [
      [item({ openingBid: 500 }), { kind: 'taken' }],
      [
        item({ totalBids: 2, maxBid: 700, maxBidSpecified: true }),
        { kind: 'has_bids', auction: { ...anAuction, bids: 2, priceKronor: 700 } },
      ],
      [item({ status: { ended: true, gotBidders: false, gotWinner: false } }), { kind: 'over' }],
      [says(404, 'NotFound'), { kind: 'over' }],
    ];
    for (const [state, outcome] of states) {
      const { marketplace, calls } = await setUp(t, [doubt, state]);
      t.deepEqual(await marketplace.setPrices(seller, '9001', change), outcome);
      t.is(calls[1]?.url, '/v4/listings/items/9001');
    }
  });

test('prices: refused without bids in its words; what was perhaps lost on the way is tried again', async (t) => {
  const refusals: [Answer, string][] = [
    [no, 'there are bids'],
    [{ status: 200, body: { isSuccessful: false } }, 'the marketplace gave no reason'],
    [says(400, 'BadRequest'), 'BadRequest it is'],
  ];
  for (const [refusal, message] of refusals) {
    const { marketplace } = await setUp(t, [refusal, item()]);
    t.deepEqual(await marketplace.setPrices(seller, '9001', change), { kind: 'refused', message });
  }
  for (const doubt of [says(500, 'X'), says(404, 'X'), { status: 200 }]) {
    const { marketplace } = await setUp(t, [doubt, item()]);
    await fails(t, marketplace.setPrices(seller, '9001', change), { kind: 'outcome_unknown' });
  }
  const { marketplace } = await setUp(t, [no, says(503, 'X')]);
  await fails(t, marketplace.setPrices(seller, '9001', change), { kind: 'unavailable' });
});

test('a take-down is one DELETE, and done when the marketplace says true', async (t) => {
  const { marketplace, calls } = await setUp(t, [{ status: 200, body: true }]);
  t.deepEqual(await marketplace.remove(seller, '9001'), { kind: 'removed' });
  t.like(calls[0], { method: 'DELETE', url: '/v4/listings/items/9001', body: undefined });
  t.is(calls.length, 1);
});

for (const [what, doubt] of Object.entries({ ...doubts, 'a plain no': { status: 200, body: false } as Answer }))
  test(`take-down: after ${what} the auction itself says what it is`, async (t) => {
    const over = { ...anAuction, isOver: true, hasWinner: false };
    const states: [Answer, RemovalOutcome][] = [
      [item({ totalBids: 1 }), { kind: 'has_bids' }],
      [item({ status: { ended: true, gotBidders: false, gotWinner: false } }), { kind: 'over', auction: over }],
      [says(404, 'NotFound'), { kind: 'gone' }],
    ];
    for (const [state, outcome] of states) {
      const { marketplace, calls } = await setUp(t, [doubt, state]);
      t.deepEqual(await marketplace.remove(seller, '9001'), outcome);
      t.is(calls[1]?.url, '/v4/listings/items/9001');
    }
  });

test('take-down: an auction that is up without bids was refused, or is tried again', async (t) => {
  for (const refusal of [{ status: 200, body: false }, says(400, 'BadRequest')]) {
    const { marketplace } = await setUp(t, [refusal, item()]);
    t.deepEqual(await marketplace.remove(seller, '9001'), { kind: 'refused' });
  }
  for (const doubt of [says(500, 'X'), says(404, 'X'), { status: 200, body: 'gone' }]) {
    const { marketplace } = await setUp(t, [doubt, item()]);
    await fails(t, marketplace.remove(seller, '9001'), { kind: 'outcome_unknown' });
  }
  const { marketplace } = await setUp(t, [{ status: 200, body: false }, says(503, 'X')]);
  await fails(t, marketplace.remove(seller, '9001'), { kind: 'unavailable' });
});
