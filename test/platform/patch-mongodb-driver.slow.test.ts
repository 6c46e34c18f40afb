import { setImmediate as turn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { isStoreUnavailable, openStore } from '../../platform/database/connection.ts';
import { startMongod } from '../support/servers.ts';

const writesAtOnce = 8;
/** More than the kernel takes from the driver while nobody reads. */
const large = 'x'.repeat(8_000_000);

/** A database of the test's own, with connections for all writes, that is frozen in the middle of reading each of them. */
async function freezeWithinWrites(t: ExecutionContext) {
  t.timeout(120_000);
  const mongod = await startMongod();
  t.teardown(() => mongod.stop());
  const store = await openStore({ uri: mongod.uri, database: 'cut' });
  t.teardown(() => store.close());
  const rows = store.connection.collection('rows');
  const insertAtOnce = (row: object) => Array.from({ length: writesAtOnce }, () => rows.insertOne({ ...row }));
  await Promise.all(insertAtOnce({}));
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => process.kill(mongod.pid() ?? 0, name);
  signal('SIGSTOP');
  const outcomes = Promise.allSettled(insertAtOnce({ large }));
  // What was asked for in this turn is handed to the sockets by the next.
  await turn();
  return { mongod, rows, outcomes, thaw: () => signal('SIGCONT') };
}

const reasonsOf = (outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome));

test('a command whose connection fails while it is written is known as a database out of reach', async (t) => {
  const { mongod, outcomes } = await freezeWithinWrites(t);
  await mongod.kill9();
  for (const reason of reasonsOf(await outcomes)) t.true(isStoreUnavailable(reason), String(reason));
});

test('a command whose connection is given up while it is written ends, and the next one works', async (t) => {
  const { outcomes, rows, thaw } = await freezeWithinWrites(t);
  for (const reason of reasonsOf(await outcomes)) t.true(isStoreUnavailable(reason), String(reason));
  thaw();
  await t.notThrowsAsync(rows.insertOne({ isLater: true }));
});
