import { randomUUID } from 'node:crypto';
import test from 'ava';
import { imageKey } from '../../features/images/hosted-image.ts';
import { createImageRecordStore } from '../../features/images/store/image-records.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { afterRestore } from '../../features/operations/after-restore.ts';
import { createDiskImageStore } from '../../gateways/image-store/disk-image-store.ts';
import { createMovingImageStore } from '../../gateways/image-store/moving-image-store.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import { firstSequence } from '../../features/webhooks/store/feed-epoch.ts';
import { accountId, itemId } from '../../features/rules/ids.ts';
import { anItem } from '../support/an-item.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isError, withApiWorld, type Reply, type TestAccount } from '../support/api-world.ts';

const world = withApiWorld(test);

/** All rows, as a backup has them. Gives what restores them. */
async function backUp(): Promise<() => Promise<void>> {
  const { db } = world().store.connection;
  if (db === undefined) throw new Error('not connected');
  const collections = await db.collections();
  const kept = await Promise.all(collections.map(async (rows) => ({ rows, copies: await rows.find().toArray() })));
  return async () => {
    for (const { rows, copies } of kept) {
      await rows.deleteMany({});
      if (copies.length > 0) await rows.insertMany(copies);
    }
  };
}

async function push({ apiKey }: TestAccount, from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n += 1) {
    const body = { title: `Number ${n}`, description: 'A thing', price: 100, imageUrls: [] };
    const { status } = await world().call('PUT', `/integration/v1/items/A${n}`, { apiKey, body });
    if (status !== 202) throw new Error(`a push was answered with ${status}`);
  }
}

const read = ({ apiKey }: TestAccount, after?: string): Promise<Reply> =>
  world().call('GET', `/integration/events?${new URLSearchParams(after === undefined ? {} : { after }).toString()}`, {
    apiKey,
  });
const namesOf = ({ body }: Reply): string[] =>
  body.events.map((event: { data: { externalId: string } }) => event.data.externalId);
/** Each time to another moment. */
async function restore(at: Date) {
  world().pass(1);
  const done = await afterRestore(world(), { at, areImagesLost: true });
  if (done === null) throw new Error('it was done before');
  return done;
}

test.serial(
  'a reader of the feed learns that the database was restored, and then misses nothing of what it has',
  async (t) => {
    const account = await world().account();
    await push(account, 0, 10);
    t.is((await read(account)).body.events.length, 10);
    const backup = await backUp();
    const at = world().now();
    await push(account, 10, 10);
    const before = (await read(account)).body.nextCursor;
    await backup();
    await restore(at);
    await push(account, 20, 10);
    const refused = await read(account, before);
    isError(t, refused, { status: 410, code: 'GONE' });
    t.true(refused.text.includes(at.toISOString()), refused.text);
    const first = await read(account);
    const numbers = [...Array.from({ length: 10 }, (_, n) => n), ...Array.from({ length: 10 }, (_, n) => n + 20)];
    t.deepEqual(
      namesOf(first),
      numbers.map((n) => `A${n}`),
    );
    await push(account, 30, 1);
    t.deepEqual(namesOf(await read(account, first.body.nextCursor)), ['A30']);
  },
);

test.serial(
  'each restore begins another epoch: no cursor of an earlier one names a place, however old it is',
  async (t) => {
    const account = await world().account();
    const cursors = [(await read(account)).body.nextCursor];
    for (let restored = 0; restored < 3; restored += 1) {
      await restore(world().now());
      for (const cursor of cursors) t.is((await read(account, cursor)).status, 410);
      cursors.push((await read(account)).body.nextCursor);
      t.is((await read(account, cursors.at(-1))).status, 200);
    }
    t.is(new Set(cursors).size, 4);
    t.is((await read(account, 'now')).status, 200);
  },
);

test.serial('what callers and receivers saw in the lost time is not given out a second time', async (t) => {
  const account = await world().account();
  const { apiKey } = account;
  const put = (body: object, headers = {}): Promise<Reply> =>
    world().call('PUT', '/integration/v1/items/A1', {
      apiKey,
      headers,
      body: { title: 'A', description: 'A thing', price: 100, imageUrls: [], ...body },
    });
  await put({});
  const backup = await backUp();
  const at = world().now();
  const lost = (await put({ price: 200 })).headers.get('etag') ?? '';
  await backup();
  await restore(at);
  const other = await put({ price: 300 });
  t.is(other.status, 202);
  t.not(other.headers.get('etag'), lost);
  t.is((await put({ price: 400 }, { 'If-Match': lost })).status, 412, 'it was of other content');
  const row = await world().store.connection.collection('items').findOne({ accountId: account.id });
  t.true(row?.['sequence'] > 1_000_000 && row?.['imageSet'].number > 1_000_000);
  t.is(row?.['revision'], row?.['settledRevision'], 'nothing is owed for it');
});

