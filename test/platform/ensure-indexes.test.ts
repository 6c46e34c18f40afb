import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import mongoose, { Schema, type Connection } from 'mongoose';
import { ensureIndexes, IndexConflictError } from '../../platform/database/connection.ts';
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

const changes: Record<string, [index: string, change: (schema: Schema) => unknown]> = {
  'other options': ['seenAt_1', (schema) => schema.index({ seenAt: 1 }, { expireAfterSeconds: 60 })],
  'other fields': ['by_place', (schema) => schema.index({ city: 1 }, { name: 'by_place' })],
  'another name': ['by_place', (schema) => schema.index({ country: 1, city: -1 }, { name: 'by_country' })],
};
for (const [name, [index, change]] of Object.entries(changes))
  test(`an index that another version made with ${name} fails the start, which names it and what to do, and it stays`, async (t) => {
    const [connection] = (await openConnections(t, 1)) as [Connection];
    await ensureIndexes(connection, people());
    const schema = new Schema({}, { strict: false });
    change(schema);
    const error = await t.throwsAsync(ensureIndexes(connection, new Map([['people', schema]])), {
      instanceOf: IndexConflictError,
    });
    t.true(error.message.includes(`remove it (db.people.dropIndex('${index}') in mongosh)`), error.message);
    t.deepEqual(await indexesOf(connection), wanted);
    await connection.collection('people').dropIndex(index);
    await ensureIndexes(connection, new Map([['people', schema]]));
  });
