import test, { type ExecutionContext } from 'ava';
import { accountId, itemId } from '../../features/rules/ids.ts';
import { firstImageSet } from '../../features/images/rules/image-set.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { UnusableImage } from '../../gateways/image-process/port.ts';
import { createImageSteps, processImages, type ImageDependencies } from '../../features/images/process-images.ts';
import { anItem, noon } from '../support/an-item.ts';
import { anAccount, intercept, startImageWorld } from '../support/image-world.ts';

const urls = (count: number, host: string): string[] =>
  Array.from({ length: count }, (_, n) => `https://${host}.example/${n}.jpg`);

/** One worker process. Images of the host `hangs` never come; those of other hosts are told at once to be missing. */
function aWorker(t: ExecutionContext) {
  const items = new Map<string, Item>();
  const stopping = new AbortController();
  t.teardown(() => stopping.abort(new Error('the test is over')));
  const dependencies = {
    items: {
      findById: async ({ id }: { id: string }) => items.get(id) ?? null,
      replace: async (_previous: Item, next: Item) => {
        items.set(next.id, next);
        return next;
      },
    },
    imageProcesses: {
      host: async (url: string) => {
        if (url.includes('hangs')) await new Promise(() => undefined);
        throw new UnusableImage({ kind: 'not_found', number: 404 });
      },
    },
    imageSteps: createImageSteps(),
    imageClaims: { open: async () => ({}), close: async () => true },
    imageRecords: { name: async () => new Set() },
    now: () => noon,
  } as unknown as ImageDependencies;
  return {
    /** One step for a new item. */
    begin: (account: string, sources: readonly string[]) => {
      const id = itemId(`${account}-${items.size}`);
      const item = anItem({ id, accountId: accountId(account), imageSet: firstImageSet(sources) });
      items.set(item.id, item);
      const step = processImages(dependencies, item, stopping.signal);
      step.catch(() => undefined);
      return { step, states: () => items.get(item.id)?.imageSet.images.map(({ state }) => state) };
    },
  };
}

test('an account whose many items wait is told to come again, so that other accounts find a step', async (t) => {
  const worker = aWorker(t);
  for (let n = 0; n < 100; n += 1) worker.begin('hanging', urls(1, 'hangs'));
  const [crowded, other] = [worker.begin('hanging', urls(1, 'quick')), worker.begin('other', urls(1, 'quick'))];
  t.is(await crowded.step, 'crowded');
  t.deepEqual(crowded.states(), ['pending']);
  t.is(await other.step, 'done');
});

test('an item with images takes one claim, a look for each image, and one write of each row', async (t) => {
  const world = await startImageWorld();
  t.teardown(() => world.close());
  const id = await world.item({ bytes: ['one', 'two', 'three', 'four', 'five', 'one'] });
  const calls: string[] = [];
  const counted = <Port extends object>(port: Port): Port =>
    intercept(port, async (method) => {
      calls.push(method);
    });
  await world.upload(id, {
    items: counted(world.ports.items),
    imageRecords: counted(world.ports.imageRecords),
    imageClaims: counted(world.ports.imageClaims),
  });
  t.deepEqual(calls, ['findById', 'open', ...Array<string>(5).fill('find'), 'name', 'replace', 'close']);
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
