import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { programArguments } from '../../embedded/program-arguments.ts';
import { itemId } from '../../features/rules/ids.ts';
import { itemWorkflowId, lookAgainSignalName } from '../../workflows/contracts/workflows.ts';
import { startSystem, type System } from '../../verification/crash/support/system.ts';
import { untilTemporalServes } from '../../verification/crash/support/temporal-serves.ts';
import { startTemporal } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { callAdmin } from '../support/world.ts';

// The database goes back to a backup, and the marketplace, the receivers, the image store and perhaps Temporal do not.

const run = promisify(execFile);
const pictures = readdirSync('examples/catalogue/images').filter((name) => name.endsWith('.jpg'));
const testFolder = process.env['TEST_DIRECTORY'] ?? tmpdir();

for (const [engine, goesBack] of [
  ['goes on as it was', undefined],
  ['goes back as well', 'copied'],
  ['has lost everything', 'emptied'],
] as const)
  test.serial(
    `a database that goes back publishes nothing twice and finds what was sold: Temporal ${engine}`,
    async (t) => {
      t.timeout(400_000);
      const temporal = await openTemporal(t);
      const system = await startSystem({ TEMPORAL_ADDRESS: temporal.address });
      t.teardown(() => system.stop());
      // The account was made without a sign-up.
      const accounts = system.foundation.store.connection.collection<{ _id: string }>('accounts');
      await accounts.insertOne({ _id: system.accountId });
      const before = await untilBackup(system);
      await temporal.copy();
      const backup = await backUp(system);
      const lost = await liveOn(system);
      await stop(system);
      await backup.restore();
      if (goesBack !== undefined) await temporal.goBack(goesBack);
      t.regex(await afterRestore(system, backup.at), /1 seller will be looked at[^]*1 image of items had no file/);
      await Promise.all([system.api.start(), system.worker.start()]);
      await assertFeed(t, system, [before, lost.cursor]);
      await assertWorld(t, system, lost.imageFile);
      if (goesBack === undefined) await assertGhostEnds(t, system, lost.restingItem);
      await stop(system);
      const rows = await allRows(system);
      t.regex(await afterRestore(system, backup.at), /was done for this restore before/);
      t.deepEqual(await allRows(system), rows, 'a second run changes nothing');
    },
  );

async function openTemporal(t: ExecutionContext) {
  const dbFile = join(mkdtempSync(join(testFolder, 'temporal-')), 'temporal.sqlite');
  const temporal = await startTemporal({ dbFile });
  t.teardown(() => temporal.stop());
  const files = ['', '-shm', '-wal'].map((suffix) => `${dbFile}${suffix}`);
  const again = async (): Promise<void> => {
    await temporal.restart();
    await untilTemporalServes(temporal.address);
  };
  return {
    address: temporal.address,
    copy: async (): Promise<void> => {
      await temporal.stop();
      for (const file of files.filter((one) => existsSync(one))) copyFileSync(file, `${file}.copy`);
      await again();
    },
    goBack: async (how: 'copied' | 'emptied'): Promise<void> => {
      await temporal.stop();
      for (const file of files) rmSync(file, { force: true });
      for (const file of files.filter((one) => how === 'copied' && existsSync(`${one}.copy`)))
        copyFileSync(`${file}.copy`, file);
      await again();
    },
  };
}

const stop = ({ api, worker }: System): Promise<unknown> => Promise.all([api.stop(), worker.stop()]);

async function push(system: System, externalId: string): Promise<void> {
  const picture = pictures[(externalId.charCodeAt(0) * 10 + Number(externalId.slice(1))) % pictures.length] ?? '';
  const body = {
    title: `Auktion ${externalId}`,
    price: 100,
    imageUrls: [`${system.images.url}/${picture}`],
    autoPublishTradera: true,
  };
  const status = await system.put(externalId, body);
  if (status !== 202) throw new Error(`${externalId} was answered with ${String(status)}`);
}

