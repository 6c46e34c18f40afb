import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { createDiskImageStore } from '../../gateways/image-store/disk-image-store.ts';
import { createMovingImageStore } from '../../gateways/image-store/moving-image-store.ts';
import { ImageStoreUnavailable, type ImageStore } from '../../gateways/image-store/port.ts';
import { countImages, moveImages, type MoveCounts, type MoveDependencies } from '../../features/images/move-images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  anAccount,
  Crash,
  crashAt,
  day,
  gateBefore,
  intercept,
  missingImages,
  startImageWorld,
  type ImageWorld,
} from '../support/image-world.ts';

/** A service whose images lie in a folder, and which was told of the other store. */
interface MovingWorld extends ImageWorld {
  readonly former: ImageStore;
  readonly present: ImageStore;
  readonly formerFolder: string;
  move(options?: {
    deletes?: boolean;
    signal?: AbortSignal;
    onImage?: (counts: MoveCounts) => void;
    ports?: Partial<MoveDependencies>;
  }): Promise<MoveCounts>;
}

async function withMovingWorld(t: ExecutionContext, run: (world: MovingWorld) => Promise<void>): Promise<void> {
  const [folder, formerFolder] = [temporaryFolder('new'), temporaryFolder('old')];
  const [present, former] = [createDiskImageStore(folder), createDiskImageStore(formerFolder)];
  const imageStore = createMovingImageStore({ present, former });
  const world = await startImageWorld(undefined, { imageStore, folder });
  const { imageRecords } = world.ports;
  const never = new AbortController().signal;
  try {
    await run({
      ...world,
      former,
      present,
      formerFolder,
      move: ({ deletes = false, signal = never, onImage = () => undefined, ports } = {}) =>
        moveImages({ imageRecords, from: former, to: present, now: world.now, ...ports }, { deletes, signal, onImage }),
    });
  } finally {
    await world.close();
  }
}

/** Items with one image each, hosted before the service was told of the other store. */
async function hostedBefore(world: MovingWorld, count: number) {
  const account = anAccount();
  const ids = await Promise.all(
    Array.from({ length: count }, (_, n) => world.item({ account, bytes: [`picture ${n}`] })),
  );
  for (const id of ids) await world.upload(id, { imageStore: world.former });
  return ids;
}

const keysOf = async (store: ImageStore): Promise<string[]> =>
  ((await Readable.from(store.list()).toArray()) as string[]).toSorted();

test('every image is copied with all its files, byte for byte, and the folder keeps them', async (t) =>
  withMovingWorld(t, async (world) => {
    await hostedBefore(world, 5);
    const keys = await keysOf(world.former);
    t.is(keys.length, 10);
    t.is(await countImages(world.former), 5);
    t.like(await world.move(), { moved: 5, copiedFiles: 10, knownFiles: 0, beingDeleted: 0, foreignFiles: 0 });
    t.deepEqual(await keysOf(world.present), keys);
    t.deepEqual(await keysOf(world.former), keys);
    for (const key of keys) t.deepEqual(await world.present.read(key), await world.former.read(key));
  }));

test('when it is to delete, the folder is empty afterwards', async (t) =>
  withMovingWorld(t, async (world) => {
    const ids = await hostedBefore(world, 3);
    await world.move({ deletes: true });
    t.deepEqual(await keysOf(world.former), []);
    t.is((await keysOf(world.present)).length, 6);
    for (const id of ids) t.deepEqual(await missingImages(world, id), []);
  }));

test('once more, it copies nothing that is there', async (t) =>
  withMovingWorld(t, async (world) => {
    await hostedBefore(world, 3);
    await world.move();
    const to = intercept(world.present, async (method) => {
      t.not(method, 'put');
    });
    t.like(await world.move({ ports: { to } }), { moved: 3, copiedFiles: 0, knownFiles: 6 });
  }));

test('what the service stores meanwhile goes to the other store, and what it had is found throughout', async (t) =>
  withMovingWorld(t, async (world) => {
    const ids = await hostedBefore(world, 4);
    const { port: to, gate } = gateBefore(world.present, 'put');
    const moving = world.move({ deletes: true, ports: { to } });
    await gate.reached;
    for (const id of ids) t.deepEqual(await missingImages(world, id), [], 'in the middle of it');
    const fresh = await world.item({ bytes: ['fresh'] });
    await world.upload(fresh);
    gate.open();
    await moving;
    for (const id of [...ids, fresh]) t.deepEqual(await missingImages(world, id), []);
    t.deepEqual(await keysOf(world.former), []);
    t.is((await keysOf(world.present)).length, 10);
  }));

