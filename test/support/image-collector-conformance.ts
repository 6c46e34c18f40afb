import type { ExecutionContext } from 'ava';
import type { AccountId, ItemId } from '../../features/rules/ids.ts';
import {
  anAccount,
  Crash,
  crashAt,
  day,
  gateBefore,
  hashOf,
  hour,
  intercept,
  missingImages,
  urlOf,
  type ImageWorld,
} from './image-world.ts';

const minute = 60_000;

/** An item with one hosted image, deleted so long ago that its image can be collected. */
async function anAbandonedImage(world: ImageWorld) {
  const account = anAccount();
  const id = await world.item({ account });
  await world.upload(id);
  await world.remove(id);
  world.pass(day + 1);
  return { account, id };
}

/** An upload stands before `method` with its files stored; days later a collector voids its claim, deletes the files and dies. */
async function anOvertakenUpload<Port extends 'items' | 'imageClaims'>(
  world: ImageWorld,
  port: Port,
  method: keyof ImageWorld['ports'][Port] & string,
) {
  const account = anAccount();
  const id = await world.item({ account });
  const { port: gated, gate } = gateBefore(world.ports[port], method);
  const uploading = world.upload(id, { [port]: gated });
  await gate.reached;
  world.pass(2 * day);
  const dying = crashAt(world.ports.imageRecords, 'remove');
  await world.collect();
  // The item is there already when its claim is to be closed: this collector asked before that.
  const items = { ...world.ports.items, findReferencedImages: async () => new Set<string>() };
  await world.collect({ imageRecords: dying, items }).catch(() => undefined);
  return { account, id, gate, uploading };
}

/** The collector stands still before `method` until another item of the account has the image again. */
async function standStill<Port extends 'imageStore' | 'imageRecords'>(
  world: ImageWorld,
  account: AccountId,
  [port, method]: readonly [Port, keyof ImageWorld['ports'][Port] & string],
): Promise<ItemId> {
  const again = await world.item({ account });
  const { port: gated, gate } = gateBefore(world.ports[port], method);
  const collecting = world.collect({ [port]: gated });
  await gate.reached;
  await world.upload(again);
  gate.open();
  await collecting;
  return again;
}

type Declare = (title: string, run: (t: ExecutionContext) => Promise<void>) => void;

/**
 * What the collector and those who upload meanwhile must do on every image store. Every test has a world of its own, because a
 * collector's round goes over all accounts. One after another they use one database: mongod keeps the 140 files of each open
 * for minutes, and dies of too many.
 */
