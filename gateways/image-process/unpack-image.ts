import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { bytesOf, inflaterFor, isZlib, peek, unpackWith } from '../../platform/packed-bytes.ts';
import { ImageDownloadError } from './port.ts';

/** Enough to tell a picture from a packed one. */
const startBytes = 12;

/**
 * Yields the picture of a body that its host may have packed although it was asked not to. Hosts err in both directions (a
 * plain picture called gzip, a packed one called nothing), so the bytes decide, and the header only where they say nothing.
 * What begins as no picture is unpacked once. The reader bounds the size. Throws what the body throws, or
 * {@link ImageDownloadError}.
 */
export async function* unpackImage(body: Readable, encoding: string): AsyncGenerator<Uint8Array, void, undefined> {
  const { start, whole } = await peek(bytesOf(body), startBytes);
  if (looksLikePicture(start) || start.length < 2) return yield* whole;
  const { unpacker, failure } = packingOf(start, encoding);
  try {
    yield* unpackWith(unpacker, whole);
  } catch (error) {
    if (body.errored !== null) throw error;
    throw new ImageDownloadError({ kind: failure }, { retry: 'never', cause: error });
  }
}

/** JPEG, PNG, GIF, WebP, and the family of AVIF and HEIC. */
const looksLikePicture = (start: Buffer): boolean =>
  /^(?:\xff\xd8|\x89PNG|GIF8|RIFF|[^]{4}ftyp)/.test(start.toString('latin1', 0, startBytes));

function packingOf(start: Buffer, encoding: string): { unpacker: Transform; failure: 'damaged' | 'not_an_image' } {
  const failure = 'damaged';
  if (start.readUInt16BE() === 0x1f_8b) return { unpacker: createGunzip(), failure };
  if (/\bbr\b/i.test(encoding)) return { unpacker: createBrotliDecompress(), failure };
  if (isZlib(start) || /\bdeflate\b/i.test(encoding)) return { unpacker: inflaterFor(start), failure };
  // Brotli has no mark of its own. What is neither a picture nor packed ends here.
  return { unpacker: createBrotliDecompress(), failure: 'not_an_image' };
}