test('an image that a collector deletes just then is left alone, and no copy of it stays', async (t) =>
  withMovingWorld(t, async (world) => {
    const [id] = await hostedBefore(world, 1);
    if (id === undefined) return t.fail();
    await world.remove(id);
    world.pass(day + 1);
    const { port: imageStore, gate } = gateBefore(world.ports.imageStore, 'remove');
    const collecting = world.collect({ imageStore });
    await gate.reached;
    t.like(await world.move(), { moved: 0, copiedFiles: 0, beingDeleted: 1 });
    gate.open();
    await collecting;
    t.like(await world.move(), { moved: 0, beingDeleted: 0 });
    t.deepEqual([await keysOf(world.present), await keysOf(world.former), await world.records()], [[], [], []]);
  }));

test('an image that is being copied is not collected meanwhile, and goes from both stores later', async (t) =>
  withMovingWorld(t, async (world) => {
    const [id] = await hostedBefore(world, 1);
    if (id === undefined) return t.fail();
    await world.remove(id);
    world.pass(day + 1);
    const { port: to, gate } = gateBefore(world.present, 'put');
    const moving = world.move({ ports: { to } });
    await gate.reached;
    await world.collectAll();
    t.is((await keysOf(world.former)).length, 2, 'its claim counts for a day');
    gate.open();
    await moving;
    t.is((await keysOf(world.present)).length, 2);
    world.pass(day + 1);
    await world.collectAll();
    t.deepEqual([await keysOf(world.present), await keysOf(world.former), await world.records()], [[], [], []]);
  }));

for (const deletes of [false, true])
  for (let n = 0; n < 6; n += 1)
    test(`a process that dies at its write ${n + 1} leaves nothing half, and the next one ends it (deletes: ${deletes})`, async (t) =>
      withMovingWorld(t, async (world) => {
        const ids = await hostedBefore(world, 3);
        const to = crashAt(world.present, 'put', n);
        await t.throwsAsync(world.move({ deletes, ports: { to } }), { instanceOf: Crash });
        for (const id of ids) t.deepEqual(await missingImages(world, id), [], 'before');
        await world.move({ deletes });
        t.is((await keysOf(world.present)).length, 6);
        t.is((await keysOf(world.former)).length, deletes ? 0 : 6);
      }));

test('it stops between two images when it is asked to, and tells how far it came', async (t) =>
  withMovingWorld(t, async (world) => {
    await hostedBefore(world, 40);
    const stopping = new AbortController();
    const told: number[] = [];
    const counts = await world.move({
      signal: stopping.signal,
      onImage: ({ moved }) => {
        told.push(moved);
        if (moved === 3) stopping.abort();
      },
    });
    t.true(counts.moved >= 3 && counts.moved < 40);
    t.deepEqual(
      told,
      [...told.keys()].map((n) => n + 1),
    );
    t.is((await keysOf(world.present)).length, 2 * counts.moved, 'those begun are whole');
    t.is((await world.move()).knownFiles, 2 * counts.moved);
    t.is((await keysOf(world.present)).length, 80);
  }));

test('a store that fails ends it with that fault, begins no other image and closes the list of the folder', async (t) =>
  withMovingWorld(t, async (world) => {
    await hostedBefore(world, 30);
    let isListing = false;
    const from: ImageStore = {
      ...world.former,
      list: async function* () {
        isListing = true;
        try {
          yield* world.former.list();
        } finally {
          isListing = false;
        }
      },
    };
    let puts = 0;
    const to = intercept(world.present, async (method) => {
      if (method === 'put') puts += 1;
      if (puts >= 3) throw new ImageStoreUnavailable('full', undefined);
    });
    await t.throwsAsync(world.move({ deletes: true, ports: { from, to } }), { message: /full/ });
    t.false(isListing);
    const kept = await keysOf(world.former);
    t.deepEqual([...new Set([...kept, ...(await keysOf(world.present))])].length, 60, 'nothing is lost');
    await world.move({ deletes: true });
    t.is((await keysOf(world.present)).length, 60);
  }));

test('files that are no images of ours are left where they are', async (t) =>
  withMovingWorld(t, async (world) => {
    await hostedBefore(world, 1);
    const [key = ''] = await keysOf(world.former);
    await writeFile(join(world.formerFolder, 'notes.txt'), 'x');
    await writeFile(join(world.formerFolder, key.replace('large', 'huge')), 'x');
    t.like(await world.move({ deletes: true }), { moved: 1, copiedFiles: 2, foreignFiles: 2 });
    t.is((await keysOf(world.former)).length, 2);
    t.is((await keysOf(world.present)).length, 2);
  }));
