import test from 'ava';
import { createDiskImageStore } from '../../gateways/image-store/disk-image-store.ts';
import { createMovingImageStore } from '../../gateways/image-store/moving-image-store.ts';
import type { ImageStore } from '../../gateways/image-store/port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { imageStoreConformance } from './image-store-conformance.ts';

function twoStores(): { present: ImageStore; former: ImageStore; moving: ImageStore } {
  const [present, former] = [
    createDiskImageStore(temporaryFolder('new')),
    createDiskImageStore(temporaryFolder('old')),
  ];
  return { present, former, moving: createMovingImageStore({ present, former }) };
}

imageStoreConformance(test, 'moving', async () => twoStores().moving);

const key = 'account/hash/large.jpg';

test('a new image is stored in the present store alone', async (t) => {
  const { present, former, moving } = twoStores();
  await moving.put(key, Buffer.from('new'));
  t.deepEqual([await present.has(key), await former.has(key)], [true, false]);
});

test('an image is found wherever it is, and the present store goes first', async (t) => {
  const { present, former, moving } = twoStores();
  await former.put(key, Buffer.from('old'));
  t.is((await moving.read(key)).toString(), 'old');
  t.true(await moving.has(key));
  t.is((await moving.stat(key)).bytes, 3);
  await present.put(key, Buffer.from('newer'));
  t.is((await moving.read(key)).toString(), 'newer');
  t.is((await moving.stat(key)).bytes, 5);
});

test('an image that is moved between two looks is found', async (t) => {
  const { present, former } = twoStores();
  await former.put(key, Buffer.from('picture'));
  let looks = 0;
  const moving = createMovingImageStore({
    present: {
      ...present,
      read: async (wanted) => {
        looks += 1;
        if (looks > 1) return present.read(wanted);
        const missed = await present.read(wanted).catch((error: unknown) => error);
        await present.put(key, Buffer.from('picture'));
        await former.remove(key);
        throw missed;
      },
    },
    former,
  });
  t.is((await moving.read(key)).toString(), 'picture');
});

test('what is removed is gone from both', async (t) => {
  const { present, former, moving } = twoStores();
  await Promise.all([present.put(key, Buffer.from('x')), former.put(key, Buffer.from('x'))]);
  await moving.remove(key);
  t.deepEqual([await present.has(key), await former.has(key)], [false, false]);
});
