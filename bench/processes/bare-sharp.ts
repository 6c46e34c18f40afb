// The floor for images: sharp alone, on the same files, to the same sizes, with as many threads. Nothing is fetched, checked or stored.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { photoSizes, type PhotoSize } from '../support/photos.ts';
import { serveParent, setting } from './serve-parent.ts';

const folder = setting('BENCH_PHOTO_FOLDER');
const counts = JSON.parse(setting('BENCH_PHOTO_COUNTS')) as Readonly<Record<PhotoSize, number>>;
/** Of Node's thread pool; the worker has as many. */
const threads = 4;

sharp.concurrency(1);
sharp.cache(false);

const toJpeg = (input: Buffer, longestSidePx: number): Promise<Buffer> =>
  sharp(input, { failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize({ width: longestSidePx, height: longestSidePx, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 82 })
    .toBuffer();

/** Encodes as many as one round has; the time that it took, in ms. */
async function encodeAll(size: PhotoSize): Promise<number> {
  const bytes = readFileSync(join(folder, photoSizes[size].file));
  const limit = pLimit(threads);
  const startedAt = performance.now();
  const works = Array.from({ length: counts[size] }, () => async () => toJpeg(await toJpeg(bytes, 1_600), 400));
  await Promise.all(works.map((work) => limit(work)));
  return performance.now() - startedAt;
}

serveParent({}, { '2 MP': () => encodeAll('2 MP'), '12 MP': () => encodeAll('12 MP') });
