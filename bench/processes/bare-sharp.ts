// The floor for images: the same download, and sharp alone, to the same sizes. Nothing is checked or stored.
import { performance } from 'node:perf_hooks';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { request } from 'undici';
import { photoSizes, type PhotoSize } from '../support/photos.ts';
import { serveParent, setting } from './serve-parent.ts';

const host = setting('BENCH_IMAGE_HOST');
const counts = JSON.parse(setting('BENCH_PHOTO_COUNTS')) as Readonly<Record<PhotoSize, number>>;
/** Of Node's thread pool. */
const threads = 4;

sharp.concurrency(1);
sharp.cache(false);

const toJpeg = (input: Buffer, longestSidePx: number): Promise<Buffer> =>
  sharp(input, { failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize({ width: longestSidePx, height: longestSidePx, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 82 })
    .toBuffer();

let fetched = 0;

async function download(file: string): Promise<Buffer> {
  fetched += 1;
  const { body } = await request(`${host}/floor-${fetched}/${file}`);
  return Buffer.from(await body.arrayBuffer());
}

/** Fetches and encodes as many as one round has; the time that it took, in ms. */
async function encodeAll(size: PhotoSize): Promise<number> {
  const { file } = photoSizes[size];
  const limit = pLimit(threads);
  const startedAt = performance.now();
  const works = Array.from(
    { length: counts[size] },
    () => async () => toJpeg(await toJpeg(await download(file), 1_600), 400),
  );
  await Promise.all(works.map((work) => limit(work)));
  return performance.now() - startedAt;
}

serveParent({}, { '2 MP': () => encodeAll('2 MP'), '12 MP': () => encodeAll('12 MP') });
