import test, { type ExecutionContext } from 'ava';
import { accountId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import { firstImageSet } from '../../core/items/image-set.ts';
import { ImageDownloadError, type Retry } from '../../gateways/image-process/port.ts';
import { createDownloadSlots, downloadImage } from '../../usecases/images/host-image.ts';
import { createImageSteps, processImages, type ImageDependencies } from '../../usecases/items/process-images.ts';
import { anItem, noon } from '../support/an-item.ts';

const urls = ['https://erp.example/1.jpg', 'https://erp.example/2.jpg'];

test('a worker that is stopped while it downloads records nothing about the images', async (t) => {
  const item: Item = anItem({ imageSet: firstImageSet(urls), serviceStatus: 'draft' });
  const stopping = new AbortController();
  const written: Item[] = [];
  const dependencies = {
    items: {
      findById: async () => item,
      replace: async (_previous: Item, next: Item) => {
        written.push(next);
        return next;
      },
    },
    imageSource: {
      download: async () => {
        stopping.abort();
        throw new ImageDownloadError({ kind: 'broken' }, { retry: 'never' });
      },
    },
    ...{ downloadSlots: createDownloadSlots(), imageSteps: createImageSteps() },
    now: () => noon,
  } as unknown as ImageDependencies;
  await t.throwsAsync(processImages(dependencies, item.id, stopping.signal), { any: true, name: 'AbortError' });
  t.deepEqual(written, []);
});

/** An item with two images, of which nothing is stored: only its downloads are under test. */
function anUpload(t: ExecutionContext, download: ImageDependencies['imageSource']['download']) {
  let item: Item = anItem({ imageSet: firstImageSet(urls), serviceStatus: 'draft' });
  let at = noon.getTime();
  const dependencies = {
    items: {
      findById: async () => item,
      replace: async (_previous: Item, next: Item) => {
        item = next;
        return next;
      },
    },
    imageSource: { download },
    pause: async (ms: number, signal?: AbortSignal) => {
      t.truthy(signal);
      signal?.throwIfAborted();
      at += ms;
    },
    ...{ downloadSlots: createDownloadSlots(), imageSteps: createImageSteps() },
    now: () => new Date(at),
  } as unknown as ImageDependencies;
  return {
    dependencies,
    item: () => item,
    pass: (ms: number) => {
      at += ms;
    },
  };
}

test('a server that drips gets two tries, so that its item is told of within a minute', async (t) => {
  const tries = new Map<string, number>();
  const upload = anUpload(t, async (url) => {
    tries.set(url, (tries.get(url) ?? 0) + 1);
    if (url === urls[0]) upload.pass(20_000);
    throw new ImageDownloadError({ kind: 'too_slow', number: 20 }, { retry: url === urls[0] ? 'soon' : 'never' });
  });
  await processImages(upload.dependencies, upload.item().id);
  t.deepEqual([...tries.values()], [2, 1]);
  t.deepEqual(
    upload.item().imageSet.images.map(({ state, failure }) => [state, failure]),
    urls.map(() => ['failed', { kind: 'too_slow', number: 20 }]),
  );
});

test('a server that is away for some seconds gets four tries', async (t) => {
  const tries = new Map<string, number>();
  const upload = anUpload(t, async (url) => {
    tries.set(url, (tries.get(url) ?? 0) + 1);
    throw new ImageDownloadError({ kind: 'server_fault', number: 503 }, { retry: 'soon' });
  });
  await processImages(upload.dependencies, upload.item().id);
  t.deepEqual([...tries.values()], [4, 4]);
});

test('when one image fails for a reason of ours, the others are stopped and have ended before the step fails', async (t) => {
  let running = 0;
  const upload = anUpload(t, async (url, { signal } = {}) => {
    if (url === urls[0]) throw new Error('out of memory');
    running += 1;
    await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
    running -= 1;
    throw new ImageDownloadError({ kind: 'broken' }, { retry: 'soon' });
  });
  await t.throwsAsync(processImages(upload.dependencies, upload.item().id), { message: 'out of memory' });
  t.is(running, 0);
  t.true(upload.item().imageSet.images.every(({ state }) => state === 'pending'));
});

/** One image whose downloads fail in these ways, one after the other, and then come; the pauses between them. */
async function pausesOf(failures: readonly ImageDownloadError[]) {
  const left = [...failures];
  const pauses: number[] = [];
  let at = 0;
  const dependencies = {
    imageSource: {
      download: async () => {
        const failure = left.shift();
        if (failure !== undefined) throw failure;
        return Buffer.from('image');
      },
    },
    downloadSlots: createDownloadSlots(),
    pause: async (ms: number) => {
      pauses.push(ms);
      at += ms;
    },
    now: () => new Date(at),
  };
  const request = { accountId: accountId('a'), url: 'https://erp.example/1.jpg', signal: new AbortController().signal };
  const end = await downloadImage(dependencies, request).then(
    () => 'hosted',
    (error: unknown) => (error instanceof ImageDownloadError ? error.failure.number : error),
  );
  return { pauses, end };
}

test('an image that is not there yet is asked for again after 3 and 10 seconds, and then failed', async (t) => {
  const failed = (number: number, retry: Retry) => new ImageDownloadError({ kind: 'not_found', number }, { retry });
  const notYet = failed(404, 'later');
  t.deepEqual(await pausesOf([notYet]), { pauses: [3_000], end: 'hosted' });
  t.deepEqual(await pausesOf([notYet, notYet]), { pauses: [3_000, 10_000], end: 'hosted' });
  t.deepEqual(await pausesOf([notYet, notYet, notYet]), { pauses: [3_000, 10_000], end: 404 });
  t.deepEqual(await pausesOf([failed(503, 'soon'), notYet]), { pauses: [500, 10_000], end: 'hosted' });
  t.deepEqual(await pausesOf([notYet, failed(410, 'never')]), { pauses: [3_000], end: 410 });
});
