import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { bytesOf, inflaterFor, isZlib, peek, unpackWith } from '../../platform/packed-bytes.ts';
import { UnusableImage } from './port.ts';

/** Enough to tell a picture from a packed one. */
const startBytes = 12;

export interface OpenBody {
  /** The body is not the picture itself, so its length is not that of the picture. */
  readonly isPacked: boolean;
  /** The picture; reading it throws what the body throws, or {@link UnusableImage}. */
  readonly picture: AsyncGenerator<Uint8Array, void, undefined>;
}

/**
 * Begins to read a body that its host may have packed although it was asked not to. Hosts err in both directions (a plain picture
 * called gzip, a packed one called nothing), so the bytes decide, and the header only where they say nothing. What begins as no
 * picture is unpacked once. The reader bounds the size. Throws what the body throws.
 */
export async function openBody(body: Readable, encoding: string): Promise<OpenBody> {
  const { start, whole } = await peek(bytesOf(body), startBytes);
  if (looksLikePicture(start) || start.length < 2) return { isPacked: false, picture: whole };
  return { isPacked: true, picture: unpack(body, whole, packingOf(start, encoding)) };
}

async function* unpack(
  body: Readable,
  whole: OpenBody['picture'],
  { unpacker, failure }: Packing,
): OpenBody['picture'] {
  try {
    yield* unpackWith(unpacker, whole);
  } catch (error) {
    if (body.errored !== null) throw error;
    throw new UnusableImage({ kind: failure }, { cause: error });
  }
}

/** JPEG, PNG, GIF, WebP, and the family of AVIF and HEIC. */
const looksLikePicture = (start: Buffer): boolean =>
  /^(?:\xff\xd8|\x89PNG|GIF8|RIFF|[^]{4}ftyp)/.test(start.toString('latin1', 0, startBytes));

interface Packing {
  readonly unpacker: Transform;
  readonly failure: 'damaged' | 'not_an_image';
}

function packingOf(start: Buffer, encoding: string): Packing {
  const failure = 'damaged';
  if (start.readUInt16BE() === 0x1f_8b) return { unpacker: createGunzip(), failure };
  if (/\bbr\b/i.test(encoding)) return { unpacker: createBrotliDecompress(), failure };
  if (isZlib(start) || /\bdeflate\b/i.test(encoding)) return { unpacker: inflaterFor(start), failure };
  // Brotli has no mark of its own. What is neither a picture nor packed ends here.
  return { unpacker: createBrotliDecompress(), failure: 'not_an_image' };
}
