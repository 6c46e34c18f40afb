import test from 'ava';
import type { Item } from '../../features/items/rules/item.ts';
import { firstImageSet } from '../../features/images/rules/image-set.ts';
import { UnusableImage, type ImageProcesses } from '../../gateways/image-process/port.ts';
import { createImageSteps, processImages, type ImageDependencies } from '../../features/images/process-images.ts';
import { anItem, noon } from '../support/an-item.ts';

const urls = ['https://erp.example/1.jpg', 'https://erp.example/2.jpg'];

/** An item with two images, of which nothing is stored. */
function anUpload(host: ImageProcesses['host']) {
  let item: Item = anItem({ imageSet: firstImageSet(urls), serviceStatus: 'draft' });
  const dependencies = {
    items: {
      findById: async () => item,
      replace: async (_previous: Item, next: Item) => {
        item = next;
        return next;
      },
    },
    imageProcesses: { host },
    imageSteps: createImageSteps(),
    imageClaims: { open: async () => ({}), close: async () => true },
    imageRecords: { name: async () => new Set() },
    now: () => noon,
  } as unknown as ImageDependencies;
  return { dependencies, item: () => item };
}

test('a worker that is stopped while it downloads records nothing about the images', async (t) => {
  const stopping = new AbortController();
  const upload = anUpload(async () => {
    stopping.abort();
    throw new UnusableImage({ kind: 'broken' });
  });
  const before = upload.item();
  const step = processImages(upload.dependencies, before, stopping.signal);
  await t.throwsAsync(step, { any: true, name: 'AbortError' });
  t.is(upload.item(), before);
});

test('images that cannot be had are failed, each with its reason', async (t) => {
  const upload = anUpload(async (url) => {
    throw new UnusableImage({ kind: 'not_found', number: url === urls[0] ? 404 : 410 });
  });
  await processImages(upload.dependencies, upload.item());
  t.deepEqual(
    upload.item().imageSet.images.map(({ state, failure }) => [state, failure?.number]),
    [
      ['failed', 404],
      ['failed', 410],
    ],
  );
});

test('when one image fails for a reason of ours, the others are stopped and have ended before the step fails', async (t) => {
  let running = 0;
  const upload = anUpload(async (url, { signal }) => {
    if (url === urls[0]) throw new Error('out of memory');
    running += 1;
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    running -= 1;
    throw signal.reason;
  });
  await t.throwsAsync(processImages(upload.dependencies, upload.item()), { message: 'out of memory' });
  t.is(running, 0);
  t.true(upload.item().imageSet.images.every(({ state }) => state === 'pending'));
});
