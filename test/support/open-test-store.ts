import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import pLimit from 'p-limit';
import { schemaSteps } from '../../compose/schema-steps.ts';
import { openStore, type StoreConnection } from '../../platform/database/connection.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { atEnd } from '../runner/at-end.ts';
import { watchCommands } from '../runner/watch-commands.ts';

watchCommands();

// A database has some 35 collections and 85 indexes, which take the server a fifth of a second to make, and each connection has
// its pool. So a process keeps the ones that its test files have finished with, and a later file gets one of them, emptied.

const finished: StoreConnection[] = [];
let isKept: boolean | undefined;
const closeFinished = async (): Promise<void> => {
  await Promise.all(finished.map((store) => store.close()));
};

/** An empty database with all indexes, of one test file alone. The test that opens it calls {@link closeTestStore} in the end. */
export async function openTestStore(): Promise<StoreConnection> {
  const used = finished.pop();
  if (used !== undefined) return used;
  const store = await openStore({ uri: testMongodbUri(), database: `t${randomBytes(6).toString('hex')}` });
  await migrate(store, { steps: schemaSteps });
  return store;
}

/** A further connection to the same database, as another process has it. The caller closes it. */
export const openBeside = ({ connection }: StoreConnection): Promise<StoreConnection> =>
  openStore({ uri: testMongodbUri(), database: connection.name });

/** For a later test file of this process. The caller has ended what else works on the database. */
export async function closeTestStore(store: StoreConnection): Promise<void> {
  const { db, readyState } = store.connection;
  isKept ??= atEnd(closeFinished);
  if (!isKept || db === undefined || readyState !== mongoose.ConnectionStates.connected) {
    await store.close();
    return;
  }
  await empty(db);
  finished.push(store);
}

export function testMongodbUri(): string {
  const uri = process.env['TEST_MONGODB_URI'];
  if (uri === undefined || uri === '')
    throw new Error('TEST_MONGODB_URI is not set: run the test with "npm test -- FILE"');
  return uri;
}

async function empty(db: NonNullable<StoreConnection['connection']['db']>): Promise<void> {
  // A test of query plans may have left the profiler on.
  await db.command({ profile: 0 });
  const place = pLimit(4);
  const collections = await db.collections();
  await place.map(collections, async (collection) => {
    if (collection.collectionName === 'system.profile') await collection.drop();
    else if (collection.collectionName !== 'schema') await collection.deleteMany({});
  });
}

/** Claims are written without waiting for the majority that the next look reads: after this, one has all of them. */
export async function awaitMajority({ connection }: StoreConnection): Promise<void> {
  await connection.collection('marks').insertOne({});
}
