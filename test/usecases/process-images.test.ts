import test from 'ava';
import type { Item } from '../../core/items/item.ts';
import { firstImageSet } from '../../core/items/image-set.ts';
import { ImageDownloadError } from '../../gateways/image-source/port.ts';
import { processImages, type ImageDependencies } from '../../usecases/items/process-images.ts';
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
        throw new ImageDownloadError('download was stopped', { transient: false });
      },
    },
    now: () => noon,
  } as unknown as ImageDependencies;
  await t.throwsAsync(processImages(dependencies, item.id, stopping.signal), { any: true, name: 'AbortError' });
  t.deepEqual(written, []);
});
