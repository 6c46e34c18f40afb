import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { mongo } from 'mongoose';
import { accountId } from '../../../core/ids.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { createDoorbell, hearRings } from '../../../store/dispatch/doorbell.ts';
import { dueQueue, type DueQueue } from '../../../store/dispatch/due-rows.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';
import { until } from '../../support/until.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

const aQueue = (): DueQueue => dueQueue('items', 'worker', accountId(randomUUID()));
const rings = () => store.connection.collection<{ _id: mongo.ObjectId; entries: DueQueue[] }>('doorbell');

/** A process that hears, from the moment when this resolves until the test ends. */
async function listen(t: ExecutionContext) {
  const heard: DueQueue[] = [];
  let opened = 0;
  const closing = new AbortController();
  const onOpen = (): void => {
    opened += 1;
  };
  const ended = hearRings(store, { onRing: (queue) => heard.push(queue), onOpen, signal: closing.signal });
  const close = async (): Promise<void> => {
    closing.abort();
    await ended;
  };
  t.teardown(close);
  await until('it hears', async () => opened > 0);
  return { heard, close, opened: () => opened };
}

function aDoorbell(t: ExecutionContext) {
  const { ring, close } = createDoorbell(store);
  t.teardown(close);
  return ring;
}

test.serial('what one process rings all hear, each queue once for each ring', async (t) => {
  const [one, other] = [await listen(t), await listen(t)];
  const ring = aDoorbell(t);
  const [queue, another] = [aQueue(), aQueue()];
  for (const of of [queue, queue, another, queue]) ring(of);
  for (const { heard } of [one, other]) {
    await until('it is heard', async () => heard.length >= 2);
    t.deepEqual(heard, [queue, another]);
  }
});

test.serial('a process rings once for all that happens in one turn, and at most every 20 ms', async (t) => {
  const ring = aDoorbell(t);
  const [some, last] = [[aQueue(), aQueue(), aQueue()], aQueue()];
  const startedAt = performance.now();
  let rung = 0;
  while (performance.now() - startedAt < 200) {
    some.forEach(ring);
    rung += some.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  ring(last);
  await until('the last is stored', () => rings().findOne({ 'entries.key': last.key }));
  const tookMs = performance.now() - startedAt;
  const sent = await rings().countDocuments({ 'entries.key': { $in: [...some, last].map(({ key }) => key) } });
  t.true(sent < rung);
  t.true(sent <= tookMs / 20 + 2, `${sent} in ${tookMs} ms`);
});

test.serial('more queues than a ring has room for are left to be found by looking', async (t) => {
  const ring = aDoorbell(t);
  const queues = Array.from({ length: 300 }, aQueue);
  queues.forEach(ring);
  const row = await until('it is stored', () => rings().findOne({ 'entries.key': queues[0]?.key ?? '' }));
  t.is(row.entries.length, 200);
});

test.serial('only what is rung from now on is heard, whatever the clock of the process that rings says', async (t) => {
  const before = aQueue();
  await rings().insertOne({ _id: new mongo.ObjectId(), entries: [before] });
  const { heard } = await listen(t);
  const late = aQueue();
  // The time in an id is that of the process that made it.
  await rings().insertOne({ _id: mongo.ObjectId.createFromTime(1_000_000), entries: [late] });
  await until('it is heard', async () => heard.length > 0);
  t.deepEqual(heard, [late]);
});

test.serial('a process whose cursor is gone hears again, and says that it has missed some', async (t) => {
  const { heard, opened } = await listen(t);
  const admin = store.connection.getClient().db('admin');
  const open = await admin
    .aggregate<{ cursor?: { cursorId: unknown } }>(
      [
        { $currentOp: { idleCursors: true, allUsers: true } },
        { $match: { ns: `${store.connection.name}.doorbell`, 'cursor.tailable': true } },
      ],
      { readConcern: { level: 'local' } },
    )
    .toArray();
  const cursors = open.flatMap(({ cursor }) => cursor?.cursorId ?? []);
  t.is(cursors.length, 1);
  await store.connection.db?.command({ killCursors: 'doorbell', cursors });
  const ring = aDoorbell(t);
  ring(aQueue());
  await until('it has opened another', async () => opened() === 2);
  heard.length = 0;
  const queue = aQueue();
  ring(queue);
  await until('it is heard', async () => heard.length > 0);
  t.deepEqual(heard, [queue]);
});

test.serial('closing ends the hearing at once, and what is rung then is not heard', async (t) => {
  const { heard, close } = await listen(t);
  const queue = aQueue();
  aDoorbell(t)(queue);
  await until('it is heard', async () => heard.length > 0);
  const startedAt = performance.now();
  await close();
  t.true(performance.now() - startedAt < 5_000);
  await rings().insertOne({ _id: new mongo.ObjectId(), entries: [aQueue()] });
  t.deepEqual(heard, [queue]);
});
