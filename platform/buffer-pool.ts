const megabyte = 1_000_000;
/** A buffer has the next of these sizes, so that pictures of about the same size share buffers. */
const sizes = [1, 2, 3, 4, 6, 8, 12, 16, 20].map((count) => count * megabyte);
const keptMax = 64 * megabyte;

/**
 * Buffers that are used again. Each new one counts towards V8's next collection of the whole heap, which costs a tenth of a second
 * in a worker.
 */
export class BufferPool {
  /** By size, that of the last use at the end. */
  readonly #free = new Map<number, Buffer[]>();
  #freeBytes = 0;

  /** At least so many bytes, with anything in them. */
  take(bytes: number): Buffer {
    const size = sizes.find((one) => one >= bytes) ?? bytes;
    return this.#takeFree(size) ?? Buffer.allocUnsafeSlow(size);
  }

  /** Once, when nothing reads or writes it any more. */
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
