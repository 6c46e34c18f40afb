import { pipeline, Readable, type Transform } from 'node:stream';
import { createInflate, createInflateRaw } from 'node:zlib';

type Chunks = AsyncGenerator<Uint8Array, void, undefined>;

/** Reads until `bytes` bytes have come, or all; `whole` yields these and the rest. */
export async function peek(chunks: Chunks, bytes: number): Promise<{ start: Buffer; whole: Chunks }> {
  const seen: Uint8Array[] = [];
  for (let length = 0; length < bytes;) {
    const next = await chunks.next();
    if (next.done === true) break;
    seen.push(next.value);
    length += next.value.length;
  }
  return { start: Buffer.concat(seen), whole: continued(seen, chunks) };
}

async function* continued(seen: readonly Uint8Array[], chunks: Chunks): Chunks {
  yield* seen;
  yield* chunks;
}

/** Unpacks at the pace of its reader, who bounds the size. Throws what `chunks` throws, or an error of zlib. */
export const unpackWith = (unpacker: Transform, chunks: Chunks): Chunks =>
  bytesOf(pipeline(Readable.from(chunks), unpacker, () => undefined));

export async function* bytesOf(stream: AsyncIterable<unknown>): Chunks {
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a stream of bytes is needed');
    yield chunk;
  }
}

/** RFC 1950: deflate with a window of at most 32 KB, and a check of the first two bytes. */
export const isZlib = (start: Buffer): boolean =>
  start.length > 1 && ((start[0] ?? 0) & 0x8f) === 0x08 && start.readUInt16BE() % 31 === 0;

/** `deflate` means zlib's format (RFC 9110, 8.4.1.2), but some senders leave out its head. */
export const inflaterFor = (start: Buffer): Transform => (isZlib(start) ? createInflate() : createInflateRaw());
