// The floor for images: sharp alone with the same download, to the same sizes, with as many threads. Nothing is checked or stored.
import pLimit from 'p-limit';
import sharp from 'sharp';
import { Agent, request } from 'undici';
import { serveParent } from './serve-parent.ts';

/** Twice as many as Node's pool has threads: while four are encoded others are on their way. */
const atOnce = 8;
const dispatcher = new Agent({ connections: atOnce });

sharp.concurrency(1);
sharp.cache(false);

const toJpeg = (input: Buffer, longestSidePx: number): Promise<Buffer> =>
  sharp(input, { failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize({ width: longestSidePx, height: longestSidePx, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 82 })
    .toBuffer();

async function encodeAll(urls: readonly string[]): Promise<void> {
  const limit = pLimit(atOnce);
  const encode = async (url: string): Promise<void> => {
    const { body } = await request(url, { dispatcher });
    await toJpeg(await toJpeg(Buffer.from(await body.arrayBuffer()), 1_600), 400);
  };
  await Promise.all(urls.map((url) => limit(() => encode(url))));
}

serveParent({}, { encode: (urls) => encodeAll(urls as string[]) });
