import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ImageDownloadError } from './port.ts';

/** Enough to tell a picture from a packed one. */
const startBytes = 12;

/**
 * Yields the picture of a body that its host may have packed although it was asked not to. Hosts err in both directions (a
 * plain picture called gzip, a packed one called nothing), so the bytes decide, and the header only where they say nothing.
 * Only pictures are left packed or plain as they are; all else is unpacked once. The reader bounds the size. Throws what the body
 * throws, or {@link ImageDownloadError}.
 */
export async function* unpackImage(body: Readable, encoding: string): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks: AsyncGenerator<Uint8Array> = bytesOf(body);
  const start = await readStart(chunks);
  const whole = (async function* () {
    yield start;
    yield* chunks;
  })();
  const packing = looksLikePicture(start) || start.length < 2 ? undefined : packingOf(start, encoding);
  if (packing === undefined) return yield* whole;
  const unpacked = pipeline(Readable.from(whole), packing.unpack(), () => undefined);
  try {
    yield* bytesOf(unpacked);
  } catch (error) {
    if (body.errored !== null) throw error;
    throw new ImageDownloadError({ kind: packing.failure }, { retry: 'never', cause: error });
  }
}

async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a stream of bytes is needed');
    yield chunk;
  }
}

async function readStart(chunks: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < startBytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  return start;
}

/** JPEG, PNG, GIF, WebP, and the family of AVIF and HEIC. */
function looksLikePicture(start: Buffer): boolean {
  const text = start.toString('latin1', 0, startBytes);
  return /^(?:\xff\xd8|\x89PNG|GIF8|RIFF|[^]{4}ftyp)/.test(text);
}

function packingOf(start: Buffer, encoding: string) {
  const failure = 'damaged' as const;
  if (start.readUInt16BE() === 0x1f_8b) return { unpack: createGunzip, failure };
  if (/\bbr\b/i.test(encoding)) return { unpack: createBrotliDecompress, failure };
  if (isZlib(start)) return { unpack: createInflate, failure };
  if (/\bdeflate\b/i.test(encoding)) return { unpack: createInflateRaw, failure };
  // Brotli has no mark of its own. What is neither a picture nor packed ends here.
  return { unpack: createBrotliDecompress, failure: 'not_an_image' as const };
}

/** RFC 1950: deflate with a window of at most 32 KB, and a check of the two bytes. */
const isZlib = (start: Buffer): boolean => ((start[0] ?? 0) & 0x8f) === 0x08 && start.readUInt16BE() % 31 === 0;
