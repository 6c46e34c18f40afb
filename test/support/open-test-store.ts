import { randomBytes } from 'node:crypto';
import { openStore, type StoreConnection } from '../../store/connection.ts';

/** A database of its own with all indexes. Whoever opens it calls {@link dropTestStore} in the end. */
export async function openTestStore(): Promise<StoreConnection> {
  const database = `t${randomBytes(6).toString('hex')}`;
  const store = await openStore({ uri: process.env['TEST_MONGODB_URI'] ?? '', database });
  await store.ensureIndexes();
  return store;
}

export async function dropTestStore(store: StoreConnection): Promise<void> {
  await store.connection.dropDatabase();
  await store.close();
}
