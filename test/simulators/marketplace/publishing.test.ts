import test from 'ava';
import { aListing, jpeg, png, sellerOf } from '../support/seller.ts';

test('a listing goes up by draft, pictures, commit and, after a while, a result', async (t) => {
  const { draft, addImage, commit, results, settle, listings, item } = await sellerOf(t);
  const { requestId, itemId } = await draft();
  for (const answer of [await addImage(requestId), await addImage(requestId, png, 2), await commit(requestId)]) {
    t.is(answer.status, 200);
    t.is(answer.text, '', 'without a body');
  }
  t.deepEqual(await results(requestId), [], 'there is no row until there is a result');
  t.is((await listings())[0]?.state, 'waiting');
  await settle();
  t.deepEqual(await results(requestId), [{ requestId, resultCode: 1, message: null }]);
  const [listing] = await listings('?state=active&ownReference=item-1:1');
  t.like(listing, { itemId, state: 'active', imageCount: 2, bidCount: 0, userId: '77' });
  t.is((await item(itemId)).imageLinks?.length, 2);
});

test('every create makes another draft, as the real one does', async (t) => {
  const { draft, listings } = await sellerOf(t);
  const [one, two] = [await draft(), await draft()];
  t.not(one.itemId, two.itemId);
  t.not(one.requestId, two.requestId);
  t.is((await listings('?ownReference=A1')).length, 2);
});

test('autoCommit publishes without a commit', async (t) => {
  const { draft, settle, listings } = await sellerOf(t);
  await draft({ autoCommit: true });
  await settle();
  t.is((await listings())[0]?.state, 'active');
});

for (const [what, changes, words] of [
  ['a start price of 0', { startPrice: 0 }, /start price of at least 1/],
  ['a reserve price at the start price', { reservePrice: 400 }, /reserve price must be above/],
  ['a buy-now price below the reserve price', { reservePrice: 500, buyItNowPrice: 450 }, /buy-now price must be above/],
  ['an unknown category', { categoryId: 999_999 }, /no category/],
  ['a category with categories below it', { categoryId: 10 }, /categories below it/],
  ['a category that requires an attribute', { categoryId: 2108 }, /requires Märke/],
  ['a word that the attribute does not have', attribute(135, 'Ganska fin'), /Skick must be one of/],
  ['an attribute that the category does not have', attribute(136, 'Ny'), /no attribute 136/],
  ['a rate of VAT that there is not', { vat: 24 }, /vat must be one of/],
  ['a way of payment that there is not', { paymentOptionIds: [5] }, /paymentOptionIds/],
  ['a fixed price without an auction', { itemType: 3 }, /auctions alone/],
  ['an end in the past', { customEndDate: '2020-01-01T00:00:00Z' }, /customEndDate/],
  ['shipping with option and provider', shipping({ shippingOptionId: 6, shippingProviderId: 6 }), /either/],
  ['shipping with neither', shipping({}), /either/],
  ['three ways of sending', shipping(...[1, 2, 7].map((id) => ({ shippingOptionId: id }))), /at most two/],
] as const)
  test(`400 for ${what}`, async (t) => {
    const { wire, listings } = await sellerOf(t);
    const answer = await wire('POST', '/v4/listings/items', aListing(changes));
    t.is(answer.status, 400);
    t.deepEqual(Object.keys(answer.json()), ['error']);
    t.regex(answer.text, words);
    t.deepEqual(await listings(), []);
  });

function attribute(id: number, value: string): Record<string, unknown> {
  return { attributeValues: { terms: [{ id, values: [value] }] } };
}

function shipping(...options: Record<string, number>[]): Record<string, unknown> {
  return { shippingOptions: options.map((option) => ({ cost: 49, ...option })) };
}

test('two ways of sending and pick-up are taken; an id that nobody knows is a 500, as was seen', async (t) => {
  const { wire } = await sellerOf(t);
  const ways = [...[1, 2, 8].map((id) => ({ shippingOptionId: id }))];
  t.is((await wire('POST', '/v4/listings/items', aListing(shipping(...ways)))).status, 200);
  for (const unknown of [{ shippingOptionId: 10 }, { shippingProviderId: 1, shippingProductId: 201 }])
    t.is((await wire('POST', '/v4/listings/items', aListing(shipping(unknown)))).status, 500);
});

test('a picture of another format than its number says fails the request when it is processed', async (t) => {
  const { draft, addImage, commit, settle, results, listings } = await sellerOf(t);
  const { requestId } = await draft();
  t.is((await addImage(requestId, jpeg, 2)).status, 200);
  await commit(requestId);
  await settle();
  t.like((await results(requestId))[0], { resultCode: 2, message: 'ImageProcessingError' });
  t.is((await listings())[0]?.state, 'uncommitted');
});

test('a picture of more than 4 MB is refused, and one after the commit', async (t) => {
  const { draft, addImage, commit, listings } = await sellerOf(t);
  const { requestId } = await draft();
  t.is((await addImage(requestId, Buffer.alloc(4 * 1024 * 1024 + 1, 0xff))).status, 400);
  await commit(requestId);
  t.is((await addImage(requestId)).status, 400);
  t.is((await listings())[0]?.imageCount, 0);
});

test('a request says Uncommited after a second, WaitingToBeProcessed after ten, and nothing to another seller', async (t) => {
  const { draft, results, advance, actAs, commit } = await sellerOf(t);
  const { requestId } = await draft();
  await advance(2);
  t.is((await results(requestId))[0]?.resultCode, 256);
  await commit(requestId);
  t.deepEqual(await results(requestId), []);
  await advance(11);
  t.is((await results(requestId))[0]?.resultCode, 128);
  await actAs('88');
  t.deepEqual(await results(requestId), []);
  t.is((await commit(requestId)).status, 404);
});

test('scripted results come before Ok, and TryAgain lets the same request be committed again', async (t) => {
  const { draft, admin, commit, results, settle, listings } = await sellerOf(t);
  await admin('POST', '/results', { ownReference: 'A1', codes: ['TryAgain', 'ImageProcessingError'], times: 2 });
  const { requestId } = await draft();
  for (const code of [18, 18, 1]) {
    await commit(requestId);
    t.deepEqual(await results(requestId), [], 'a new commit takes the old row away');
    await settle();
    t.is((await results(requestId))[0]?.resultCode, code);
  }
  t.is((await listings())[0]?.state, 'active');
});

test('Ok with ImageProcessingError is up without its pictures; Error stays down', async (t) => {
  const { draft, admin, addImage, commit, settle, item, listings } = await sellerOf(t);
  await admin('POST', '/results', { ownReference: 'A1', codes: ['Ok', 'ImageProcessingError'] });
  await admin('POST', '/results', { ownReference: 'A1', codes: ['Error'] });
  for (const { requestId } of [await draft(), await draft()]) {
    await addImage(requestId);
    await commit(requestId);
    await settle();
  }
  const [up, down] = await listings();
  t.is((await item(up?.itemId ?? 0)).imageLinks, null);
  t.is(down?.state, 'uncommitted');
});

test('a restricted seller may only put up plain auctions of seven days or more', async (t) => {
  const { wire, admin } = await sellerOf(t);
  await admin('POST', '/users', { userId: 77, isRestricted: true });
  const create = async (changes: Record<string, unknown>) =>
    (await wire('POST', '/v4/listings/items', aListing(changes))).status;
  t.deepEqual([await create({ buyItNowPrice: 900 }), await create({ duration: 5 }), await create({})], [400, 400, 200]);
});
