import type { TestFn } from 'ava';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { closeTestStore, openTestStore } from './open-test-store.ts';

/** A database of the test file's own, emptied at its end. `onOpened`: what else the file's tests need is made with it. */
export function withDatabase(
  test: TestFn,
  onOpened: (store: StoreConnection) => unknown = () => undefined,
): () => StoreConnection {
  let store: StoreConnection | undefined;
  const opened = (): StoreConnection => {
    if (store === undefined) throw new Error('not opened yet');
    return store;
  };
  test.before(async () => {
    store = await openTestStore();
    await onOpened(store);
  });
  test.after.always(async () => {
    await closeTestStore(opened());
  });
  return opened;
}
