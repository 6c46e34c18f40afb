import test from 'ava';
import type { RequestResult } from '../../gateways/marketplace/port.ts';
import { says, seller, setUp } from './support/marketplace-double.ts';

const bits: [number, Partial<RequestResult>][] = [
  [1, { kind: 'ok', imagesRefused: false }],
  [1 + 2, { kind: 'ok', imagesRefused: true }],
  [16, { kind: 'try_again', message: 'said' }],
  [2 + 4 + 16, { kind: 'try_again' }],
  [16 + 64, { kind: 'try_again' }],
  [8, { kind: 'timed_out', message: 'said' }],
  [4 + 8, { kind: 'timed_out' }],
  [8 + 16, { kind: 'try_again' }],
  [64, { kind: 'too_many_active', message: 'said' }],
  [128, { kind: 'waiting' }],
  [0, { kind: 'none' }],
  [256, { kind: 'uncommitted' }],
  [2, { kind: 'refused', message: 'said' }],
  [4, { kind: 'refused' }],
  [32, { kind: 'refused' }],
  [1024, { kind: 'refused' }],
];

test('the result bits fold into one outcome, combined or alone', async (t) => {
  const { marketplace, calls } = await setUp(
    t,
    bits.map(([resultCode]) => ({
      status: 200,
      body: [
        { requestId: 500, resultCode: 4, message: 'another' },
        { requestId: 501, resultCode, message: 'said' },
      ],
    })),
  );
  for (const [code, result] of bits) t.like(await marketplace.readResult(seller, '501'), result, `bits ${code}`);
  t.is(calls[0]?.url, '/v4/listings/request-results?requestIds=501');
});

test('no row, only rows of other requests, and a 404 mean that there is no result', async (t) => {
  const { marketplace } = await setUp(t, [
    { status: 200, body: [] },
    { status: 200, body: [{ requestId: 7, resultCode: 1 }] },
    says(404, 'NotFound'),
  ]);
  for (let times = 0; times < 3; times++) t.deepEqual(await marketplace.readResult(seller, '501'), { kind: 'none' });
});

test('a result without words says what it means and what to do, never the name of a bit', async (t) => {
  const cases: [number, string | null, RegExp][] = [
    [4, null, /gave no reason, so check title, .*; then publish the item again$/],
    [6, '', /could not use the pictures and put nothing up, so push others/],
    [32, ' ', /gave no reason/],
    [64, null, /allows no more active auctions/],
    [16 + 2, null, /^it could not work on the pictures just now; nothing needs to be done$/],
    [8, null, /ran out of time .* put nothing up/],
    [1024, null, /result 1024/],
  ];
  const answers = cases.map(([resultCode, message]) => ({
    status: 200,
    body: [{ requestId: 501, resultCode, message }],
  }));
  const { marketplace } = await setUp(t, answers);
  for (const [code, , words] of cases) {
    const result = await marketplace.readResult(seller, '501');
    const message = 'message' in result ? result.message : '';
    t.regex(message, words, `bits ${code}`);
    t.notRegex(message, /\.$|Error|Threshold|TryAgain/, `bits ${code}`);
  }
});
