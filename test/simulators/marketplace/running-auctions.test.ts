import test from 'ava';
import { sellerOf, type TestSeller } from '../support/seller.ts';

const change = async ({ wire }: TestSeller, path: string, body: unknown) =>
  (await wire('PUT', `/v4/listings/items/${path}`, body)).json<{
    isSuccessful: boolean;
    validationErrors: { errorMessage: string }[] | null;
  }>();

test('the ladder sets the least next bid; a bid becomes the price', async (t) => {
  const { live, bid, item } = await sellerOf(t);
  const { itemId } = await live({ startPrice: 5 });
  t.is((await item(itemId)).nextBid, 5);
  const steps = [
    [5, 6],
    [19, 20],
    [49, 52],
    [149, 154],
    [249, 259],
    [499, 514],
    [999, 1019],
    [2499, 2529],
    [3999, 4049],
    [5999, 6099],
    [9999, 10_199],
    [12_000, 12_500],
  ] as const;
  for (const [amount, next] of steps) {
    t.is((await bid(itemId, amount)).status, 201);
    t.like(await item(itemId), { maxBid: amount, nextBid: next });
    t.is((await bid(itemId, next - 1)).status, 400);
  }
  t.is((await item(itemId)).totalBids, steps.length);
});

test('the price of an item changes at once; what is left out stays', async (t) => {
  const seller = await sellerOf(t);
  const { itemId } = await seller.live({ reservePrice: 500, buyItNowPrice: 900 });
  t.deepEqual(await change(seller, `${itemId}/price`, { openingPrice: 350 }), {
    isSuccessful: true,
    validationErrors: null,
  });
  t.like((await seller.listings())[0], { startPrice: 350, reservePrice: 500, buyItNowPrice: 900 });
  t.true((await change(seller, `${itemId}/price`, { binPrice: 950 })).isSuccessful);
  t.like((await seller.listings())[0], { startPrice: 350, buyItNowPrice: 950 });
});

test('the operation for all prices sets a reserve, removes a buy-now price, and never removes a reserve', async (t) => {
  const seller = await sellerOf(t);
  const { itemId: id } = await seller.live({ buyItNowPrice: 900 });
  t.true((await change(seller, 'prices', { id, openingPrice: 350, reservedPrice: { price: 450 } })).isSuccessful);
  t.like((await seller.listings())[0], { startPrice: 350, reservePrice: 450, buyItNowPrice: null });
  const refused = await change(seller, 'prices', { id, openingPrice: 350, binPrice: { price: 900 } });
  t.is(refused.validationErrors?.[0]?.errorMessage, 'the reserve price can not be removed');
});

for (const [what, path, body, words] of [
  ['a start price at the reserve', '/price', { openingPrice: 500 }, /reserve price must be above/],
  ['a start price at buy-now', '/price', { openingPrice: 900 }, /must be above/],
  ['prices out of order', 's', { openingPrice: 500, reservedPrice: { price: 400 } }, /reserve price must be above/],
] as const)
  test(`200 with isSuccessful false for ${what}`, async (t) => {
    const seller = await sellerOf(t);
    const { itemId } = await seller.live({ reservePrice: 500, buyItNowPrice: 900 });
    const answer =
      path === 's'
        ? await change(seller, 'prices', { id: itemId, ...body })
        : await change(seller, `${itemId}/price`, body);
    t.false(answer.isSuccessful);
    t.regex(answer.validationErrors?.[0]?.errorMessage ?? '', words);
    t.is((await seller.listings())[0]?.startPrice, 400);
  });

test('a buy-now price is not added by the operation for one price', async (t) => {
  const seller = await sellerOf(t);
  const { itemId } = await seller.live();
  t.false((await change(seller, `${itemId}/price`, { binPrice: 900 })).isSuccessful);
});

