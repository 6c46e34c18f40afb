import test, { type ExecutionContext } from 'ava';
import { aSeller, errorCode, png, type TestSeller } from './support/seller.ts';

async function seller(t: ExecutionContext): Promise<TestSeller> {
  const created = await aSeller();
  t.teardown(() => created.simulator.close());
  return created;
}

test('prices and fields are revised later, and not at all once there are bids', async (t) => {
  const { live, wire, bid, results, settle, listings } = await seller(t);
  const { itemId } = await live();
  const revise = async (path: string, body: unknown) => {
    const { requestId } = (await wire('PUT', path, body)).json<{ requestId: number }>();
    await settle();
    return (await results(requestId))[0]?.resultCode;
  };
  t.is(await revise('/v4/listings/items/prices', { items: [{ itemId, startPrice: 350 }] }), 1);
  t.is(await revise(`/v4/listings/items/${itemId}`, { title: 'Ny titel' }), 1);
  t.like((await listings())[0], { startPrice: 350, title: 'Ny titel' });
  await bid(itemId, 350);
  t.is(await revise('/v4/listings/items/prices', { items: [{ itemId, startPrice: 300 }] }), 32);
  t.is((await listings())[0]?.startPrice, 350);
});

test('pictures of a live auction change with the result of their request, not before', async (t) => {
  const { draft, addImage, commit, settle, wire, results, advance, listings } = await seller(t);
  const { requestId, itemId } = await draft();
  await addImage(requestId);
  await commit(requestId);
  await settle();
  const put = await wire('PUT', `/v4/listings/items/${itemId}`, { title: 'Ny titel', autoCommit: false });
  const change = put.json<{ requestId: number }>().requestId;
  t.is((await addImage(change, png, 2)).status, 204);
  t.is((await addImage(change)).status, 204);
  await advance(2);
  t.is((await results(change))[0]?.resultCode, 256, 'nothing happens without a commit');
  t.like((await listings())[0], { imageCount: 1, title: 'Strålkastare vänster' });
  t.is((await commit(change)).status, 202);
  t.is(errorCode(await commit(change)), 'AlreadyCommitted');
  t.is(errorCode(await addImage(change)), 'AlreadyCommitted');
  t.deepEqual(await results(change), []);
  t.is((await listings())[0]?.imageCount, 1);
  await settle();
  t.is((await results(change))[0]?.resultCode, 1);
  t.like((await listings())[0], { imageCount: 2, title: 'Ny titel' });
  t.is(errorCode(await commit(change)), 'AlreadyCommitted');
});

test('a revision without pictures leaves those that are there, and null takes the weight away', async (t) => {
  const { draft, addImage, commit, settle, wire, listings } = await seller(t);
  const { requestId, itemId } = await draft({ weightKg: 3 });
  await addImage(requestId);
  await commit(requestId);
  await settle();
  await wire('PUT', `/v4/listings/items/${itemId}`, { title: 'Ny titel', weightKg: null, autoCommit: true });
  await settle();
  t.like((await listings())[0], { imageCount: 1, title: 'Ny titel', weightKg: null });
});

test('scripted results come to revisions too; a refused one leaves pictures and fields as they were', async (t) => {
  const { live, admin, wire, addImage, commit, settle, results, listings, bid } = await seller(t);
  const { itemId } = await live();
  await admin('POST', '/results', { ownReference: 'A1', codes: ['TryAgain', 'ImageProcessingError'] });
  const ask = async () =>
    (await wire('PUT', `/v4/listings/items/${itemId}`, { title: 'Ny titel', autoCommit: false })).json<{
      requestId: number;
    }>().requestId;
  const change = await ask();
  await addImage(change);
  await commit(change);
  await settle();
  t.is((await results(change))[0]?.resultCode, 18);
  t.like((await listings())[0], { imageCount: 0, title: 'Strålkastare vänster' });
  t.is((await commit(change)).status, 202, 'TryAgain lets it be committed again');
  await settle();
  t.like((await listings())[0], { imageCount: 1, title: 'Ny titel' });
  const late = await ask();
  await addImage(late);
  await addImage(late);
  await bid(itemId, 400);
  await commit(late);
  await settle();
  t.is((await results(late))[0]?.resultCode, 32);
  t.is((await listings())[0]?.imageCount, 1);
});

test('a draft and a waiting listing are taken away for good', async (t) => {
  const { draft, commit, settle, wire, results, listings } = await seller(t);
  const [one, two] = [await draft(), await draft()];
  await commit(two.requestId);
  for (const { requestId, itemId } of [one, two]) {
    t.is((await wire('DELETE', `/v4/listings/items/${itemId}`)).status, 204);
    t.is((await commit(requestId)).status, 404);
  }
  await settle();
  t.deepEqual(
    (await results(one.requestId, two.requestId)).map(({ resultCode }) => resultCode),
    [4, 4],
  );
  t.is((await commit(two.requestId)).status, 404);
  t.deepEqual(
    (await listings()).map(({ state }) => state),
    ['removed', 'removed'],
  );
});

test('a listing is taken down, but not with bids and not twice', async (t) => {
  const { live, wire, bid, listings } = await seller(t);
  const [free, wanted] = [await live(), await live()];
  await bid(wanted.itemId, 400);
  const remove = (itemId: number) => wire('DELETE', `/v4/listings/items/${itemId}`);
  t.is((await remove(free.itemId)).status, 204);
  t.is(errorCode(await remove(free.itemId)), 'ItemNotActive');
  const refused = await remove(wanted.itemId);
  t.is(refused.status, 409);
  t.is(errorCode(refused), 'ItemHasBids');
  t.deepEqual(
    (await listings()).map(({ state }) => state),
    ['removed', 'active'],
  );
});
