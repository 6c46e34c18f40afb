import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import mongoose, { Schema, type Connection } from 'mongoose';
import { ensureIndexes, IndexConflictError } from '../../platform/database/indexes.ts';
import { testMongodbUri } from '../support/open-test-store.ts';

async function openConnections(t: ExecutionContext, count: number): Promise<Connection[]> {
  const dbName = `t${randomBytes(6).toString('hex')}`;
  const open = () => mongoose.createConnection(testMongodbUri(), { dbName, autoIndex: false }).asPromise();
  const connections = await Promise.all(Array.from({ length: count }, open));
  t.teardown(async () => {
    await connections[0]?.dropDatabase();
    await Promise.all(connections.map((connection) => connection.close()));
  });
  return connections;
}

function people(): Map<string, Schema> {
  const schema = new Schema({}, { strict: false });
  schema.index({ email: 1 }, { unique: true, partialFilterExpression: { current: true } });
  schema.index({ seenAt: 1 }, { expireAfterSeconds: 86_400 });
  schema.index({ country: 1, city: -1 }, { name: 'by_place' });
  return new Map([['people', schema]]);
}

const indexesOf = async (connection: Connection) => {
  const indexes = await connection.collection('people').listIndexes().toArray();
  const own = indexes.filter(({ name }) => name !== '_id_').map(({ v: _version, name, ...rest }) => [name, rest]);
  return Object.fromEntries(own) as Record<string, unknown>;
};

const wanted = {
  email_1: { key: { email: 1 }, unique: true, partialFilterExpression: { current: true } },
  seenAt_1: { key: { seenAt: 1 }, expireAfterSeconds: 86_400 },
  by_place: { key: { country: 1, city: -1 } },
};

test('four that start at once on an empty database make every index', async (t) => {
  const connections = await openConnections(t, 4);
  await Promise.all(connections.map((connection) => ensureIndexes(connection, people())));
  for (const connection of connections) t.deepEqual(await indexesOf(connection), wanted);
});

test('a later start keeps what is there, an operator’s own index too', async (t) => {
  const [connection] = (await openConnections(t, 1)) as [Connection];
  await ensureIndexes(connection, people());
  await connection.collection('people').createIndex({ age: 1 }, {}, {});
  await ensureIndexes(connection, people());
  t.deepEqual(await indexesOf(connection), { ...wanted, age_1: { key: { age: 1 } } });
});

/** The collection with one other index in place of one of its own. */
function changed(index: Parameters<Schema['index']>): Map<string, Schema> {
  const schema = new Schema({}, { strict: false });
  schema.index(...index);
  return new Map([['people', schema]]);
}

test('a changed index is built beside the old one, and each of two versions starts on what the other made', async (t) => {
  const [connection] = (await openConnections(t, 1)) as [Connection];
  const key = { country: 1, city: -1, street: 1 } as const;
  await ensureIndexes(connection, people());
  await ensureIndexes(connection, changed([key, { name: 'by_place_2' }]));
  await ensureIndexes(connection, people());
  t.deepEqual(await indexesOf(connection), { ...wanted, by_place_2: { key } });
});

test('rows of the same fields may be indexed beside the old index when the other options differ', async (t) => {
  const [connection] = (await openConnections(t, 1)) as [Connection];
  await ensureIndexes(connection, people());
  const partialFilterExpression = { current: { $exists: true } };
  await ensureIndexes(connection, changed([{ email: 1 }, { name: 'email_1_2', partialFilterExpression }]));
  t.deepEqual(await indexesOf(connection), { ...wanted, email_1_2: { key: { email: 1 }, partialFilterExpression } });
});

test('a changed time of expiry is set at the index that is there', async (t) => {
  const [connection] = (await openConnections(t, 1)) as [Connection];
  await ensureIndexes(connection, people());
  await ensureIndexes(connection, changed([{ seenAt: 1 }, { expireAfterSeconds: 60 }]));
  t.deepEqual(await indexesOf(connection), { ...wanted, seenAt_1: { key: { seenAt: 1 }, expireAfterSeconds: 60 } });
});

test('the same index under another name is enough', async (t) => {
  const [connection] = (await openConnections(t, 1)) as [Connection];
  await ensureIndexes(connection, people());
  await ensureIndexes(connection, changed([{ country: 1, city: -1 }, { name: 'by_country' }]));
  t.deepEqual(await indexesOf(connection), wanted);
});

const conflicts: Record<string, Parameters<Schema['index']>> = {
  'other fields': [{ city: 1 }, { name: 'by_place' }],
  'another order of its fields': [{ city: -1, country: 1 }, { name: 'by_place' }],
  'other options': [
    { country: 1, city: -1 },
    { name: 'by_place', unique: true },
  ],
  'other expiry under another name': [{ seenAt: 1 }, { name: 'seen', expireAfterSeconds: 60 }],
};
for (const [what, index] of Object.entries(conflicts))
  test(`an index whose definition differs (${what}) is refused with its name, and stays`, async (t) => {
    const [connection] = (await openConnections(t, 1)) as [Connection];
    await ensureIndexes(connection, people());
    await t.throwsAsync(ensureIndexes(connection, changed(index)), {
      instanceOf: IndexConflictError,
      message: new RegExp(`another index than people\\.${index[1]?.name ?? ''}`),
    });
    t.deepEqual(await indexesOf(connection), wanted);
  });
