import test from 'ava';
import { receipt, seller, setUp } from './support/marketplace-double.ts';

test('the result bits fold into one outcome, combined or alone', async (t) => {
  const cases: [number, object][] = [
    [1, { kind: 'live', adUrl: 'https://m.example/ad/9001', imagesRefused: false }],
    [1 + 2, { kind: 'live', imagesRefused: true }],
    [16, { kind: 'try_again', message: 'said' }],
    [2 + 4 + 16, { kind: 'try_again' }],
    [16 + 64, { kind: 'try_again' }],
    [8, { kind: 'timed_out', message: 'said' }],
    [4 + 8, { kind: 'timed_out' }],
    [8 + 16, { kind: 'try_again' }],
    [64, { kind: 'too_many_active', message: 'said' }],
    [128, { kind: 'unknown_yet' }],
    [0, { kind: 'unknown_yet' }],
    [256, { kind: 'uncommitted' }],
    [2, { kind: 'refused', message: 'said' }],
    [4, { kind: 'refused' }],
    [32, { kind: 'refused' }],
    [1024, { kind: 'refused' }],
  ];
  const { marketplace, calls } = await setUp(
    t,
    cases.map(([resultCode]) => ({
      status: 200,
      body: {
        results: [
          { requestId: 500, resultCode: 4, message: 'another' },
          { requestId: 501, resultCode, message: 'said' },
        ],
      },
    })),
    { adUrlTemplate: 'https://m.example/ad/{adId}' },
  );
  for (const [bits, outcome] of cases) t.like(await marketplace.readOutcome(seller, receipt), outcome, `bits ${bits}`);
  t.is(calls[0]?.url, '/v4/listings/request-results?requestIds=501');
});

test('no row, or only rows of other requests, means not known yet', async (t) => {
  const { marketplace } = await setUp(t, [
    { status: 200, body: { results: [] } },
    { status: 200, body: { results: [{ requestId: 7, resultCode: 1 }] } },
  ]);
  t.deepEqual(await marketplace.readOutcome(seller, receipt), { kind: 'unknown_yet' });
  t.deepEqual(await marketplace.readOutcome(seller, receipt), { kind: 'unknown_yet' });
});

test('a result without words says what it means and what to do, never the name of a bit', async (t) => {
  const cases: [number, string | null, RegExp][] = [
    [4, null, /gave no reason, so check title, .*; then publish the item again$/],
    [6, '', /could not use the pictures, so push others/],
    [32, ' ', /allows no change/],
    [64, null, /allows no more active auctions/],
    [16 + 2, null, /^it could not work on the pictures just now; nothing needs to be done$/],
    [8, null, /ran out of time/],
    [1024, null, /result 1024/],
  ];
  const answers = cases.map(([resultCode, message]) => ({
    status: 200,
    body: { results: [{ requestId: 501, resultCode, message }] },
  }));
  const { marketplace } = await setUp(t, answers);
  for (const [bits, , words] of cases) {
    const outcome = await marketplace.readOutcome(seller, receipt);
    const message = 'message' in outcome ? outcome.message : '';
    t.regex(message, words, `bits ${bits}`);
    t.notRegex(message, /\.$|Error|Threshold|TryAgain/, `bits ${bits}`);
  }
  const change = await setUp(t, answers.slice(0, 1));
  const refused = await change.marketplace.readChange(seller, '501');
  t.regex('message' in refused ? refused.message : '', /check title, .*; the next change is sent as a whole$/);
});
