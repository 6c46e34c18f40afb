import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { schemaVersion } from '../../compose/schema-steps.ts';
import { programArguments } from '../../embedded/program-arguments.ts';
import { openStore, type StoreConnection } from '../../platform/database/connection.ts';
import { migrate, type Step } from '../../platform/database/migrate.ts';
import {
  DatabaseTooNewError,
  DatabaseTooOldError,
  openMigratedStore,
  readSchemaVersion,
  schemaRows,
  untilMigrated,
} from '../../platform/database/schema-version.ts';
import { aGate } from '../support/a-gate.ts';
import { testMongodbUri } from '../support/open-test-store.ts';
import { until } from '../support/until.ts';

// Each test has an empty database, and steps of its own.

async function openEmpty(
  t: ExecutionContext,
  database = `t${randomBytes(6).toString('hex')}`,
): Promise<StoreConnection> {
  const store = await openStore({ uri: testMongodbUri(), database });
  t.teardown(async () => {
    await store.connection.dropDatabase();
    await store.close();
  });
  return store;
}

const placeOf = ({ connection }: StoreConnection) => ({ uri: testMongodbUri(), database: connection.name });
function itembridge(store: StoreConnection, ...command: readonly string[]) {
  const { uri, database } = placeOf(store);
  const env = { ...process.env, MONGODB_URI: uri, MONGODB_DATABASE: database };
  return promisify(execFile)(process.execPath, [...programArguments('bin/itembridge.ts'), ...command], { env });
}

const done = (store: StoreConnection) => store.connection.collection<{ step: number }>('done');
const note = (number: number): Step => ({
  number,
  does: `notes ${number}`,
  run: async (store) => void (await done(store).insertOne({ step: number })),
});
const stepsDone = async (store: StoreConnection): Promise<number[]> =>
  (await done(store).find().sort({ _id: 1 }).toArray()).map(({ step }) => step);

test('the steps run in their order, each once; a second run does nothing, a newer release only what is new', async (t) => {
  const store = await openEmpty(t);
  t.deepEqual(await migrate(store, { steps: [note(1), note(2)] }), { version: 2, compatibleFrom: 0 });
  await migrate(store, { steps: [note(1), note(2)] });
  await migrate(store, { steps: [note(1), note(2), { ...note(3), compatibleFrom: 2 }] });
  t.deepEqual(await stepsDone(store), [1, 2, 3]);
  t.deepEqual(await readSchemaVersion(store), { version: 3, compatibleFrom: 2 });
});

test('of several that start at once one runs the steps, and the others wait until it is through', async (t) => {
  const store = await openEmpty(t);
  const others = await Promise.all(
    [1, 2, 3].map(() => openStore({ uri: testMongodbUri(), database: store.connection.name })),
  );
  t.teardown(() => Promise.all(others.map((other) => other.close())));
  const ends = await Promise.all([store, ...others].map((each) => migrate(each, { steps: [note(1), note(2)] })));
  t.deepEqual(await stepsDone(store), [1, 2]);
  t.deepEqual(
    ends.map(({ version }) => version),
    [2, 2, 2, 2],
  );
  t.is((await schemaRows(store).findOne({ _id: 'schema' }))?.holder, undefined, 'the lease is given back');
});

test('a step that fails is told, leaves the version before it, and is run again by the next run', async (t) => {
  const store = await openEmpty(t);
  const fails: Step = { number: 2, does: 'fails', run: () => Promise.reject(new Error('no room')) };
  await t.throwsAsync(migrate(store, { steps: [note(1), fails, note(3)] }), { message: 'no room' });
  t.is((await readSchemaVersion(store)).version, 1);
  await migrate(store, { steps: [note(1), note(2), note(3)] });
  t.deepEqual(await stepsDone(store), [1, 2, 3]);
});

test('when a process dies in a step, another one begins with that step after the lease; the dead one, if it lives, writes nothing more', async (t) => {
  const store = await openEmpty(t);
  const gate = aGate();
  const stuck: Step = {
    number: 2,
    does: 'hangs',
    run: async (_store, signal) => {
      await gate.opened;
      signal.throwIfAborted();
      await note(22).run?.(store, signal);
    },
  };
  const dying = migrate(store, { steps: [note(1), stuck, note(3)], leaseMs: 1_500 });
  await until('it is in its second step', async () => (await readSchemaVersion(store)).version === 1);
  // Its renewals stay away, as those of a dead process do.
  await schemaRows(store).updateOne({ _id: 'schema' }, { $set: { holder: 'of the dead' } });
  const said: string[] = [];
  await migrate(store, { steps: [note(1), note(2), note(3)], tell: (line) => said.push(line) });
  t.deepEqual(said, ['another process migrates: waiting for it', '2: notes 2', '3: notes 3']);
  gate.open();
  await t.throwsAsync(dying, { message: /taken the migration over/ });
  t.deepEqual(await stepsDone(store), [1, 2, 3]);
  t.is((await readSchemaVersion(store)).version, 3);
});

