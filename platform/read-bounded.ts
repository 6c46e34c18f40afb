export interface BoundedBytes {
  readonly bytes: Buffer;
  /** The stream had more bytes; it was destroyed, and its connection with it. */
  readonly truncated: boolean;
}

/** Reads at most `bytesMax` bytes. Leaving the loop early destroys the stream, so an endless body costs nothing further. */
export async function readBounded(stream: AsyncIterable<unknown>, bytesMax: number): Promise<BoundedBytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a stream of bytes is needed');
    chunks.push(chunk);
    length += chunk.length;
    if (length > bytesMax) return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), truncated: true };
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}
