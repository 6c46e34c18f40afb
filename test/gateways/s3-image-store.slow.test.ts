import { randomUUID } from 'node:crypto';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import test from 'ava';
import { loadImageStoreConfig } from '../../compose/config.ts';
import { openImageStore } from '../../compose/image-store.ts';
import { createDiskImageStore } from '../../gateways/image-store/disk-image-store.ts';
import { createS3ImageStore } from '../../gateways/image-store/s3-image-store.ts';
import { writeToPlace } from '../../gateways/image-process/write-to-place.ts';
import { ImageStoreUnavailable } from '../../gateways/image-store/port.ts';
import { imageStoreConformance } from './image-store-conformance.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startS3Server } from '../support/s3-server.ts';

const server = await startS3Server();
test.after.always(() => server.close());
if (server.problem !== undefined)
  console.log(`skipped: the image store on a real S3 server, because there is none: ${server.problem}`);
const testOnServer = server.problem === undefined ? test : test.skip;

const { settings } = await server.bucket('images');
const store = createS3ImageStore(settings);

imageStoreConformance(testOnServer, 'S3', async () => store);

testOnServer('an object carries what a CDN or a public bucket needs to serve it: type and caching', async (t) => {
  const [put, placed] = [`${randomUUID()}/hash/large.jpg`, `${randomUUID()}/hash/large.jpg`];
  await store.put(put, Buffer.from('picture'));
  await writeToPlace(await store.place(placed), Buffer.from('picture'));
  const { endpoint, region, bucket, credentials } = settings;
  const client = new S3Client({ endpoint, region, forcePathStyle: true, ...(credentials && { credentials }) });
  for (const Key of [put, placed]) {
    const { ContentType, CacheControl } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key }));
    t.deepEqual([ContentType, CacheControl], ['image/jpeg', 'public, max-age=31536000, immutable']);
  }
});

testOnServer('an address that was signed takes its own key, by PUT and as a JPEG, and shows no secret', async (t) => {
  const key = `${randomUUID()}/hash/large.jpg`;
  const place = await store.place(key);
  if (place.kind !== 'address') throw new Error('a bucket has addresses');
  t.false(place.url.includes('test-secret'));
  const send = async (url: string, method: string, type: string): Promise<number> =>
    (await fetch(url, { method, headers: { 'content-type': type }, ...(method === 'PUT' && { body: 'x' }) })).status;
  t.is(await send(place.url, 'PUT', 'text/html'), 403);
  t.is(await send(place.url.replace('large', 'thumb'), 'PUT', 'image/jpeg'), 403);
  t.is(await send(place.url, 'DELETE', 'image/jpeg'), 403);
  t.false(await store.has(key));
  t.is(await send(place.url, 'PUT', 'image/jpeg'), 200);
  t.true(await store.has(key));
});

testOnServer('a bucket that is missing is a fault of the store, never an image that is not there', async (t) => {
  const store = createS3ImageStore(server.noBucket);
  const failure = { instanceOf: ImageStoreUnavailable, message: /NoSuchBucket|NotFound/ };
  await t.throwsAsync(store.check(), failure);
  await t.throwsAsync(store.put('a/b/large.jpg', Buffer.from('x')), failure);
  await t.throwsAsync(store.read('a/b/large.jpg'), failure);
});

testOnServer('a wrong secret is a fault of the store, whose message says so and shows no secret', async (t) => {
  const secretAccessKey = 'a-wrong-secret';
  const wrong = createS3ImageStore({ ...settings, credentials: { accessKeyId: 'test-key', secretAccessKey } });
  const error = await t.throwsAsync(wrong.read('a/b/large.jpg'), { instanceOf: ImageStoreUnavailable });
  t.regex(error.message, /SignatureDoesNotMatch \(403\)/);
  t.false(JSON.stringify([error, error.cause, error.stack]).includes(secretAccessKey));
  await t.throwsAsync(wrong.has('a/b/large.jpg'), { instanceOf: ImageStoreUnavailable });
  await t.throwsAsync(wrong.check(), { instanceOf: ImageStoreUnavailable, message: /403/ });
});

testOnServer(
  'as the service is configured while images are moved, those in the bucket and those in the folder are found',
  async (t) => {
    const folder = temporaryFolder('images');
    const { endpoint, credentials } = settings;
    const moving = await openImageStore(
      loadImageStoreConfig({
        IMAGE_STORE: 's3',
        S3_ENDPOINT: endpoint,
        S3_BUCKET: settings.bucket,
        IMAGE_STORE_FORMER_DIR: folder,
        S3_ACCESS_KEY_ID: credentials?.accessKeyId,
        S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey,
      }),
    );
    const [inFolder, inBucket] = [`${randomUUID()}/hash/large.jpg`, `${randomUUID()}/hash/large.jpg`];
    await createDiskImageStore(folder).put(inFolder, Buffer.from('old'));
    await moving.put(inBucket, Buffer.from('new'));
    t.true(await store.has(inBucket));
    t.is((await moving.read(inFolder)).toString(), 'old');
    t.is((await moving.read(inBucket)).toString(), 'new');
    await t.notThrowsAsync(moving.check());
  },
);