test.serial('a backup that is restored twice gives no number a second time', async (t) => {
  const { apiKey, id } = await world().account();
  const put = (price: number) =>
    world().call('PUT', '/integration/v1/items/A1', {
      apiKey,
      body: { title: 'A', description: 'A thing', price, imageUrls: [] },
    });
  await put(1);
  const backup = await backUp();
  const at = world().now();
  const tags: (string | undefined)[] = [];
  const numbers: number[] = [];
  for (const price of [2, 3]) {
    await backup();
    world().pass(60_000);
    await restore(at);
    tags.push((await put(price)).headers.get('etag') ?? '');
    const row = await world().store.connection.collection('items').findOne({ accountId: id });
    // As a process that was started since reads it.
    numbers.push(Number(row?.['sequence']), (await firstSequence({ ...world().store })) + 0.5);
  }
  t.is(new Set(tags).size, 2);
  t.is(new Set(numbers).size, 4, numbers.join());
});

test.serial('a row of v0.9, which has no time of its end, is no restore that was done', async (t) => {
  const at = world().now();
  await restore(at);
  await world()
    .store.connection.collection('feed_epochs')
    .updateMany({}, { $unset: { doneAt: 1 } });
  t.not(await afterRestore(world(), { at }), null);
});

test.serial('an image store that lacks most images changes nothing, unless they are said to be lost', async (t) => {
  const account = await world().account();
  const id = accountId(account.id);
  const item = anItem({ accountId: id, id: itemId(randomUUID()) });
  const images = [{ sourceUrl: 'https://x/1', state: 'hosted', contentHash: 'e'.repeat(64), failure: null } as const];
  await createItemStore(world().store).insert({ ...item, imageSet: { number: 1, announced: true, images } });
  const before = await everyRow();
  const at = world().now();
  await t.throwsAsync(afterRestore(world(), { at }), { name: 'Refusal', message: /--images-lost/ });
  t.deepEqual(await everyRow(), before);
  t.like(await restore(at), { images: { gone: 1 } });
});

test.serial(
  'while images move to another store, one with files in both is whole, and one with a size in both is not',
  async (t) => {
    const account = await world().account();
    const id = accountId(account.id);
    const item = anItem({ accountId: id, id: itemId(randomUUID()) });
    const [both, half] = ['1'.repeat(64), '2'.repeat(64)];
    const hosted = [both, half].map(
      (contentHash) =>
        ({ sourceUrl: `https://x/${contentHash}`, state: 'hosted', contentHash, failure: null }) as const,
    );
    await createItemStore(world().store).insert({ ...item, imageSet: { number: 1, announced: true, images: hosted } });
    const [present, former] = ['present', 'former'].map((name) => createDiskImageStore(temporaryFolder(name))) as [
      ImageStore,
      ImageStore,
    ];
    for (const one of [present, former]) {
      for (const size of ['large', 'thumb'] as const) await one.put(imageKey(id, both, size), Buffer.from('1'));
      await one.put(imageKey(id, half, 'large'), Buffer.from('1'));
    }
    const imageStore = createMovingImageStore({ present, former });
    const done = await afterRestore({ ...world(), imageStore }, { at: world().now(), areImagesLost: true });
    t.is(done?.images.gone, 1);
    const found = await createItemStore(world().store).findById(item);
    t.deepEqual(
      found?.imageSet.images.map(({ state }) => state),
      ['hosted', 'pending'],
    );
  },
);

test.serial('sessions have ended; a second run says that all was done, and changes nothing', async (t) => {
  const { token } = await world().account();
  const at = world().now();
  await restore(at);
  t.is((await world().call('GET', '/integration/api-keys', { token })).status, 401);
  const before = await everyRow();
  t.is(await afterRestore(world(), { at }), null);
  t.deepEqual(await everyRow(), before);
});

test.serial(
  'images without a file are fetched again, and files without a row are known to the collector',
  async (t) => {
    const account = await world().account();
    const id = accountId(account.id);
    const [kept, gone, half, stray] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(64)) as [
      string,
      string,
      string,
      string,
    ];
    const hosted = [kept, gone, half].map(
      (contentHash) =>
        ({ sourceUrl: `https://x/${contentHash}`, state: 'hosted', contentHash, failure: null }) as const,
    );
    const items = createItemStore(world().store);
    const item = anItem({ accountId: id, id: itemId(randomUUID()) });
    await items.insert({ ...item, imageSet: { number: 1, announced: true, images: hosted } });
    for (const hash of [kept, half, stray]) await world().imageStore.put(imageKey(id, hash, 'large'), Buffer.from('1'));
    for (const hash of [kept, stray]) await world().imageStore.put(imageKey(id, hash, 'thumb'), Buffer.from('1'));
    t.like(await restore(world().now()), { images: { gone: 2, unnamed: 3 } });
    const found = await items.findById(item);
    t.deepEqual(
      found?.imageSet.images.map(({ state }) => state),
      ['hosted', 'pending', 'pending'],
    );
    t.not(found?.startAt, null, 'a workflow is owed');
    t.deepEqual(await createImageRecordStore(world().store).findUnknown(id, [kept, half, stray]), []);
    t.like(await restore(world().now()), { images: { gone: 0, unnamed: 0 } });
  },
);

async function everyRow(): Promise<readonly unknown[]> {
  const { db } = world().store.connection;
  const collections = (await db?.collections()) ?? [];
  return Promise.all(collections.map(async (rows) => [rows.collectionName, await rows.find().toArray()]));
}