test('a later step does not let older processes in again', async (t) => {
  const store = await openEmpty(t);
  const steps = [note(1), { ...note(2), compatibleFrom: 2 }, { ...note(3), compatibleFrom: 1 }];
  t.deepEqual(await migrate(store, { steps }), { version: 3, compatibleFrom: 2 });
});

test('a step that takes longer than the lease keeps it', async (t) => {
  const store = await openEmpty(t);
  const gate = aGate();
  // A renewal each third of it has to come through on a busy machine, too.
  const leaseMs = 6_000;
  const slow: Step = { number: 1, does: 'takes long', run: () => gate.opened };
  const running = migrate(store, { steps: [slow, note(2)], leaseMs });
  const { heldUntil: first } = await until('it has the lease', () =>
    schemaRows(store).findOne({ _id: 'schema', holder: { $exists: true } }),
  );
  const waiting = migrate(store, { steps: [slow, note(2)], leaseMs });
  await until(
    'the first lease would be over',
    async () => store.clock.now() > new Date((first?.getTime() ?? 0) + leaseMs),
  );
  gate.open();
  await running;
  await waiting;
  t.deepEqual(await stepsDone(store), [2]);
});

test('a process waits for the version that it needs, says what to run, and goes on when it is there', async (t) => {
  const store = await openEmpty(t);
  const said: unknown[] = [];
  const calls: string[] = [];
  const waiting = untilMigrated(store, 1, {
    logger: { warn: (...line: unknown[]) => void said.push(line) },
    lookEveryMs: 20,
    onWaiting: async () => {
      calls.push('waits');
      return async () => void calls.push('goes on');
    },
  });
  await until('it waits', async () => calls.length === 1);
  await migrate(store, { steps: [note(1)] });
  await waiting;
  t.deepEqual(calls, ['waits', 'goes on']);
  t.deepEqual(said[0], [{ version: 0, needed: 1, run: 'itembridge migrate' }, 'database.migration_awaited']);
});

test('rows that need a newer version are refused, at the start and by an older migration; newer ones that do not are taken', async (t) => {
  const store = await openEmpty(t);
  const logger = { warn: () => undefined };
  await migrate(store, { steps: [note(1), note(2)] });
  await untilMigrated(store, 1, { logger });
  t.like(await migrate(store, { steps: [note(1)] }), { version: 2 });
  await migrate(store, { steps: [note(1), note(2), { ...note(3), compatibleFrom: 2 }] });
  const refused = {
    instanceOf: DatabaseTooNewError,
    message: /version 3 .*needs .*version 2 or later; this one has 1: start the newer/,
  };
  await t.throwsAsync(untilMigrated(store, 1, { logger }), refused);
  await t.throwsAsync(migrate(store, { steps: [note(1)] }), refused);
  await t.throwsAsync(openMigratedStore({ ...placeOf(store), schemaVersion: 1 }), refused);
  await untilMigrated(store, 2, { logger });
  t.deepEqual(await stepsDone(store), [1, 2, 3]);
});

test('a tool works on a database of its own version, and says what to run on an older one', async (t) => {
  const store = await openEmpty(t);
  await migrate(store, { steps: [note(1)] });
  const opened = await openMigratedStore({ ...placeOf(store), schemaVersion: 1 });
  await opened.close();
  const older = { instanceOf: DatabaseTooOldError, message: /has version 1 .* needs 2: run "itembridge migrate"/ };
  await t.throwsAsync(openMigratedStore({ ...placeOf(store), schemaVersion: 2 }), older);
});

test('no command of the tools works on a database that needs a newer release', async (t) => {
  const store = await openEmpty(t);
  const far = schemaVersion + 9;
  await schemaRows(store).insertOne({ _id: 'schema', version: far, compatibleFrom: far });
  for (const command of [
    ['after-restore', '--as', 'kim', '--at', '2026-11-27T03:00:00Z'],
    ['ops', 'stuck'],
  ]) {
    const { stderr } = await t.throwsAsync<Error & { stderr: string }>(itembridge(store, ...command));
    t.regex(stderr, /start the newer release again/, command.join(' '));
  }
});

test('itembridge migrate makes every collection and index of an empty database, and says so the second time too', async (t) => {
  const store = await openEmpty(t);
  const run = async () => (await itembridge(store, 'migrate')).stdout;
  t.regex(await run(), /^1: .*\nThe database has version \d+ of its structure, for releases with 0 or later\.\n$/);
  t.regex(await run(), new RegExp(`^The database has version ${schemaVersion} `));
  const names = (await store.connection.listCollections()).map(({ name }) => name);
  t.true(names.length > 40, String(names.length));
  t.true((await store.connection.collection('items').indexes()).length > 10);
});
