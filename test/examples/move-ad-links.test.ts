import test from 'ava';
import { moveAdLinks } from '../../examples/move-ad-links.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';

test('links to auctions of the former address lead to the present one, and nothing else changes', async (t) => {
  const store = await openTestStore();
  t.teardown(() => closeTestStore(store));
  const items = store.connection.collection<{ _id: string }>('items');
  const rowsAt = (address: string) => [
    aRow('moved', [
      { state: 'sold', adUrl: `${address}/item/1` },
      { state: 'drafting', adUrl: null },
    ]),
    aRow('of another port', [{ state: 'live', adUrl: 'http://127.0.0.1:40101/item/2' }]),
    aRow('without auction', []),
  ];
  await items.insertMany(rowsAt('http://127.0.0.1:4010'));
  t.is(await moveAdLinks(store, 'http://127.0.0.1:4010/', 'http://127.0.0.1:5555/'), 1);
  t.deepEqual(await items.find().sort({ _id: 1 }).toArray(), rowsAt('http://127.0.0.1:5555'));
});

const aRow = (id: string, listings: object[]) => ({
  _id: id,
  accountId: 'a',
  externalId: id,
  current: true,
  version: 3,
  listings,
});
