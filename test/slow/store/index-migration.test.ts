import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import mongoose, { Schema, type Connection, type mongo } from 'mongoose';
import { ensureIndexes, retireIndexes } from '../../../store/schema/ensure-indexes.ts';
import { migrate } from '../../../store/schema/migrate.ts';
import { until } from '../../support/until.ts';
import { structures } from '../../store/support/structures.ts';

const uri = process.env['TEST_MONGODB_URI'] ?? '';
const duplicateKey = 11_000;

interface Scene {
  readonly connection: Connection;
  readonly database: mongo.Db;
  readonly people: mongo.Collection;
}

async function openScene(t: ExecutionContext): Promise<Scene> {
  const name = `t${randomBytes(6).toString('hex')}`;
  const connection = await mongoose.createConnection(uri, { dbName: name, autoIndex: false }).asPromise();
  const database = connection.getClient().db(name);
  t.teardown(async () => {
    await database.dropDatabase();
    await connection.close();
  });
  return { connection, database, people: database.collection('people') };
}

/** Resolves when all of them have started and ended well. */
async function fourAtOnce(t: ExecutionContext, database: mongo.Db, release: string): Promise<void> {
  const children = Array.from({ length: 4 }, () => startOne(t, database, release));
  await Promise.all(children.map((child) => once(child, 'message')));
  const exits = Promise.all(children.map((child) => once(child, 'exit')));
  for (const child of children) child.send('go');
  t.deepEqual(await exits, Array(4).fill([0, null]));
}

