import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import { writeToPlace } from '../../gateways/image-process/write-to-place.ts';
import { ImageNotStored, type ImageStore } from '../../gateways/image-store/port.ts';
import { fileSystemTime, present } from '../support/clock.ts';

const aKey = (): string => `${randomUUID()}/${randomBytes(32).toString('hex')}/large.jpg`;

type Declare = (title: string, run: (t: ExecutionContext) => Promise<void>) => void;

/** What every image store must do. `open` makes (or reaches) the store under test; every test uses keys of its own. */
export function imageStoreConformance(test: Declare, name: string, open: () => Promise<ImageStore>): void {
  test(`${name}: what was put is read back byte for byte`, async (t) => {
    const store = await open();
    const key = aKey();
    const bytes = randomBytes(200_000);
    await store.put(key, bytes);
    t.deepEqual(await store.read(key), bytes);
    t.true(await store.has(key));
  });

  test(`${name}: what a process without the store's key wrote at the place of a key is read under it, also over an older file`, async (t) => {
    const store = await open();
    const key = aKey();
    for (const bytes of [randomBytes(200_000), randomBytes(100)]) {
      await writeToPlace(await store.place(key), bytes);
      t.deepEqual(await store.read(key), bytes);
    }
  });

  test(`${name}: what is not there is told as such`, async (t) => {
    const store = await open();
    const key = aKey();
    for (const look of [store.read(key), store.stat(key), store.open(key), store.open(key, { start: 0, end: 1 })])
      await t.throwsAsync(look, { instanceOf: ImageNotStored });
    t.false(await store.has(key));
  });

  test(`${name}: an image is sent on as a stream, whole or a range of it, with what is known of it`, async (t) => {
    const store = await open();
    const key = aKey();
    const bytes = randomBytes(300_000);
    const before = fileSystemTime().getTime();
    await store.put(key, bytes);
    const { content, ...facts } = await store.open(key);
    t.deepEqual(await buffer(content), bytes);
    t.is(facts.bytes, bytes.length);
    t.regex(facts.tag, /^[\w.-]+$/);
    // A store may know seconds only.
    t.true(facts.storedAt.getTime() >= before - 1_000 && facts.storedAt <= fileSystemTime());
    t.deepEqual(await store.stat(key), facts);
    for (const range of [
      { start: 0, end: 0 },
      { start: 1_000, end: 250_000 },
      { start: 299_999, end: 299_999 },
    ]) {
      const part = await store.open(key, range);
      t.deepEqual(await buffer(part.content), bytes.subarray(range.start, range.end + 1));
      t.deepEqual({ bytes: part.bytes, tag: part.tag }, { bytes: facts.bytes, tag: facts.tag });
    }
  });

  test(`${name}: other bytes under the same key have another tag`, async (t) => {
    const store = await open();
    const key = aKey();
    await store.put(key, Buffer.from('one'));
    const { tag } = await store.stat(key);
    await store.put(key, Buffer.from('two'));
    t.not((await store.stat(key)).tag, tag);
  });

  test(`${name}: a stream that nobody reads to its end can be destroyed, and the store goes on`, async (t) => {
    const store = await open();
    const key = aKey();
    await store.put(key, randomBytes(2_000_000));
    for (let n = 0; n < 20; n += 1) {
      const { content } = await store.open(key);
      await once(content, 'readable');
      content.destroy();
      await once(content, 'close');
    }
    t.is((await store.read(key)).length, 2_000_000);
  });

  test(`${name}: it can say that it works`, async (t) => {
    const store = await open();
    await store.put(aKey(), Buffer.from('x'));
    await t.notThrowsAsync(store.check());
  });

  test(`${name}: putting the same key again is harmless, also many times at once`, async (t) => {
    const store = await open();
    const key = aKey();
    const bytes = randomBytes(50_000);
    await Promise.all(Array.from({ length: 20 }, () => store.put(key, bytes)));
    t.deepEqual(await store.read(key), bytes);
  });

  test(`${name}: a reader never sees half an image`, async (t) => {
    const store = await open();
    const key = aKey();
    const bytes = randomBytes(2_000_000);
    const writing = store.put(key, bytes);
    while (!(await store.has(key))) await new Promise((resolve) => setImmediate(resolve));
    t.is((await store.read(key)).length, bytes.length);
    await writing;
  });

  test(`${name}: a removed image is gone, its sibling stays, and removing again succeeds`, async (t) => {
    const store = await open();
    const key = aKey();
    const sibling = key.replace('large', 'thumb');
    await Promise.all([store.put(key, Buffer.from('a')), store.put(sibling, Buffer.from('b'))]);
    await store.remove(key);
    await store.remove(key);
    t.false(await store.has(key));
    t.is((await store.read(sibling)).toString(), 'b');
  });

  test(`${name}: clearing leftovers touches no image, not even one that is being put`, async (t) => {
    const store = await open();
    const key = aKey();
    const longAgo = present(-60_000);
    const [, removed] = await Promise.all([store.put(key, randomBytes(500_000)), store.removeLeftovers(longAgo)]);
    t.is(removed, 0);
    t.true(await store.has(key));
    t.is(await store.removeLeftovers(present(60_000)), 0);
    t.true(await store.has(key));
  });

  test(`${name}: putting and removing neighbours at once loses nothing that was put`, async (t) => {
    const store = await open();
    const folder = aKey().replace(/\/large\.jpg$/, '');
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const key = `${folder}/${index}.jpg`;
        await store.put(key, Buffer.from(String(index)));
        if (index % 2 === 0) await store.remove(key);
        t.is(await store.has(key), index % 2 === 1, key);
      }),
    );
  });

  test(`${name}: a key can't leave the store or hide in it`, async (t) => {
    const store = await open();
    const bad = [
      '../x.jpg',
      'a/../../x.jpg',
      '/etc/passwd',
      'a//b.jpg',
      '.hidden/x.jpg',
      'a/.x.jpg',
      'a\\..\\x.jpg',
      'a/%2e%2e/x.jpg',
      'a\0.jpg',
      '',
      'a/',
      'x'.repeat(300),
    ];
    for (const key of bad) {
      for (const write of [store.put(key, Buffer.from('x')), store.place(key)])
        await t.throwsAsync(write, { message: /not an image key/ }, key);
      for (const look of [store.read(key), store.stat(key), store.open(key)])
        await t.throwsAsync(look, { instanceOf: ImageNotStored }, key);
      t.false(await store.has(key), key);
      await t.notThrowsAsync(store.remove(key), key);
    }
  });
}
