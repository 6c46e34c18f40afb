import test from 'ava';
import { anAccount, day, startImageWorld } from '../support/image-world.ts';
import { present } from '../support/clock.ts';

test('an image beyond the quota fails with that reason, others of the account and other accounts go on', async (t) => {
  const world = await startImageWorld({ itemsMax: 1, imagesMax: 2, imageBytesMax: 1_000 });
  t.teardown(() => world.close());
  const account = anAccount();
  await world.uploadAll(await world.item({ account, bytes: ['one', 'two'] }));
  const id = await world.item({ account, bytes: ['three', 'two'] });
  await world.uploadAll(id);
  const { images } = (await world.find(id)).imageSet;
  t.like(images, [
    { state: 'failed', failure: { kind: 'quota_exceeded', detail: '2 of at most 2 images' } },
    { state: 'hosted' },
  ]);
  const other = await world.item({ bytes: ['three'] });
  await world.uploadAll(other);
  t.is((await world.find(other)).imageSet.images[0]?.state, 'hosted');
});

test('the bytes of both sizes count, each image once, and go with the image', async (t) => {
  const world = await startImageWorld({ itemsMax: 1, imagesMax: 100, imageBytesMax: 30 });
  t.teardown(() => world.close());
  const account = anAccount();
  const first = await world.item({ account, bytes: ['one'] });
  await world.uploadAll(first);
  await world.uploadAll(await world.item({ account, bytes: ['one', 'two'] }));
  // "large of one" and "thumb of one" have 12 bytes each.
  t.deepEqual(await world.imageUse(account), { images: 2, bytes: 48 });
  const late = await world.item({ account, bytes: ['three'] });
  await world.uploadAll(late);
  t.is((await world.find(late)).imageSet.images[0]?.failure?.detail, '48 of at most 30 bytes');
  await world.change(first, { current: false, removedAt: world.now(), purgeAt: present(90 * day) });
  world.pass(2 * day);
  await world.collectAll();
  t.deepEqual(await world.imageUse(account), { images: 2, bytes: 48 }, 'another item holds the image');
});

test('what is collected leaves its room', async (t) => {
  const world = await startImageWorld();
  t.teardown(() => world.close());
  const account = anAccount();
  const id = await world.item({ account, bytes: ['one'] });
  await world.uploadAll(id);
  t.deepEqual(await world.imageUse(account), { images: 1, bytes: 24 });
  await world.remove(id);
  world.pass(2 * day);
  await world.collectAll();
  t.deepEqual(await world.imageUse(account), { images: 0, bytes: 0 });
});
