import { randomBytes } from 'node:crypto';
import { openStore, type StoreConnection } from '../../store/database/connection.ts';

// A database has some 35 collections and 85 indexes, which take the server a second to make and to drop. So a process keeps the
// ones that its test files have finished with, and a later file gets one of them, emptied.

const finished: string[] = [];

/** An empty database with all indexes, of one test file alone. {@link giveDatabaseBack} ends its use. */
export async function takeDatabase(): Promise<string> {
  const used = finished.pop();
  if (used !== undefined) {
    await usingStore(used, empty);
    return used;
  }
  const name = `t${randomBytes(6).toString('hex')}`;
  await usingStore(name, (store) => store.ensureIndexes());
  return name;
}

/** For a later test file of this process. The caller has closed its connections; a database whose indexes it changed is dropped instead. */
export function giveDatabaseBack(name: string): void {
  finished.push(name);
}

export function testMongodbUri(): string {
  const uri = process.env['TEST_MONGODB_URI'];
  if (uri === undefined || uri === '')
    throw new Error('TEST_MONGODB_URI is not set: run the test with "npm test -- FILE"');
  return uri;
}

async function usingStore(database: string, use: (store: StoreConnection) => Promise<void>): Promise<void> {
  const store = await openStore({ uri: testMongodbUri(), database });
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

async function empty({ connection }: StoreConnection): Promise<void> {
  const { db } = connection;
  if (db === undefined) throw new Error('not connected');
  // A test of query plans may have left the profiler on.
  await db.command({ profile: 0 });
  const collections = await db.collections();
  await Promise.all(
    collections.map((collection) =>
      collection.collectionName === 'system.profile' ? collection.drop() : collection.deleteMany({}),
    ),
  );
}