const untilStatus = (system: System, externalId: string, wanted: string): Promise<unknown> =>
  until(
    `${externalId} is ${wanted}`,
    async () => (await system.status(externalId)).marketplaceStatus === wanted,
    60_000,
  );

async function readFeed({ apiUrl, headers }: System, after?: string) {
  const query = after === undefined ? '' : `?after=${after}`;
  const response = await fetch(`${apiUrl}/integration/events${query}`, { headers });
  return { status: response.status, body: (await response.json()) as { readonly nextCursor: string } };
}

/** Items are up, others were pushed while no worker ran. Gives the reader's cursor. */
async function untilBackup(system: System): Promise<string> {
  for (const externalId of ['A0', 'A1', 'A2', 'A3', 'A4']) await push(system, externalId);
  for (const externalId of ['A0', 'A1', 'A2', 'A3', 'A4']) await untilStatus(system, externalId, 'active');
  await system.worker.stop();
  for (const externalId of ['B0', 'B1', 'B2', 'B3']) await push(system, externalId);
  const { nextCursor } = (await readFeed(system)).body;
  await system.api.stop();
  return nextCursor;
}

/** While nothing writes. Time passes before and after it, so that it is a moment of its own. */
async function backUp({ foundation: { store } }: System) {
  const { db } = store.connection;
  const collections = (await db?.collections()) ?? [];
  const kept = await Promise.all(collections.map(async (rows) => ({ rows, copies: await rows.find().toArray() })));
  return {
    at: store.clock.now(),
    restore: async (): Promise<void> => {
      for (const { rows, copies } of kept) {
        await rows.deleteMany({});
        if (copies.length > 0) await rows.insertMany(copies);
      }
    },
  };
}

const listingOf = async (system: System, externalId: string) =>
  (await system.listings()).find(
    ({ ownReferences, state }) => ownReferences[0] === externalId && state !== 'uncommitted',
  )?.itemId;

/** What the restore will lose: publications, new items, sales, a price, a take-down, and a picture that the collector took. */
async function liveOn(system: System) {
  await Promise.all([system.api.start(), system.worker.start()]);
  await system.put('D0', { title: 'Utan bild', price: 100, imageUrls: [`${system.images.url}/missing.jpg`] });
  for (const externalId of ['C0', 'C1']) await push(system, externalId);
  for (const externalId of ['B0', 'B1', 'B2', 'B3', 'C0', 'C1']) await untilStatus(system, externalId, 'active');
  for (const externalId of ['A0', 'B0', 'C0']) {
    const auction = `${system.marketplace.adminUrl}/listings/${String(await listingOf(system, externalId))}`;
    await callAdmin(`${auction}/bids`, 'POST', { amount: 900 });
    await callAdmin(`${auction}/end`, 'POST');
  }
  await system.call('PATCH', 'A1/price', { price: 250 });
  for (const externalId of ['A2', 'B3']) await system.call('PATCH', `${externalId}/status`, { status: 'not_listed' });
  for (const externalId of ['A0', 'B0', 'C0']) await untilStatus(system, externalId, 'sold');
  for (const externalId of ['A2', 'B3']) await untilStatus(system, externalId, 'ended');
  await until('the auction has the new price', async () =>
    (await system.listings()).some(({ startPrice }) => startPrice === 250),
  );
  const row = await system.foundation.store.connection.collection('items').findOne({ externalId: 'A3' });
  const hash = String(row?.['imageSet'].images[0].contentHash);
  const imageFile = join(testFolder, system.taskQueue, 'images', system.accountId, hash);
  rmSync(imageFile, { recursive: true });
  const restingItem = await until('a run rests with a problem', async () => {
    const item = await system.foundation.store.connection.collection('items').findOne({ externalId: 'D0' });
    return item?.['blockedReason'] === 'images' ? String(item._id) : null;
  });
  return { cursor: (await readFeed(system)).body.nextCursor, imageFile, restingItem };
}

