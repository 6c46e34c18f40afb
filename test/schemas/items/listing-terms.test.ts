import test from 'ava';
import { readListingDefaults } from '../../../schemas/items/listing-terms.ts';
import { readItemRequest } from '../../../schemas/items/read-item-request.ts';
import { aBody, problemsOf, refusalOf } from './requests.ts';

const terms = (listing: unknown) => readItemRequest(aBody({ price: 150, listing })).content.listing;

test('terms arrive as they were sent, times in UTC', (t) => {
  const listing = {
    durationDays: 10,
    startsAt: '2026-12-01T08:00:00+01:00',
    endsAt: '2026-12-08T19:30:00Z',
    reservePrice: 400,
    buyNowPrice: 900,
    relist: { times: 2, priceStep: 20 },
    shippingOptions: [
      { optionId: 1, cost: 79 },
      { optionId: 3, cost: 0 },
    ],
    vatPercent: 25,
    categoryId: 8294,
  };
  t.deepEqual(terms(listing), {
    ...listing,
    startsAt: '2026-12-01T07:00:00.000Z',
    endsAt: '2026-12-08T19:30:00.000Z',
  });
});

test('no listing, null, an empty one and one of nulls are the same: no terms', (t) => {
  for (const listing of [undefined, null, {}, { reservePrice: null, relist: null }]) t.is(terms(listing), null);
  t.deepEqual(terms({ relist: { times: 1, priceStep: null } }), { relist: { times: 1 } });
});

const refused: readonly (readonly [listing: unknown, field: string, message: RegExp])[] = [
  ['7 dagar', 'listing', /^must be an object/],
  [{ durationDays: 0 }, 'listing.durationDays', /^must be at least 1$/],
  [{ durationDays: 15 }, 'listing.durationDays', /^must be at most 14$/],
  [{ durationDays: 2.5 }, 'listing.durationDays', /^must be an integer/],
  [{ startsAt: 'i morgon' }, 'listing.startsAt', /^must be an ISO 8601 time/],
  [{ reservePrice: 150 }, 'listing.reservePrice', /^must be above the price \(150 SEK\)$/],
  [{ reservePrice: 400.5 }, 'listing.reservePrice', /^must be an integer/],
  [{ buyNowPrice: 100 }, 'listing.buyNowPrice', /^must be above the price/],
  [{ reservePrice: 400, buyNowPrice: 400 }, 'listing.buyNowPrice', /^must be above the reserve price \(400 SEK\)$/],
  [{ relist: {} }, 'listing.relist.times', /^is required$/],
  [{ relist: { times: 11 } }, 'listing.relist.times', /^must be at most 10$/],
  [{ shippingOptions: [] }, 'listing.shippingOptions', /^must have at least 1 entry$/],
  [
    {
      shippingOptions: [
        { optionId: 1, cost: 79 },
        { optionId: 1, cost: 9 },
      ],
    },
    'listing.shippingOptions.1.optionId',
    /more than once/,
  ],
  [{ vatPercent: 24 }, 'listing.vatPercent', /^must be one of: 0, 6, 12, 25$/],
  [{ reservPrice: 400 }, 'listing.reservPrice', /did you mean reservePrice\?$/],
  [
    { startsAt: '2026-12-01T08:00:00Z', endsAt: '2026-12-01T20:00:00Z' },
    'listing.endsAt',
    /^must be 1 to 14 days after listing.startsAt$/,
  ],
];
for (const [listing, field, message] of refused)
  test(`${JSON.stringify(listing)} is refused at ${field}`, (t) => {
    const problem = problemsOf(aBody({ price: 150, listing })).find((one) => one.field === field);
    t.regex(problem?.message ?? 'none', message);
  });

test('öre count as the whole kronor that the marketplace gets', (t) => {
  t.notThrows(() => readItemRequest(aBody({ price: 399.49, listing: { reservePrice: 400 } })));
  t.throws(() => readItemRequest(aBody({ price: 399.5, listing: { reservePrice: 400 } })));
});

test('an account sets what is about no one thing and no one moment', (t) => {
  t.deepEqual(readListingDefaults({ durationDays: 5, vatPercent: 25, relist: null }), {
    durationDays: 5,
    vatPercent: 25,
  });
  t.deepEqual(readListingDefaults({}), {});
  for (const field of ['reservePrice', 'endsAt', 'categoryId'])
    t.is(refusalOf(() => readListingDefaults({ [field]: 1 })).details?.[0]?.field, field);
});
