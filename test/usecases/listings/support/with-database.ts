import { randomBytes } from 'node:crypto';
import type { TestFn } from 'ava';
import { openStore, type StoreConnection } from '../../../../store/connection.ts';

/** A database of the test file's own, dropped at its end. */
export function withDatabase(test: TestFn): () => StoreConnection {
  let store: StoreConnection | undefined;
  const opened = (): StoreConnection => {
    if (store === undefined) throw new Error('not opened yet');
    return store;
  };
  test.before(async () => {
    const database = `t${randomBytes(6).toString('hex')}`;
    store = await openStore({ uri: process.env['TEST_MONGODB_URI'] ?? '', database });
    await store.ensureIndexes();
  });
  test.after.always(async () => {
    await opened().connection.dropDatabase();
    await opened().close();
  });
  return opened;
}
