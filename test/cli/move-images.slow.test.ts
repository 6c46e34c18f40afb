import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import test from 'ava';
import type { ItemId } from '../../features/rules/ids.ts';
import { createDiskImageStore } from '../../gateways/image-store/disk-image-store.ts';
import { createMovingImageStore } from '../../gateways/image-store/moving-image-store.ts';
import { createS3ImageStore } from '../../gateways/image-store/s3-image-store.ts';
import { runItembridge, startItembridge } from './support/run-itembridge.ts';
import { startS3Server } from '../support/s3-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testMongodbUri } from '../support/open-test-store.ts';
import { until } from '../support/until.ts';
import { anAccount, day, missingImages, startImageWorld } from '../support/image-world.ts';
import { present } from '../support/clock.ts';

// The command as a process of its own, to a real S3 server, beside a service that goes on.

const server = await startS3Server();
test.after.always(() => server.close());
if (server.problem !== undefined)
  console.log(`skipped: moving images to a real S3 server, because there is none: ${server.problem}`);
const testOnServer = server.problem === undefined ? test : test.skip;

const imageFilesIn = async (folder: string): Promise<number> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.jpg')).length;

/** A service whose images lie in a folder, told of a new bucket; what the command is given. */
async function aMovingService() {
  const [{ settings, folder }, formerFolder] = [await server.bucket(randomUUID()), temporaryFolder('old')];
  const former = createDiskImageStore(formerFolder);
  const imageStore = createMovingImageStore({ present: createS3ImageStore(settings), former });
  const world = await startImageWorld(undefined, { imageStore, folder });
  // The command has the machine's clock.
  world.pass(present(-2 * day).getTime() - world.now().getTime());
  const { endpoint, bucket, credentials } = settings;
  const env = {
    MONGODB_URI: testMongodbUri(),
    MONGODB_DATABASE: world.database,
    IMAGE_STORE: 's3',
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    IMAGE_STORE_FORMER_DIR: formerFolder,
    S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
    S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
  };
  return { world, env, former, bucketFolder: folder, formerFolder };
}

testOnServer(
  'killed again and again, beside uploads and a collector, it ends with every image in the bucket',
  async (t) => {
    const { world, env, former, bucketFolder, formerFolder } = await aMovingService();
    const account = anAccount();
    const hosted = (bytes: string) => world.item({ account, bytes: [bytes] });
    const ids: ItemId[] = [];
    for (let n = 0; n < 200; n += 1) {
      const id = await hosted(`picture ${n}`);
      await world.upload(id, { imageStore: former });
      ids.push(id);
    }
    world.pass(day + 1);
    const unwanted = ids.splice(0, 60);

    let isOver = false;
    const service = (async () => {
      for (let n = 0; !isOver || unwanted.length > 0; n += 1) {
        const id = await hosted(`fresh ${n % 40}`);
        ids.push(id);
        await world.upload(id);
        // Its image goes at once, unless the command has claimed it.
        for (const removed of unwanted.splice(0, 1)) await world.remove(removed);
        await world.collect();
      }
    })();
    for (let kill = 1; kill <= 3; kill += 1) {
      const { child, done } = startItembridge(['move-images', '--delete'], { env });
      // A folder that goes while it is listed is no answer yet.
      const left = (): Promise<number> => imageFilesIn(formerFolder).catch(() => Infinity);
      await until('it has moved some', async () => (await left()) < 400 - kill * 80);
      t.is(child.exitCode, null, 'it is not ready');
      child.kill('SIGKILL');
      await done;
      for (const id of ids.slice(0, 20)) t.deepEqual(await missingImages(world, id), [], 'served throughout');
    }
    const { code, stdout, stderr } = await runItembridge(['move-images', '--delete'], { env });
    isOver = true;
    await service;
    t.is(code, 0, stderr);
    t.regex(
      stdout,
      /^\d+ files? of \d+ images? copied \(\d+\.\d MB\), \d+ files? already there\.\nAll of .* is in the bucket\.\n$/,
    );
    t.like(JSON.parse(stderr.trim().split('\n').at(-1) ?? ''), { phase: 'move', unit: 'images', secondsLeft: 0 });
    t.is(await imageFilesIn(formerFolder), 0);
    for (const id of ids) t.deepEqual(await missingImages(world, id), []);

    // What no item refers to goes, wherever the move and the collector met.
    world.pass(3 * day);
    await world.collectAll();
    const hashes = new Set(
      (await Promise.all(ids.map((id) => world.find(id)))).flatMap(({ imageSet }) =>
        imageSet.images.map((image) => image.contentHash),
      ),
    );
    t.is(await imageFilesIn(bucketFolder), 2 * hashes.size);
    await world.close();
  },
);

testOnServer('Ctrl-C stops it with what it has done, and the same command goes on', async (t) => {
  const { world, env, former, bucketFolder } = await aMovingService();
  for (let n = 0; n < 200; n += 1)
    await world.upload(await world.item({ bytes: [`picture ${n}`] }), { imageStore: former });
  const { child, done } = startItembridge(['move-images'], { env });
  await until('it has begun', async () => (await imageFilesIn(bucketFolder)) > 10);
  child.kill('SIGINT');
  const { code, stderr } = await done;
  t.is(code, 130);
  t.regex(stderr, /Stopped\. \d+ files of \d+ images copied .* The same command goes on\.\n$/);
  const again = await runItembridge(['move-images', '--quiet'], { env });
  t.is(again.code, 0, again.stderr);
  t.regex(again.stdout, / [1-9]\d* files? already there/);
  t.is(await imageFilesIn(bucketFolder), 400);
  await world.close();
});

testOnServer('it begins nothing while the service would not find what was moved, and says what to set', async (t) => {
  const { world, env } = await aMovingService();
  for (const [settings, message] of [
    [{ ...env, IMAGE_STORE: 'disk' }, /^First let the service use the bucket: IMAGE_STORE=s3/m],
    [{ ...env, IMAGE_STORE_FORMER_DIR: '' }, /^First let the service use the bucket/m],
    [{ ...env, IMAGE_STORE_FORMER_DIR: '/no/such/folder' }, /^\/no\/such\/folder is no folder/m],
    [{ ...env, S3_BUCKET: '' }, /S3_BUCKET \(or S3_BUCKET_FILE\) is missing/],
    [{ ...env, S3_BUCKET: 'no-such-bucket' }, /the image store failed: Not ?Found \(404\)/],
  ] as const) {
    const { code, stdout, stderr } = await runItembridge(['move-images'], { env: settings });
    t.not(code, 0);
    t.is(stdout, '');
    t.regex(stderr.replace(/^\(node[^]*?was created\)\n/, ''), message);
    t.false(stderr.includes(env.S3_SECRET_ACCESS_KEY));
  }
  await world.close();
});
