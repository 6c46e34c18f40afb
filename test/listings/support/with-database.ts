import type { TestFn } from 'ava';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';

/** A database of the test file's own, dropped at its end. */
export function withDatabase(test: TestFn): () => StoreConnection {
  let store: StoreConnection | undefined;
  const opened = (): StoreConnection => {
    if (store === undefined) throw new Error('not opened yet');
    return store;
  };
  test.before(async () => {
    store = await openTestStore();
  });
  test.after.always(async () => {
    await closeTestStore(opened());
  });
  return opened;
}
