import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { createDiskImageStore } from '../../gateways/image-store/disk-image-store.ts';
import { ImageStoreUnavailable } from '../../gateways/image-store/port.ts';
import { imageStoreConformance } from './image-store-conformance.ts';
import { present } from '../support/clock.ts';

const folders: string[] = [];
test.after.always(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'images-'));
  folders.push(folder);
  return folder;
}

imageStoreConformance(test, 'disk', async () => createDiskImageStore(await aFolder()));

async function filesIn(t: ExecutionContext, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  t.true(entries.length > 0);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

test('an image lies where its key says, and no temporary file is left', async (t) => {
  const folder = await aFolder();
  await createDiskImageStore(folder).put('acc/hash/large.jpg', Buffer.from('picture'));
  t.is(await readFile(join(folder, 'acc/hash/large.jpg'), 'utf8'), 'picture');
  t.deepEqual(await filesIn(t, folder), ['large.jpg']);
});

test('a put that fails leaves no temporary file', async (t) => {
  const folder = await aFolder();
  const store = createDiskImageStore(folder);
  await store.put('acc/hash/large.jpg/inside.jpg', Buffer.from('x'));
  await t.throwsAsync(store.put('acc/hash/large.jpg', Buffer.from('y')));
  t.deepEqual(await filesIn(t, folder), ['inside.jpg']);
});

test('what a write left that a crash cut off goes once it is old', async (t) => {
  const folder = await aFolder();
  const store = createDiskImageStore(folder);
  t.is(await store.removeLeftovers(present()), 0, 'before anything was ever written');
  await store.put('acc/hash/large.jpg', Buffer.from('picture'));
  const [old, fresh] = [join(folder, '.incoming/old'), join(folder, '.incoming/fresh')];
  await Promise.all([writeFile(old, 'half a pic'), writeFile(fresh, 'half a pic')]);
  const longAgo = new Date('2020-01-01T00:00:00Z');
  await utimes(old, longAgo, longAgo);
  t.is(await store.removeLeftovers(new Date(longAgo.getTime() + 1)), 1);
  t.deepEqual((await filesIn(t, folder)).toSorted(), ['fresh', 'large.jpg']);
});

test('a folder that can’t be read or written is a fault of the store, never an image that is not there', async (t) => {
  const folder = await aFolder();
  const file = join(folder, 'a-file');
  await writeFile(file, 'x');
  const broken = createDiskImageStore(join(file, 'images'));
  await t.throwsAsync(broken.put('a/b.jpg', Buffer.from('x')), { instanceOf: ImageStoreUnavailable });
  const store = createDiskImageStore(folder);
  await store.put('acc/hash/large.jpg/inside.jpg', Buffer.from('x'));
  await t.throwsAsync(store.read('acc/hash/large.jpg'), { instanceOf: ImageStoreUnavailable });
});

test('every key is listed once, and no temporary file', async (t) => {
  const folder = await aFolder();
  const store = createDiskImageStore(folder);
  t.deepEqual(await Readable.from(store.list()).toArray(), [], 'before the first image');
  const keys = ['a/1/large.jpg', 'a/1/thumb.jpg', 'a/2/large.jpg', 'b/1/large.jpg'];
  for (const key of keys) await store.put(key, Buffer.from('x'));
  await writeFile(join(folder, '.incoming', 'half'), 'half a pic');
  t.deepEqual(((await Readable.from(store.list()).toArray()) as string[]).toSorted(), keys);
});

test('the folder is made when it is missing', async (t) => {
  const folder = join(await aFolder(), 'not', 'yet');
  await createDiskImageStore(folder).put('a/b.jpg', Buffer.from('x'));
  t.true(await createDiskImageStore(folder).has('a/b.jpg'));
});