test('with a bid neither price changes nor the end comes; a stranger’s item is not there', async (t) => {
  const seller = await sellerOf(t);
  const { itemId } = await seller.live();
  await seller.bid(itemId, 400);
  t.false((await change(seller, `${itemId}/price`, { openingPrice: 300 })).isSuccessful);
  t.false((await change(seller, 'prices', { id: itemId, openingPrice: 300 })).isSuccessful);
  t.is((await seller.wire('DELETE', `/v4/listings/items/${itemId}`)).text, 'false');
  t.like((await seller.listings())[0], { state: 'active', startPrice: 400 });
  await seller.actAs('88');
  t.is((await seller.wire('DELETE', `/v4/listings/items/${itemId}`)).status, 404);
  t.is((await seller.wire('PUT', `/v4/listings/items/${itemId}/price`, {})).status, 404);
});

test('an end is true once; the item then looks like one that ended unsold', async (t) => {
  const { live, wire, item, listings } = await sellerOf(t);
  const { itemId } = await live();
  t.is((await wire('DELETE', `/v4/listings/items/${itemId}`)).text, 'true');
  t.is((await wire('DELETE', `/v4/listings/items/${itemId}`)).text, 'false');
  t.like((await item(itemId)).status, { ended: true, gotWinner: false });
  t.is((await listings())[0]?.state, 'removed');
});

test('auctions end by themselves when the clock passes their end', async (t) => {
  const { live, bid, advance, listings } = await sellerOf(t);
  const [unsold, sold] = [await live(), await live({ duration: 3 })];
  await bid(sold.itemId, 450);
  await advance(3 * 24 * 3600);
  t.deepEqual(
    (await listings()).map(({ state }) => state),
    ['active', 'sold'],
  );
  await advance(4 * 24 * 3600);
  t.is((await listings()).find(({ itemId }) => itemId === unsold.itemId)?.state, 'ended');
});

test('below the reserve price nobody wins', async (t) => {
  const { live, bid, end, read } = await sellerOf(t);
  const { itemId } = await live({ reservePrice: 600 });
  await bid(itemId, 599);
  t.is((await end(itemId)).json()['state'], 'ended');
  t.deepEqual(await read('/v4/listings/seller-transactions'), []);
});

test('a buyer takes the buy-now price while there are no bids', async (t) => {
  const { live, admin } = await sellerOf(t);
  const { itemId } = await live({ buyItNowPrice: 900 });
  t.like((await admin('POST', `/listings/${itemId}/buy`)).json(), { state: 'sold', bidCount: 1 });
  t.is((await admin('POST', `/listings/${itemId}/buy`)).status, 409);
});

test('an ended, unsold item with restarts left is listed again under a new id', async (t) => {
  const { live, end, wire, settle, item, read } = await sellerOf(t);
  const { itemId } = await live({ restarts: 1 });
  const restart = async () =>
    (await wire('POST', `/v4/listings/items/${itemId}/restart`)).json<{ newItemId: number; validationError: string }>();
  t.is((await restart()).validationError, 'Item is not ended');
  await end(itemId);
  const { newItemId, validationError } = await restart();
  t.is(validationError, null as unknown as string);
  t.is((await restart()).validationError, 'Item has already been restarted');
  t.is((await wire('GET', `/v4/listings/items/${newItemId}`)).status, 404, 'it is reserved');
  await settle();
  t.deepEqual((await item(newItemId)).ownReferences, (await item(itemId)).ownReferences);
  t.like(await read(`/v4/items/${itemId}/restarts`), {
    ancestorItemId: itemId,
    lastRestartedItemId: newItemId,
    restartedItems: [{ restartedItemId: itemId, restartedAsItemId: newItemId }],
  });
  await end(newItemId);
  t.regex((await wire('POST', `/v4/listings/items/${newItemId}/restart`)).text, /no restarts left/);
});

test('there is no operation that changes the content of a running auction', async (t) => {
  const { live, wire } = await sellerOf(t);
  const { itemId } = await live();
  t.is((await wire('PUT', `/v4/listings/items/${itemId}`, { title: 'Ny titel' })).status, 404);
});