function startOne(t: ExecutionContext, database: mongo.Db, release: string): ChildProcess {
  const args = [uri, database.databaseName, release];
  const child = fork('test/store/support/migrating-process.ts', args, { execArgv: ['--import=tsx'] });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

async function indexesOf(collection: mongo.Collection): Promise<Record<string, object>> {
  const indexes = await collection.listIndexes().toArray();
  return Object.fromEntries(
    indexes.filter(({ name }) => name !== '_id_').map(({ v: _version, name, ...rest }) => [String(name), rest]),
  );
}

const first = {
  email_1: { key: { email: 1 }, unique: true },
  seenAt_1: { key: { seenAt: 1 }, expireAfterSeconds: 86_400 },
  leftAt_1: { key: { leftAt: 1 }, expireAfterSeconds: 86_400 },
  city_1: { key: { city: 1 } },
};
const second = {
  'email_1~2': { key: { email: 1 }, unique: true, partialFilterExpression: { current: true } },
  seenAt_1: { key: { seenAt: 1 }, expireAfterSeconds: 172_800 },
  // The longest that there is: never.
  leftAt_1: { key: { leftAt: 1 }, expireAfterSeconds: 2_147_483_647 },
  country_1_city_1: { key: { country: 1, city: 1 } },
};

test('four processes that start at once on an empty database make every index', async (t) => {
  const { database, people } = await openScene(t);
  await fourAtOnce(t, database, 'first');
  t.deepEqual(await indexesOf(people), first);
});

test('four new processes that start at once change what has changed, and what is unique is guarded all the time', async (t) => {
  const { connection, database, people } = await openScene(t);
  await ensureIndexes(connection, structures.first());
  await people.createIndexes([{ key: { nickname: 1 }, name: 'of_an_operator' }, { key: { email: 1, city: 1 } }]);
  await people.insertMany(Array.from({ length: 20_000 }, (_, n) => ({ email: `p${n}@example.com`, current: true })));
  const intruders = intrude(people);
  await fourAtOnce(t, database, 'second');
  const { tries, accepted } = await intruders.stop();
  t.is(accepted, 0, 'no second row with a taken address came in');
  t.true(tries > 20);
  const own = { of_an_operator: { key: { nickname: 1 } }, email_1_city_1: { key: { email: 1, city: 1 } } };
  t.deepEqual(await indexesOf(people), { ...second, ...own });
  t.is(await database.collection('log').countDocuments(), 1, 'documents were changed once');
  // A start when there is nothing to do does nothing.
  await ensureIndexes(connection, structures.second());
  t.deepEqual(await indexesOf(people), { ...second, ...own });
});

/** Somebody who tries all the time to bring in a second row under an address that is taken. */
function intrude(people: mongo.Collection) {
  let [isStopped, tries, accepted] = [false, 0, 0];
  const run = async (): Promise<void> => {
    while (!isStopped) {
      tries += 1;
      try {
        await people.insertOne({ email: 'p7@example.com', current: true });
        accepted += 1;
      } catch (error) {
        if ((error as mongo.MongoServerError).code !== duplicateKey) throw error;
      }
    }
  };
  const running = run();
  return {
    stop: async () => {
      isStopped = true;
      await running;
      return { tries, accepted };
    },
  };
}

test('a process of the release before that starts again takes nothing from its successors', async (t) => {
  const { connection, people } = await openScene(t);
  await ensureIndexes(connection, structures.second());
  await ensureIndexes(connection, structures.first());
  const names = Object.keys(await indexesOf(people));
  // Made under its plain name, for nothing was there before; the older process guards what it promises, too.
  t.deepEqual(names.toSorted(), ['city_1', 'country_1_city_1', 'email_1', 'email_1~2', 'leftAt_1', 'seenAt_1']);
  t.like((await indexesOf(people))['seenAt_1'], { expireAfterSeconds: 172_800 });
  t.like((await indexesOf(people))['email_1'], { partialFilterExpression: { current: true } });
});

test('an index is not dropped before what replaces it is there: a missing one is added again first', async (t) => {
  const { connection, database, people } = await openScene(t);
  await ensureIndexes(connection, structures.first());
  const changed = { unique: true, partialFilterExpression: { current: true } };
  await retireIndexes(people, [{ name: 'email_1', key: { email: 1 }, ...changed }], database);
  t.like(await indexesOf(people), { 'email_1~2': changed });
});

test('a new unique index that meets rows against it fails the start, and the old one goes on guarding', async (t) => {
  const { connection, people } = await openScene(t);
  await ensureIndexes(connection, structures.first());
  await people.insertMany([
    { email: 'one@example.com', alias: 'x' },
    { email: 'other@example.com', alias: 'x' },
  ]);
  const schema = new Schema({}, { strict: false });
  schema.index({ alias: 1 }, { unique: true, name: 'email_1' });
  await t.throwsAsync(ensureIndexes(connection, { schemas: new Map([['people', schema]]), migrations: [] }), {
    code: duplicateKey,
  });
  t.like(await indexesOf(people), { email_1: { key: { email: 1 }, unique: true } });
});

test('a start beside one that still builds an index ends when it is built', async (t) => {
  const { connection, database, people } = await openScene(t);
  await people.insertMany(Array.from({ length: 30_000 }, (_, n) => ({ email: `p${n}@example.com`, city: `c${n}` })));
  const building = people.createIndexes([{ key: { email: 1 }, name: 'email_1', unique: true }]);
  await ensureIndexes(connection, structures.first());
  t.is(await unfinished(database), 0);
  t.deepEqual(await indexesOf(people), first);
  await building;
});

async function unfinished(database: mongo.Db): Promise<number> {
  const { cursor } = await database.command({ listIndexes: 'people', includeBuildUUIDs: true });
  return (cursor as { firstBatch: object[] }).firstBatch.filter((index) => 'buildUUID' in index).length;
}

test('a step whose process dies is done by another', async (t) => {
  const { database } = await openScene(t);
  const nothing = () => Promise.resolve();
  const record = database.collection<{ _id: string }>('structure_version');
  // As a process that was killed in the middle leaves it.
  await record.insertOne({ _id: 'structure', ...{ holder: 'dead', heldUntil: new Date(Date.now() + 1_500) } });
  let runs = 0;
  const steps = {
    migrations: [{ version: 1, what: 'a step', run: () => Promise.resolve(void (runs += 1)) }],
    add: nothing,
    retire: nothing,
  };
  const startedAt = Date.now();
  await Promise.all([migrate(database, steps), migrate(database, steps)]);
  t.is(runs, 1);
  t.true(Date.now() - startedAt > 1_000);
});

test('a step that takes longer than its lease is not begun by another', async (t) => {
  const { database } = await openScene(t);
  const record = database.collection<{ _id: string; heldUntil: Date }>('structure_version');
  let runs = 0;
  const steps = {
    migrations: [
      {
        version: 1,
        what: 'a long step',
        run: async () => {
          runs += 1;
          const held = await record.findOne({ _id: 'structure' });
          await until('the first lease is over', () => Promise.resolve(held !== null && new Date() > held.heldUntil));
        },
      },
    ],
    add: () => Promise.resolve(),
    retire: () => Promise.resolve(),
    // A renewal may be late by two thirds of it, on a busy machine too.
    leaseMs: 6_000,
  };
  await Promise.all([migrate(database, steps), migrate(database, steps)]);
  t.is(runs, 1);
});

test('a step that fails fails the start, and is done by the next one', async (t) => {
  const { database } = await openScene(t);
  let runs = 0;
  const steps = {
    migrations: [
      {
        version: 1,
        what: 'a step that fails once',
        run: () => {
          runs += 1;
          return runs === 1 ? Promise.reject(new Error('not today')) : Promise.resolve();
        },
      },
    ],
    add: () => Promise.resolve(),
    retire: () => Promise.resolve(),
  };
  await t.throwsAsync(migrate(database, steps), { message: 'not today' });
  await migrate(database, steps);
  await migrate(database, steps);
  t.is(runs, 2);
});
