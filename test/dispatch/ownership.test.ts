import { randomUUID } from 'node:crypto';
import test from 'ava';
import { dueFrom } from '../../core/due.ts';
import { accountId } from '../../core/ids.ts';
import { Ownership, ownerOf } from '../../dispatch/ownership.ts';
import { DatabaseClock, type StoreConnection } from '../../store/database/connection.ts';
import { deliveryRows } from '../../store/deliveries/deliveries.ts';
import type { WorkerRow } from '../../store/dispatch/workers.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { present } from '../support/clock.ts';

let store: StoreConnection;
test.beforeEach(async () => {
  store = await openTestStore();
});
test.afterEach.always(() => closeTestStore(store));

const accounts = Array.from({ length: 600 }, (_, n) => accountId(`account-${n}`));

/** The clock of its machine is wrong by an hour. */
function aWorker() {
  const changes: string[] = [];
  const clock = new DatabaseClock(performance.timeOrigin + 3_600_000);
  const ownership = new Ownership({ store, clock, workerId: randomUUID(), onChange: () => changes.push('changed') });
  return { ownership, changes, clock };
}
type Worker = ReturnType<typeof aWorker>;

async function beatAll(workers: readonly Worker[]): Promise<void> {
  // The first one sees the others only at its second beat.
  for (const { ownership } of [...workers, ...workers]) await ownership.beat();
}

const ownersOf = (workers: readonly Worker[]): readonly Worker[][] =>
  accounts.map((account) => workers.filter(({ ownership }) => ownership.owns(account)));

const workerRows = () => store.connection.collection<WorkerRow>('workers');
/** Beats wait for no majority. */
const rowOf = ({ ownership: { workerId } }: Worker): Promise<WorkerRow | null> =>
  workerRows().findOne({ _id: workerId }, { readConcern: { level: 'local' } });

/** Another process's beat is so old. */
async function agedBy(ms: number, { ownership: { workerId } }: Worker): Promise<void> {
  await workerRows().updateOne({ _id: workerId }, [{ $set: { seenAt: { $subtract: ['$$NOW', ms] } } }]);
}

test.serial('each account is one living worker’s, and all have about as many', async (t) => {
  const workers = [aWorker(), aWorker(), aWorker()];
  await beatAll(workers);
  const owners = ownersOf(workers);
  t.true(owners.every((of) => of.length === 1));
  for (const worker of workers) {
    const share = owners.filter(([owner]) => owner === worker).length;
    t.true(share > 140 && share < 260, `${share}`);
  }
});

test.serial('accounts of a worker that was not seen for 3 s are the others’, and only those move', async (t) => {
  const workers = [aWorker(), aWorker(), aWorker()];
  const [gone, ...living] = workers as [Worker, Worker, Worker];
  await beatAll(workers);
  const before = ownersOf(workers);
  await agedBy(500, gone);
  await beatAll(living);
  t.deepEqual(
    ownersOf(living),
    before.map((of) => of.filter((owner) => owner !== gone)),
  );
  for (const { changes } of living) changes.length = 0;
  await agedBy(3_000, gone);
  await beatAll(living);
  for (const [index, of] of ownersOf(living).entries()) {
    t.is(of.length, 1);
    if (before[index]?.[0] !== gone) t.is(of[0], before[index]?.[0]);
  }
  for (const { changes } of living) t.true(changes.length > 0, 'it is told, to look for what it has now');
});

test.serial('a worker that ends leaves its accounts to the others at their next beat', async (t) => {
  const [leaving, staying] = [aWorker(), aWorker()];
  await beatAll([leaving, staying]);
  await leaving.ownership.leave();
  t.false(accounts.some((account) => leaving.ownership.owns(account)));
  await staying.ownership.beat();
  t.true(accounts.every((account) => staying.ownership.owns(account)));
  t.is(await rowOf(leaving), null);
});

test.serial('a worker owns nothing before its first beat, and after a pause of 3 s until the next one', async (t) => {
  const { ownership } = aWorker();
  const [account = accountId('')] = accounts;
  t.false(ownership.owns(account));
  await ownership.beat();
  t.true(ownership.owns(account));
  const now = performance.now.bind(performance);
  performance.now = () => now() + 3_001;
  const wasOwned = ownership.owns(account);
  performance.now = now;
  t.false(wasOwned);
  await ownership.beat();
  t.true(ownership.owns(account));
});

test.serial('a beat sets the clock of the process by the database', async (t) => {
  const worker = aWorker();
  await worker.ownership.beat();
  const seenAt = (await rowOf(worker))?.seenAt.getTime() ?? 0;
  t.true(Math.abs(worker.clock.now().getTime() - seenAt) < 60_000);
});

test.serial('attempts of a worker that is gone are due at once, and its row stays until none is left', async (t) => {
  const [gone, living] = [aWorker(), aWorker()];
  await beatAll([gone, living]);
  const inAnHour = present(3_600_000);
  const rows = [gone, living].map(({ ownership: { workerId } }) => ({
    ...{ _id: randomUUID(), claim: workerId, state: 'pending', accountId: 'a', target: 'b' },
    ...{ inFlightSince: present(), createdAt: present() },
    due: dueFrom('worker', inAnHour),
  }));
  await deliveryRows(store).insertMany(rows as never[]);
  await agedBy(3_000, gone);
  await living.ownership.beat();
  const [ended, kept] = await deliveryRows(store).find().sort({ 'due.at': 1 }).toArray();
  t.is<string | undefined, string | undefined>(ended?._id, rows[0]?._id);
  t.true((ended?.due?.at ?? inAnHour) < inAnHour);
  t.deepEqual(kept?.due?.at, inAnHour);
  t.truthy(await rowOf(gone));

  await deliveryRows(store).updateOne({ claim: gone.ownership.workerId }, { $set: { inFlightSince: null } });
  await living.ownership.beat();
  t.is(await rowOf(gone), null);
});

test('the owner is the same in each process, whatever the order in which it sees the others', (t) => {
  const workers = ['w1', 'w2', 'w3', 'w4'];
  for (const account of accounts.slice(0, 50))
    t.is(ownerOf(account, workers), ownerOf(account, workers.toReversed()), account);
  t.is(ownerOf('a', []), undefined);
});
