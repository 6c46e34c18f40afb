import { createHash } from 'node:crypto';
import { FairSlots, type Release } from '../../platform/concurrency/fair-slots.ts';
import type { DownloadImage } from './download-image.ts';
import { encodeImage } from './encode-image.ts';
import { UnusableImage } from './port.ts';
import type { ProcessAnswer, ProcessTask } from './process-messages.ts';
import { writeToPlace } from './write-to-place.ts';

export interface ImageWorkOptions {
  readonly download: DownloadImage;
  readonly roomMegabytes: number;
  readonly send: (answer: ProcessAnswer) => void;
  /** Called when this process holds more bytes than its images may take: the decoder can't be interrupted. */
  readonly onTooMuch: () => void;
  /** Beside the memory that was granted to a picture: results, pieces of downloads, what the allocator keeps; default 150. */
  readonly slackMegabytes?: number;
  /** For one picture; default 20. */
  readonly cpuSecondsMax?: number;
}

interface Picture {
  readonly bytes: Buffer;
  readonly release: Release;
}

type Task<Kind extends ProcessTask['kind']> = Extract<ProcessTask, { kind: Kind }>;

const megabyte = 1_000_000;
const lookMs = 50;

/** The work of one image process: many downloads at once, and one picture in the decoder, which its worker chooses. */
export class ImageWork {
  readonly #options: ImageWorkOptions;
  /** No account may fill it, so that another one's images come in. */
  readonly #room: FairSlots;
  readonly #downloads = new Map<number, AbortController>();
  /** Downloaded, and not encoded yet. */
  readonly #pictures = new Map<number, Picture>();

  constructor(options: ImageWorkOptions) {
    this.#options = options;
    this.#room = new FairSlots({ max: options.roomMegabytes, perAccountMax: options.roomMegabytes / 2 });
  }

  /** Rejects for an unknown fault, which may have damaged more than this image. */
  async do(task: ProcessTask): Promise<void> {
    try {
      if (task.kind === 'forget') this.#forget(task.image);
      else await (task.kind === 'fetch' ? this.#fetch(task) : this.#encode(task));
    } catch (error) {
      this.#forget(task.image);
      if (!(error instanceof UnusableImage)) throw error;
      this.#options.send({ kind: 'unusable', image: task.image, failure: error.failure, retry: error.retry });
    }
  }

  async #fetch({ image, url, account }: Task<'fetch'>): Promise<void> {
    const stopping = new AbortController();
    this.#downloads.set(image, stopping);
    const { signal } = stopping;
    let release: Release = () => undefined;
    const room = async (bytes: number): Promise<void> => {
      release = await this.#room.acquire({ account, size: Math.ceil(bytes / megabyte) }, signal);
    };
    try {
      const bytes = await this.#options.download(url, { signal, room });
      signal.throwIfAborted();
      this.#pictures.set(image, { bytes, release });
      this.#options.send({ kind: 'fetched', image, contentHash: createHash('sha256').update(bytes).digest('hex') });
    } catch (error) {
      release();
      // The worker waits for no answer about an image that it had forgotten.
      if (!signal.aborted) throw error;
    } finally {
      this.#downloads.delete(image);
    }
  }

  async #encode({ image, megabytesMax, places }: Task<'encode'>): Promise<void> {
    const { send } = this.#options;
    const picture = this.#pictures.get(image);
    if (picture === undefined) throw new Error('an image was to be encoded that was not fetched');
    const encoded = await this.#watching(image, megabytesMax, () => encodeImage(picture.bytes, megabytesMax));
    if ('megabytes' in encoded) {
      send({ kind: 'too heavy', image, megabytes: encoded.megabytes });
      return;
    }
    this.#forget(image);
    send({ kind: 'encoded', image });
    const { large, thumb } = encoded;
    await Promise.all([writeToPlace(places.large, large), writeToPlace(places.thumb, thumb)]).then(
      () => send({ kind: 'stored', image, bytes: large.length + thumb.length }),
      (error: unknown) =>
        send({
          kind: 'not stored',
          image,
          reason: String(error instanceof Error ? error.message : error).slice(0, 500),
        }),
    );
  }

  /** The header's promise of memory is not believed. The time of CPU is also that of downloads beside it, which take little. */
  async #watching<Result>(image: number, megabytes: number, work: () => Promise<Result>): Promise<Result> {
    const { roomMegabytes, onTooMuch, send, slackMegabytes = 150, cpuSecondsMax = 20 } = this.#options;
    const bytesMax = process.memoryUsage.rss() + (megabytes + roomMegabytes + slackMegabytes) * megabyte;
    const cpuBefore = process.cpuUsage();
    const look = setInterval(() => {
      if (process.memoryUsage.rss() > bytesMax) onTooMuch();
      const { user, system } = process.cpuUsage(cpuBefore);
      if (user + system > cpuSecondsMax * 1_000_000) send({ kind: 'too slow', image, seconds: cpuSecondsMax });
    }, lookMs);
    try {
      return await work();
    } finally {
      clearInterval(look);
    }
  }

  #forget(image: number): void {
    this.#downloads.get(image)?.abort();
    this.#pictures.get(image)?.release();
    this.#pictures.delete(image);
  }
}
