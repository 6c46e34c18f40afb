import { openStore, type StoreConnection } from '../../store/database/connection.ts';
import { giveDatabaseBack, takeDatabase, testMongodbUri } from './test-database.ts';

/** An empty database of its own with all indexes. The test that opens it calls {@link closeTestStore} in the end. */
export async function openTestStore(): Promise<StoreConnection> {
  return openStore({ uri: testMongodbUri(), database: await takeDatabase() });
}

export async function closeTestStore(store: StoreConnection): Promise<void> {
  const database = store.connection.name;
  await store.close();
  giveDatabaseBack(database);
}

/** Claims are written without waiting for the majority that the next look reads: after this, one has all of them. */
export async function awaitMajority({ connection }: StoreConnection): Promise<void> {
  await connection.collection('marks').insertOne({});
}
