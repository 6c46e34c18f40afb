import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { until } from '../support/until.ts';
import { untilMarketplaceStatus, withWorld, type World } from '../support/world.ts';

let world: World;
withWorld(test, (started) => (world = started));

test('an item whose hosted file was lost before its publication fetches it again and goes up with all its images', async (t) => {
  const pictures = await readdir('examples/catalogue/images');
  const imageUrls = pictures.slice(0, 3).map((name) => `${world.images.url}/${name}`);
  const account = await world.account({ connected: false });
  await account.push('A1', { imageUrls }, { autoPublish: true });
  // Hosted, and held up where it would read the files.
  await until('the publication waits', async () => (await account.received('listing.failed')).length === 1);
  const item = await world.foundation.store.connection.collection('items').findOne({ accountId: account.id });
  const { images } = (item?.['imageSet'] ?? { images: [] }) as { images: { contentHash: string }[] };
  const folder = join(world.foundation.config.imageStore.directory, account.id);
  const lost = join(folder, images[1]?.contentHash ?? '', 'large.jpg');
  await rm(lost);
  await account.connect();
  await untilMarketplaceStatus(account, 'A1', 'active');
  const published = (await account.listings('A1')).filter(({ state }) => state !== 'uncommitted');
  t.deepEqual(
    published.map(({ state, imageCount }) => [state, imageCount]),
    [['active', 3]],
  );
  await t.notThrowsAsync(access(lost));
  t.is((await account.received('listing.failed')).length, 1, 'it was mended before anybody had to be told');
  t.is((await account.received('item.images_ready')).length, 1, 'the set of images is the same');
});