export function imageCollectorConformance(declare: Declare, name: string, start: () => Promise<ImageWorld>): void {
  const test = (title: string, run: (t: ExecutionContext, world: ImageWorld) => Promise<void>): void =>
    declare(`${name}: ${title}`, async (t) => {
      const world = await start();
      try {
        await run(t, world);
      } finally {
        await world.close();
      }
    });

  test('an image that no item holds goes, with its record, once it was unclaimed for a day', async (t, world) => {
    const account = anAccount();
    const id = await world.item({ account });
    await world.upload(id);
    const files = ['large', 'thumb'].map((size) => `${account}/${hashOf('one')}/${size}.jpg`);
    t.deepEqual(await world.files(), files);
    await world.remove(id);
    world.pass(day - 1);
    t.false(await world.collect());
    t.deepEqual(await world.files(), files);
    world.pass(1);
    t.true(await world.collect());
    t.deepEqual(await world.files(), []);
    t.deepEqual(await world.records(), []);
  });

  test('deleting an item deletes no file of an image that another item of the account holds', async (t, world) => {
    const account = anAccount();
    const [deleted, kept] = [await world.item({ account }), await world.item({ account })];
    await Promise.all([world.upload(deleted), world.upload(kept)]);
    await world.remove(deleted);
    world.pass(2 * day);
    await world.collectAll();
    t.deepEqual(await missingImages(world, kept), []);
    t.is((await world.files()).length, 2);
  });

  test('an archived item holds its images, so does a deleted one whose auction is still up and one that is to claim them again', async (t, world) => {
    const [archived, leaving, waiting] = [await world.item(), await world.item(), await world.item()];
    await Promise.all([archived, leaving, waiting].map((id) => world.upload(id)));
    await world.change(leaving, { current: false, removedAt: world.now() });
    await world.change(archived, { current: false, serviceStatus: 'archived' });
    const { imageSet } = await world.find(waiting);
    const pending = imageSet.images.map((image) => ({ ...image, state: 'pending' as const }));
    await world.change(waiting, { imageSet: { ...imageSet, images: pending } });
    world.pass(2 * day);
    await world.collectAll();
    t.is((await world.files()).length, 6);
  });

  test('the same bytes of another account are another image', async (t, world) => {
    const [one, other] = [await world.item(), await world.item()];
    await Promise.all([world.upload(one), world.upload(other)]);
    t.is((await world.files()).length, 4);
    await world.remove(one);
    world.pass(2 * day);
    await world.collectAll();
    t.is((await world.files()).length, 2);
    t.deepEqual(await missingImages(world, other), []);
  });

  test('a held image is looked at once a day, so that no number of them hides the others', async (t, world) => {
    await world.upload(await world.item());
    world.pass(day);
    t.true(await world.collect());
    t.false(await world.collect());
    world.pass(day - 1);
    t.false(await world.collect());
  });

  test('a claim between the look and the mark keeps the files', async (t, world) => {
    const { account } = await anAbandonedImage(world);
    const again = await standStill(world, account, ['imageRecords', 'mark']);
    t.deepEqual(await missingImages(world, again), []);
    t.is((await world.records())[0]?.['state'], 'stored');
  });

  test('a claim between the look and the mark keeps the files also when its item is not written yet', async (t, world) => {
    const { account } = await anAbandonedImage(world);
    const again = await world.item({ account });
    const collector = gateBefore(world.ports.imageRecords, 'mark');
    const uploader = gateBefore(world.ports.items, 'replace');
    const collecting = world.collect({ imageRecords: collector.port });
    await collector.gate.reached;
    const uploading = world.upload(again, { items: uploader.port });
    await uploader.gate.reached;
    collector.gate.open();
    await collecting;
    t.is((await world.files()).length, 2);
    uploader.gate.open();
    await uploading;
    t.is((await world.find(again)).imageSet.images[0]?.state, 'hosted');
    t.deepEqual(await missingImages(world, again), []);
  });

  test('an item that holds the image again, written between the look and the mark, keeps the files', async (t, world) => {
    const { id } = await anAbandonedImage(world);
    const { port: imageRecords, gate } = gateBefore(world.ports.imageRecords, 'mark');
    const collecting = world.collect({ imageRecords });
    await gate.reached;
    await world.change(id, { removedAt: null, purgeAt: null }); // as a late sale does, which claims nothing
    gate.open();
    await collecting;
    t.deepEqual(await missingImages(world, id), []);
    t.is((await world.records())[0]?.['state'], 'stored');
  });

  test('a claim on an image that is being deleted waits for the end and uploads again', async (t, world) => {
    const { account } = await anAbandonedImage(world);
    const again = await world.item({ account });
    const { port: imageStore, gate } = gateBefore(world.ports.imageStore, 'remove');
    const collecting = world.collect({ imageStore });
    await gate.reached;
    let looks = 0;
    const pause = async (ms: number): Promise<void> => {
      world.pass(ms);
      looks += 1;
      if (looks === 3) {
        gate.open();
        await collecting;
      }
    };
    await world.upload(again, { pause });
    t.is(looks, 3);
    t.deepEqual(await missingImages(world, again), []);
  });

  for (const [when, crash] of Object.entries({
    'before anything is deleted': (world: ImageWorld) => ({
      imageStore: crashAt(world.ports.imageStore, 'remove'),
    }),
    'with one of two files deleted': (world: ImageWorld) => ({
      imageStore: crashAt(world.ports.imageStore, 'remove', 1),
    }),
    'with its record still there': (world: ImageWorld) => ({
      imageRecords: crashAt(world.ports.imageRecords, 'remove'),
    }),
  })) {
    test(`what a collector leaves that dies ${when} is finished by the next one`, async (t, world) => {
      await anAbandonedImage(world);
      await t.throwsAsync(world.collect(crash(world)), { instanceOf: Crash });
      t.is((await world.records())[0]?.['state'], 'deleting');
      world.pass(10 * minute - 1);
      t.false(await world.collect());
      world.pass(1);
      t.true(await world.collect());
      t.deepEqual([await world.files(), await world.records()], [[], []]);
    });

    test(`an upload that meets a collector that died ${when} takes the image over`, async (t, world) => {
      const { account } = await anAbandonedImage(world);
      await t.throwsAsync(world.collect(crash(world)), { instanceOf: Crash });
      const again = await world.item({ account });
      await world.upload(again);
      t.deepEqual(await missingImages(world, again), []);
      world.pass(2 * day);
      await world.collectAll();
      t.deepEqual(await missingImages(world, again), []);
    });
  }

  test('a collector that stood still before it deleted deletes nothing any more', async (t, world) => {
    const { account } = await anAbandonedImage(world);
    const again = await world.item({ account });
    const { port, gate } = gateBefore(world.ports.imageStore, 'read');
    const imageStore = intercept(port, async (method) => {
      t.not(method, 'remove');
    });
    const collecting = world.collect({ imageStore });
    await gate.reached;
    await world.upload(again); // looks for 30 s, then takes it over
    gate.open();
    await collecting;
    t.deepEqual(await missingImages(world, again), []);
  });

  test('a collector that stood still in the very act puts back what it deleted of somebody else', async (t, world) => {
    const { account } = await anAbandonedImage(world);
    const again = await standStill(world, account, ['imageStore', 'remove']);
    t.deepEqual(await missingImages(world, again), []);
  });

  test('a collector that stood still deletes nothing that it did not see when it was in time', async (t, world) => {
    const { account } = await anAbandonedImage(world);
    const keys = await world.files();
    await world.ports.imageStore.remove(keys[1] ?? '');
    const again = await standStill(world, account, ['imageStore', 'remove']);
    t.deepEqual(await missingImages(world, again), []);
  });

  test('of two collectors that found the same image one deletes it', async (t, world) => {
    await anAbandonedImage(world);
    let removals = 0;
    const imageStore = intercept(world.ports.imageStore, async (method) => {
      if (method === 'remove') removals += 1;
    });
    const { port: imageRecords, gate } = gateBefore(world.ports.imageRecords, 'mark');
    const first = world.collect({ imageRecords, imageStore });
    await gate.reached;
    await world.collect({ imageStore });
    gate.open();
    await first;
    t.is(removals, 2);
    t.deepEqual([await world.files(), await world.records()], [[], []]);
  });

  for (const [when, port, method] of [
    ['before its files are written', 'imageStore', 'put'],
    ['before its item is written', 'items', 'replace'],
    ['before it names its images', 'imageRecords', 'name'],
    ['before it closes its claim', 'imageClaims', 'close'],
  ] as const) {
    test(`an upload that stood still for a day, ${when}, while the image was collected, ends with the image there`, async (t, world) => {
      const id = await world.item();
      const { port: gated, gate } = gateBefore(world.ports[port], method as never);
      const uploading = world.upload(id, { [port]: gated });
      await gate.reached;
      world.pass(2 * day);
      await world.collectAll();
      gate.open();
      await uploading;
      await world.uploadAll(id);
      t.is((await world.find(id)).imageSet.images[0]?.contentHash, hashOf('one'));
      t.deepEqual(await missingImages(world, id), []);
      // and what is there can be collected later
      await world.remove(id);
      world.pass(2 * day);
      await world.collectAll();
      t.deepEqual([await world.files(), await world.records()], [[], []]);
    });
  }

  test('a claim from before a deletion that broke off counts no longer, although an item holds the image', async (t, world) => {
    const { id, gate, uploading } = await anOvertakenUpload(world, 'imageClaims', 'close');
    t.deepEqual(await world.files(), []);
    world.pass(hour);
    await world.collectAll();
    gate.open();
    await uploading;
    await world.uploadAll(id);
    t.deepEqual(await missingImages(world, id), []);
    t.is((await world.files()).length, 2);
  });

  test('a claim from before a deletion counts no longer when another upload took the image over and died', async (t, world) => {
    const { account, id, gate, uploading } = await anOvertakenUpload(world, 'items', 'replace');
    const other = await world.item({ account });
    const imageStore = crashAt(world.ports.imageStore, 'put');
    await t.throwsAsync(world.upload(other, { imageStore }), { instanceOf: Crash });
    gate.open();
    await uploading;
    await world.uploadAll(id);
    t.deepEqual(await missingImages(world, id), []);
    t.is((await world.files()).length, 2);
  });

  for (const [when, crash] of Object.entries({
    'after its claim': (world: ImageWorld) => ({ imageStore: crashAt(world.ports.imageStore, 'put') }),
    'with one of two files written': (world: ImageWorld) => ({ imageStore: crashAt(world.ports.imageStore, 'put', 1) }),
    'before it names its images': (world: ImageWorld) => ({ imageRecords: crashAt(world.ports.imageRecords, 'name') }),
    'before its item is written': (world: ImageWorld) => ({ items: crashAt(world.ports.items, 'replace') }),
    'before it closes its claim': (world: ImageWorld) => ({ imageClaims: crashAt(world.ports.imageClaims, 'close') }),
  })) {
    test(`what an upload leaves that died ${when} is found by the next upload, or collected`, async (t, world) => {
      const account = anAccount();
      const [tried, never] = [await world.item({ account }), await world.item({ account, bytes: ['two'] })];
      await t.throwsAsync(world.upload(tried, crash(world)), { instanceOf: Crash });
      await t.throwsAsync(world.upload(never, crash(world)), { instanceOf: Crash });
      await world.upload(tried);
      t.deepEqual(await missingImages(world, tried), []);
      await world.remove(never);
      // First its claim is void, and what it left gets records; these are collected a day later.
      for (let n = 0; n < 2; n += 1) {
        world.pass(2 * day);
        await world.collectAll();
      }
      t.deepEqual(await missingImages(world, tried), []);
      t.is((await world.files()).length, 2);
      t.is((await world.records()).length, 1);
      t.is(await world.claims(), 0);
    });
  }

  test('an image that cannot be deleted does not keep the others', async (t, world) => {
    const [stuck, other] = [await world.item(), await world.item()];
    await Promise.all([world.upload(stuck), world.upload(other)]);
    await Promise.all([stuck, other].map((id) => world.remove(id)));
    world.pass(day);
    const { accountId } = await world.find(stuck);
    const imageStore = intercept(world.ports.imageStore, async (method, key) => {
      if (method === 'remove' && String(key).startsWith(accountId)) throw new Error('permission denied');
    });
    await t.throwsAsync(world.collect({ imageStore }), { message: 'permission denied' });
    t.true((await world.files()).every((file) => file.startsWith(accountId)));
    world.pass(hour);
    await world.collectAll();
    t.deepEqual(await world.files(), []);
  });

  test('two items with the same bytes at once, one of them twice under two addresses, have one image', async (t, world) => {
    const account = anAccount();
    const ids = [
      await world.item({ account, urls: [urlOf('one', 1), urlOf('one', 2)] }),
      await world.item({ account, urls: [urlOf('one', 3)] }),
    ];
    await Promise.all(ids.map((id) => world.upload(id)));
    t.is((await world.files()).length, 2);
    for (const id of ids) {
      t.true((await world.find(id)).imageSet.images.every(({ state }) => state === 'hosted'));
      t.deepEqual(await missingImages(world, id), []);
    }
  });
}
