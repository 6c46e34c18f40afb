import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import pTimeout from 'p-timeout';
import { Refusal } from '../../features/rules/errors.ts';
import { inflaterFor, peek, unpackWith } from '../../platform/packed-bytes.ts';
import { readBounded } from '../../platform/read-bounded.ts';

// What every body may be, whether it is read in one piece or as a stream.

/** JSON is UTF-8 (RFC 8259, 8.1), and so is ASCII. Throws {@link Refusal} UNSUPPORTED_MEDIA_TYPE. */
export function requireUtf8({ 'content-type': contentType = '' }: IncomingHttpHeaders): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^(?:utf-?8|(?:us-)?ascii)$/i.test(charset))
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The charset is not supported: JSON is UTF-8');
}

/** Makes what unpacks a body that begins so. */
type Unpacker = (start: Buffer) => Transform;

const gunzip: Unpacker = () => createGunzip();
const unpackers: ReadonlyMap<string, Unpacker | null> = new Map([
  ['identity', null],
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflaterFor],
  ['br', () => createBrotliDecompress()],
]);

/**
 * Returns null for a body that is not packed. Throws {@link Refusal} UNSUPPORTED_MEDIA_TYPE, for a caller without a credential
 * whatever the packing is, because unpacking and parsing would cost more than sending.
 */
export function unpackerFor(
  { 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders,
  { isStranger = false } = {},
): Unpacker | null {
  const unpacker = unpackers.get(encoding.trim().toLowerCase());
  if (unpacker === null || (unpacker !== undefined && !isStranger)) return unpacker;
  const wanted = isStranger ? ' here: send the body unpacked' : ': send gzip, deflate, br or none';
  throw new Refusal('UNSUPPORTED_MEDIA_TYPE', `The Content-Encoding is not supported${wanted}`);
}

export interface BodyBytes {
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
  /** Bytes received before unpacking; Infinity where nothing is unpacked. */
  readonly sentBytes: () => number;
}

/**
 * The unpacked bytes of a body, at the pace of their reader, who bounds their number. Throws {@link Refusal} BAD_REQUEST when the
 * body breaks off or is not what its Content-Encoding says.
 */
export function readBody(request: IncomingMessage, unpacker: Unpacker | null): BodyBytes {
  if (unpacker === null) return { chunks: received(request, () => undefined), sentBytes: () => Infinity };
  let sent = 0;
  const chunks = received(request, (bytes) => {
    sent += bytes;
  });
  return { chunks: unpacked(chunks, unpacker), sentBytes: () => sent };
}

async function* received(request: IncomingMessage, count: (bytes: number) => void): BodyBytes['chunks'] {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError('a body is read as bytes');
      count(chunk.byteLength);
      yield chunk;
    }
  } catch (cause) {
    throw new Refusal('BAD_REQUEST', 'The upload broke off', { cause });
  }
}

async function* unpacked(chunks: BodyBytes['chunks'], unpacker: Unpacker): BodyBytes['chunks'] {
  const { start, whole } = await peek(chunks, 2);
  if (start.length === 0) return;
  try {
    yield* unpackWith(unpacker(start), whole);
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal('BAD_REQUEST', 'The body is not what its Content-Encoding says', { cause });
  }
}

const bodyWithinMs = 60_000;

/** The whole unpacked body. Throws {@link Refusal} PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, and as `unpackerFor` and `readBody` do. */
export async function readWholeBody(
  request: IncomingMessage,
  { bytesMax, isStranger }: { readonly bytesMax: number; readonly isStranger: boolean },
): Promise<Buffer> {
  const unpacker = unpackerFor(request.headers, { isStranger });
  const isTooLong = unpacker === null && Number(request.headers['content-length'] ?? 0) > bytesMax;
  if (isTooLong) throw tooLarge(bytesMax);
  const { bytes, truncated } = await pTimeout(readBounded(readBody(request, unpacker).chunks, bytesMax), {
    milliseconds: bodyWithinMs,
    fallback: () => {
      throw new Refusal('REQUEST_TIMEOUT', 'The request did not arrive in time');
    },
  });
  if (truncated) throw tooLarge(bytesMax);
  return bytes;
}

const tooLarge = (bytesMax: number): Refusal =>
  new Refusal('PAYLOAD_TOO_LARGE', `The body is larger than ${sizeText(bytesMax)}`);

const sizeText = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${bytes / 1024 / 1024} MB` : `${Math.floor(bytes / 1024)} KB`;