async function afterRestore({ foundation: { store }, taskQueue }: System, at: Date): Promise<string> {
  const env = {
    ...process.env,
    MONGODB_URI: process.env['TEST_MONGODB_URI'],
    MONGODB_DATABASE: store.connection.name,
    IMAGE_STORE_DIR: join(testFolder, taskQueue, 'images'),
  };
  const args = [...programArguments('bin/itembridge.ts'), 'after-restore', '--at', at.toISOString()];
  return (await run(process.execPath, args, { env })).stdout;
}

async function assertFeed(t: ExecutionContext, system: System, cursors: readonly string[]): Promise<void> {
  for (const cursor of cursors) t.is((await readFeed(system, cursor)).status, 410);
  t.is((await readFeed(system)).status, 200);
}

async function assertWorld(t: ExecutionContext, system: System, imageFile: string): Promise<void> {
  for (const externalId of ['A0', 'B0']) await untilStatus(system, externalId, 'sold');
  for (const externalId of ['A1', 'A3', 'A4', 'B1', 'B2']) await untilStatus(system, externalId, 'active');
  for (const externalId of ['A2', 'B3']) await untilStatus(system, externalId, 'ended');
  await push(system, 'C1');
  await untilStatus(system, 'C1', 'active');
  await until('the picture is there again', async () => existsSync(imageFile));
  await until('the price that was set is known', async () => (await system.status('A1')).price === 250);
  await untilAtRest(system);
  const up = (await system.listings()).filter(({ state }) => state !== 'uncommitted');
  const names = up.map(({ ownReferences }) => ownReferences[0]).toSorted();
  t.deepEqual(names, ['A0', 'A1', 'A2', 'A3', 'A4', 'B0', 'B1', 'B2', 'B3', 'C0', 'C1'], 'each went up once');
  const orders = await system.foundation.store.connection.collection('orders').find().toArray();
  t.deepEqual(orders.map(({ externalId }) => String(externalId)).toSorted(), ['A0', 'B0']);
  const told = new Map((await system.received()).map(({ body }) => [body.eventId, body]));
  const [forgotten, again] = (await system.received())
    .filter(({ body }) => body.data.externalId === 'C1' && body.eventType === 'item.created')
    .map(({ body }) => body.data.sequence);
  t.true(
    (again ?? 0) > (forgotten ?? 0) + 100_000,
    'events of an item that was forgotten go on above those that were sent',
  );
  for (const [externalId, type] of [
    ['A0', 'item.sold'],
    ['B0', 'item.sold'],
    ['B1', 'listing.created'],
  ] as const) {
    const events = [...told.values()].filter(
      ({ data, eventType }) => data.externalId === externalId && eventType === type,
    );
    t.is(events.length, 1, `${type} of ${externalId} has one id, before and after`);
  }
}

/** The run of an item that the database has forgotten. */
async function assertGhostEnds(t: ExecutionContext, { foundation: { client } }: System, item: string): Promise<void> {
  const run = client.workflow.getHandle(itemWorkflowId(itemId(item)));
  t.is((await run.describe()).status.name, 'RUNNING');
  await run.signal(lookAgainSignalName);
  await run.result();
}

/** Nothing is owed, blocked or waits to be sent. */
async function untilAtRest({ foundation: { store } }: System): Promise<void> {
  const count = (name: string, filter: object): Promise<number> =>
    store.connection.collection(name).countDocuments(filter);
  await until(
    'nothing is left to do',
    async () =>
      (await count('items', { $or: [{ startAt: { $ne: null } }, { blockedReason: { $ne: null } }] })) === 0 &&
      (await count('deliveries', { state: 'pending' })) === 0,
    60_000,
  );
}

async function allRows({ foundation: { store } }: System): Promise<object> {
  const { db } = store.connection;
  const collections = (await db?.collections()) ?? [];
  return Promise.all(collections.map(async (rows) => [rows.collectionName, await rows.find().toArray()]));
}
