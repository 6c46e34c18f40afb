const megabyte = 1_000_000;
/** A buffer has the next larger of these sizes, so that images of similar size share buffers. */
const sizes = [1, 2, 3, 4, 6, 8, 12, 16, 20].map((count) => count * megabyte);
const keptMax = 64 * megabyte;

/** Reuses buffers. Each new one brings V8's next full collection closer, which costs a worker a tenth of a second. */
export class BufferPool {
  /** Free buffers by size; the one used last is at the end. */
  readonly #free = new Map<number, Buffer[]>();
  #freeBytes = 0;

  /** Returns a buffer of at least so many bytes, with arbitrary content. */
  take(bytes: number): Buffer {
    const size = sizes.find((one) => one >= bytes) ?? bytes;
    return this.#takeFree(size) ?? Buffer.allocUnsafeSlow(size);
  }

  /** Call it once, when no code uses the buffer any more. */
  giveBack(buffer: Buffer): void {
    const free = this.#free.get(buffer.length) ?? [];
    this.#free.delete(buffer.length);
    this.#free.set(buffer.length, [...free, buffer]);
    this.#freeBytes += buffer.length;
    for (const size of this.#free.keys()) while (this.#freeBytes > keptMax && this.#takeFree(size));
  }

  #takeFree(size: number): Buffer | undefined {
    const found = this.#free.get(size)?.pop();
    this.#freeBytes -= found?.length ?? 0;
    return found;
  }
}
