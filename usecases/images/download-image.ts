import { createHash } from 'node:crypto';
import type { AccountId } from '../../core/ids.ts';
import { ImageDownloadError, type ImageRoom, type ImageSource } from '../../gateways/image-source/port.ts';
import { BufferPool } from '../../platform/buffer-pool.ts';
import { FairSlots, type PlaceRequest, type Release } from '../../platform/concurrency/fair-slots.ts';

export interface DownloadDependencies {
  readonly imageSource: ImageSource;
  readonly downloadSlots: DownloadSlots;
  /** Rejects when `signal` is aborted. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly now: () => Date;
}

/** What the downloads of this process share. */
export interface DownloadSlots {
  /** One for each download under way: mostly waiting, so many. */
  readonly connections: FairSlots;
  /** Megabytes of images that are being read, or wait for a decoder. */
  readonly megabytes: FairSlots;
  /** What they lie in. */
  readonly buffers: BufferPool;
}

/**
 * The images of one account, or at one host, never take all slots. A reseller's image host serves many accounts, a partner's own
 * must not be overrun.
 */
export const createDownloadSlots = (): DownloadSlots => ({
  connections: new FairSlots({ max: 100, perAccountMax: 8, perHostMax: 24 }),
  megabytes: new FairSlots({ max: 240, perAccountMax: 80 }),
  buffers: new BufferPool(),
});

export interface ImageRequest {
  readonly accountId: AccountId;
  readonly url: string;
  readonly signal: AbortSignal;
}

export interface DownloadedImage {
  readonly bytes: Buffer;
  /** SHA-256, in hexadecimal digits. */
  readonly contentHash: string;
  /** To be called when the bytes are no longer needed. */
  readonly release: Release;
}

const megabyte = 1_000_000;
/** Waits before a transient failure is tried again; after the last one the image counts as failed. */
const retryWaitsMs = [500, 2_000, 5_000];
/** No retry begins later than this after the first try, however slowly a server drips: a new item should be ready in 30 s. */
const patienceMs = 30_000;

/** Downloads an image as soon as its account and host have a slot. Throws {@link ImageDownloadError}, or the reason of the signal. */
export async function downloadImage(
  dependencies: DownloadDependencies,
  request: ImageRequest,
): Promise<DownloadedImage> {
  const { pause, now } = dependencies;
  const { signal } = request;
  let giveUpAt: number | undefined;
  for (let attempt = 0; ; attempt += 1) {
    const release = await takeSlot(dependencies, request);
    giveUpAt ??= now().getTime() + patienceMs;
    try {
      return await tryDownload(dependencies, request);
    } catch (error) {
      const waitMs = retryWaitsMs[attempt];
      if (!(error instanceof ImageDownloadError) || !error.transient || waitMs === undefined) throw error;
      if (signal.aborted || now().getTime() + waitMs > giveUpAt) throw error;
      release();
      await pause(waitMs, signal);
    } finally {
      release();
    }
  }
}

const takeSlot = (
  { downloadSlots }: DownloadDependencies,
  { accountId, url, signal }: ImageRequest,
): Promise<Release> =>
  downloadSlots.connections.acquire(
    { account: accountId, ...(URL.canParse(url) && { host: new URL(url).host }) },
    signal,
  );

async function tryDownload(
  { imageSource, downloadSlots: { megabytes, buffers } }: DownloadDependencies,
  { accountId, url, signal }: ImageRequest,
): Promise<DownloadedImage> {
  let release: Release = () => undefined;
  const place = (bytesMax: number): PlaceRequest => ({ account: accountId, size: Math.ceil(bytesMax / megabyte) });
  const lay = (bytesMax: number, leave: Release): Buffer => {
    const buffer = buffers.take(bytesMax);
    release = () => {
      release = () => undefined;
      leave();
      buffers.giveBack(buffer);
    };
    return buffer;
  };
  const room: ImageRoom = {
    take(bytesMax) {
      const leave = megabytes.take(place(bytesMax));
      return leave === null ? undefined : lay(bytesMax, leave);
    },
    async wait(bytesMax) {
      release();
      return lay(bytesMax, await megabytes.acquire(place(bytesMax), signal));
    },
  };
  try {
    const bytes = await imageSource.download(url, { signal, room });
    return { bytes, contentHash: createHash('sha256').update(bytes).digest('hex'), release: () => release() };
  } catch (error) {
    release();
    throw error;
  }
}
