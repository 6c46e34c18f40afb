import test, { type ExecutionContext } from 'ava';
import { accountId, itemId } from '../../core/ids.ts';
import { firstImageSet } from '../../core/items/image-set.ts';
import type { Item } from '../../core/items/item.ts';
import { ImageDownloadError } from '../../gateways/image-process/port.ts';
import { createDownloadSlots, downloadImage } from '../../usecases/images/host-image.ts';
import { createImageSteps, processImages, type ImageDependencies } from '../../usecases/items/process-images.ts';
import { anItem, noon } from '../support/an-item.ts';
import { anAccount, intercept, startImageWorld } from './support/image-world.ts';

const urls = (count: number, host: string): string[] =>
  Array.from({ length: count }, (_, n) => `https://${host}.example/${n}.jpg`);

/** One worker process. Images of the host `hangs` never come; those of other hosts come at once, and are refused by the codec. */
function aWorker(t: ExecutionContext) {
  const items = new Map<string, Item>();
  const stopping = new AbortController();
  t.teardown(() => stopping.abort(new Error('the test is over')));
  const dependencies = {
    items: {
      findById: async (id: string) => items.get(id) ?? null,
      replace: async (_previous: Item, next: Item) => {
        items.set(next.id, next);
        return next;
      },
    },
    imageSource: {
      download: async (url: string) => {
        if (url.includes('hangs')) await new Promise(() => undefined);
        throw new ImageDownloadError({ kind: 'not_found', number: 404 }, { retry: 'never' });
      },
    },
    ...{ downloadSlots: createDownloadSlots(), imageSteps: createImageSteps() },
    now: () => noon,
  } as unknown as ImageDependencies;
  return {
    /** One step for a new item. */
    begin: (account: string, sources: readonly string[]) => {
      const id = itemId(`${account}-${items.size}`);
      const item = anItem({ id, accountId: accountId(account), imageSet: firstImageSet(sources) });
      items.set(item.id, item);
      const step = processImages(dependencies, item.id, stopping.signal);
      step.catch(() => undefined);
      return { step, states: () => items.get(item.id)?.imageSet.images.map(({ state }) => state) };
    },
  };
}

test('many hanging images of one account hold up neither another account nor its own of another host', async (t) => {
  const worker = aWorker(t);
  for (let n = 0; n < 4; n += 1) worker.begin('hanging', urls(10, 'hangs'));
  const other = worker.begin('other', urls(5, 'quick'));
  t.is(await other.step, 'done');
  t.deepEqual(other.states(), Array(5).fill('failed'));
});

test('an image host that hangs, of many accounts, holds up no other host', async (t) => {
  const worker = aWorker(t);
  for (let n = 0; n < 60; n += 1) worker.begin(`member-${n}`, urls(10, 'hangs'));
  const other = worker.begin('other', urls(5, 'quick'));
  t.is(await other.step, 'done');
});

test('an account whose many items wait is told to come again, so that other accounts find a step', async (t) => {
  const worker = aWorker(t);
  for (let n = 0; n < 100; n += 1) worker.begin('hanging', urls(1, 'hangs'));
  const [crowded, other] = [worker.begin('hanging', urls(1, 'quick')), worker.begin('other', urls(1, 'quick'))];
  t.is(await crowded.step, 'crowded');
  t.deepEqual(crowded.states(), ['pending']);
  t.is(await other.step, 'done');
});

test('an image that waits for its slot has all its time left, and a retry does not keep the slot', async (t) => {
  const downloadSlots = createDownloadSlots();
  const account = anAccount();
  const held = await Promise.all(
    Array.from({ length: 8 }, () => downloadSlots.connections.acquire({ account, host: 'erp.example' })),
  );
  let at = noon.getTime();
  let tries = 0;
  const waiting = downloadImage(
    {
      imageSource: {
        download: async () => {
          tries += 1;
          if (tries === 1) throw new ImageDownloadError({ kind: 'server_fault', number: 503 }, { retry: 'soon' });
          return Buffer.from('image');
        },
      },
      downloadSlots,
      pause: async () => {
        for (const release of await Promise.all(
          Array.from({ length: 8 }, () => downloadSlots.connections.acquire({ account, host: 'erp.example' })),
        ))
          release();
      },
      now: () => new Date(at),
    },
    { accountId: account, url: 'https://erp.example/1.jpg', signal: new AbortController().signal },
  );
  at += 10 * 60_000;
  for (const release of held) release();
  t.is((await waiting).bytes.toString(), 'image');
});

test('the images of an item are claimed, recorded and confirmed together', async (t) => {
  const world = await startImageWorld();
  t.teardown(() => world.close());
  const id = await world.item({ bytes: ['one', 'two', 'three', 'four', 'five', 'one'] });
  const calls: string[] = [];
  const counted = <Port extends object>(port: Port): Port =>
    intercept(port, async (method) => {
      calls.push(method);
    });
  // Nothing here takes so long that an image would not wait for the others.
  const imageStore = { ...world.ports.imageStore, put: async () => undefined };
  await world.upload(id, {
    imageStore,
    items: counted(world.ports.items),
    imageRecords: counted(world.ports.imageRecords),
  });
  t.deepEqual(calls, ['findById', 'claim', 'noteStored', 'replace', 'confirm']);
  t.true((await world.find(id)).imageSet.images.every(({ state }) => state === 'hosted'));
});

test('two items of the same images, worked on at once, count each image once', async (t) => {
  const world = await startImageWorld();
  t.teardown(() => world.close());
  const account = anAccount();
  const ids = await Promise.all(
    Array.from({ length: 4 }, () => world.item({ account, bytes: ['one', 'two', 'three'] })),
  );
  await Promise.all(ids.map((id) => world.upload(id)));
  // "large of three" and "thumb of three" have 14 bytes each, those of the others 12.
  t.deepEqual(await world.imageUse(account), { images: 3, bytes: 76 });
});
