import test from 'ava';
import { sellerOf } from '../support/seller.ts';

test('a listing is shown with what was sent, its bids, its end and its page', async (t) => {
  const { live, bid, listings, item } = await sellerOf(t);
  const shipping = { shippingProviderId: 6, cost: 79, shippingWeight: 2.5 };
  const { itemId, requestId } = await live({ vat: 25, shippingOptions: [shipping] });
  await bid(itemId, 420, 'kim');
  const [listing] = await listings();
  t.like(listing, {
    itemId,
    requestId,
    userId: '77',
    state: 'active',
    title: 'Strålkastare vänster',
    categoryId: 520,
    startPrice: 400,
    reservePrice: null,
    durationDays: 7,
    vat: 25,
    weightKg: 2.5,
    imageCount: 0,
    bidCount: 1,
    bids: [{ amount: 420, bidder: 'kim' }],
    itemUrl: (await item(itemId)).itemLink,
  });
  t.is(listing?.endsAt, new Date((await item(itemId)).endDate).toISOString());
});

test('the seller’s own pages: price, end, and listing again', async (t) => {
  const { live, admin, settle, listings } = await sellerOf(t);
  const { itemId } = await live();
  t.like((await admin('POST', `/listings/${itemId}/price`, { price: 480 })).json(), { startPrice: 480 });
  t.like((await admin('POST', `/listings/${itemId}/remove`)).json(), { state: 'removed' });
  t.is((await admin('POST', `/listings/${itemId}/price`, { price: 490 })).status, 409);
  t.is((await admin('POST', `/listings/${itemId}/remove`)).status, 409);
  t.is((await admin('POST', `/listings/${itemId}/restart`)).status, 201);
  await settle();
  t.deepEqual(
    (await listings()).map(({ state }) => state),
    ['removed', 'active'],
  );
});

test('what needs a running or ended auction is a conflict with a draft', async (t) => {
  const { draft, bid, end, admin } = await sellerOf(t);
  const { itemId } = await draft();
  t.is((await bid(itemId, 500)).status, 409);
  t.is((await end(itemId)).status, 409);
  for (const path of ['remove', 'restart', 'buy'])
    t.is((await admin('POST', `/listings/${itemId}/${path}`)).status, 409, path);
});

test('admin routes say what is wrong with a body', async (t) => {
  const { admin } = await sellerOf(t);
  for (const [path, body, words] of [
    ['/results', { ownReference: 'A', codes: ['Nope'] }, /codes must be/],
    ['/users', {}, /userId must be/],
    ['/budget', { callsPerDay: 'many' }, /callsPerDay must be a whole number/],
    ['/budget', { callsPerDay: 1, per: 'day' }, /per must be one of/],
    ['/clock', { advanceSeconds: -1 }, /advanceSeconds must be/],
    ['/switches', { badToken: '404' }, /badToken must be one of 401, 403/],
    ['/switches', { unheardOf: 'yes' }, /no switch unheardOf/],
  ] as const) {
    const answer = await admin('POST', path, body);
    t.is(answer.status, 400);
    t.regex(answer.text, words);
  }
});
