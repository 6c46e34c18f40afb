import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { callApi, createPeople, type ApiWorld, type TestAccount } from '../support/api-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { startServedWorld, type ServedWorld } from '../support/served-world.ts';
import { callAdmin } from '../support/world.ts';

/** The partner's image server shows the files of this folder. */
const folder = temporaryFolder('shop');
const show = (picture: string, name: string): Promise<void> =>
  copyFile(join('examples/catalogue/images', picture), join(folder, name));

let world: ServedWorld;
test.before(async () => {
  world = await startServedWorld({ imageFolder: folder });
});
test.after.always(async () => {
  await world.stop();
});

const call: ApiWorld['call'] = (method, path, options = {}) => callApi(world.api.url, { method, path, ...options });
const aPartner = (): Promise<TestAccount> =>
  createPeople({ call, grant: () => Promise.reject(new Error('there are no resellers here')) }).account();

interface Image {
  readonly state: string;
  readonly url: string | null;
  readonly reason: string | null;
}

/** Of the item, when all are decided. */
const imagesOf = ({ token }: TestAccount, externalId: string): Promise<readonly Image[]> =>
  until('every image is decided', async () => {
    const { body } = await call('GET', `/partner/items/${externalId}`, { token });
    const { images } = body as { images: Image[] };
    return images.every(({ state }) => state !== 'pending') && images;
  });

async function push({ apiKey }: TestAccount, externalId: string, fields: object): Promise<unknown> {
  const body = { title: 'Fågelholk', price: 100, ...fields };
  return (await call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body })).body;
}

test('a push with refreshImages fetches what is new under the same addresses; one without it fetches nothing', async (t) => {
  const partner = await aPartner();
  await Promise.all([show('bakljus-1.jpg', 'front.jpg'), show('gitarr-1.jpg', 'back.jpg')]);
  const imageUrls = ['front', 'back'].map((name) => `${world.images.url}/${name}.jpg`);
  await push(partner, 'holk', { imageUrls });
  const first = await imagesOf(partner, 'holk');
  t.deepEqual(
    first.map(({ state }) => state),
    ['hosted', 'hosted'],
  );
  await show('kangor-1.jpg', 'front.jpg');
  t.like(await push(partner, 'holk', { imageUrls }), { message: 'Item updated (unchanged)' });
  t.deepEqual(await imagesOf(partner, 'holk'), first);
  t.like(await push(partner, 'holk', { imageUrls, refreshImages: true }), { message: 'Item updated' });
  const [front, back] = await imagesOf(partner, 'holk');
  t.is(front?.state, 'hosted');
  t.not(front?.url, first[0]?.url);
  t.deepEqual(back, first[1], 'the same bytes are the same image');
  const served = await fetch(`${world.api.url}${new URL(front?.url ?? '').pathname}`);
  t.is(served.status, 200);
  t.is(served.headers.get('content-type'), 'image/jpeg');
});

// specification: sent-again-failed-images
test('the same push sent again has its failed images tried again, and the others left alone', async (t) => {
  const partner = await aPartner();
  await Promise.all([show('volvo-240-1.jpg', 'there.jpg'), show('moped-3.jpg', 'late.jpg')]);
  const imageUrls = ['there', 'late'].map((name) => `${world.images.url}/${name}.jpg`);
  await callAdmin(`${world.images.adminUrl}/faults`, 'POST', { path: 'late', mode: 'status', status: 401, times: 1 });
  await push(partner, 'again', { imageUrls });
  const [there, late] = await imagesOf(partner, 'again');
  t.is(there?.state, 'hosted');
  t.like(late, {
    state: 'failed',
    url: null,
    reason: 'the image server gives no access: the image must be public (HTTP 401)',
  });
  // It would be found missing, were it fetched again.
  await callAdmin(`${world.images.adminUrl}/faults`, 'POST', { path: 'there', mode: 'status', status: 404 });
  await push(partner, 'again', { imageUrls });
  const images = await imagesOf(partner, 'again');
  t.deepEqual(images[0], there);
  t.like(images[1], { state: 'hosted', reason: null });
  t.like(await push(partner, 'again', { imageUrls }), { message: 'Item updated (unchanged)' });
});
