import { availableParallelism } from 'node:os';
import { FairSlots, type Release } from '../../platform/concurrency/fair-slots.ts';
import type { DecoderAnswer } from './decoder-messages.ts';
import {
  DecoderDied,
  DecoderPool,
  DecodingTookTooLong,
  type DecoderPoolOptions,
  type ImageToDecode,
  type RunOptions,
} from './decoder-pool.ts';
import { UnusableImage, type EncodedImage, type EncodeOptions, type ImageCodec } from './port.ts';

export interface ProcessImageCodecOptions extends DecoderPoolOptions {
  /** In ms, for one image; default 60,000. */
  readonly timeoutMs?: number;
}

export interface ProcessImageCodec extends ImageCodec {
  /** Kills the processes. */
  close(): void;
}

/** Ten times what the slowest one takes on a free processor. */
const defaultTimeoutMs = 60_000;
const processors = availableParallelism();
const deathsMax = 3;

/**
 * Megabytes that decoding may take at once. The largest image of an account leaves room for the usual ones of others. A usual
 * image, up to 15 million pixels of JPEG, is decoded without being weighed first.
 */
const megabytes = { max: 430, perAccountMax: 355, usual: 75 };

/**
 * Encodes in processes of their own ({@link DecoderPool}), one for each processor, and a further one, so that another account's
 * image never waits for those of one. Images wait until the memory that their pixels take is free (decision 142). An image that
 * ends its process three times is unusable.
 */
export function createProcessImageCodec(options: ProcessImageCodecOptions = {}): ProcessImageCodec {
  const { timeoutMs = defaultTimeoutMs } = options;
  const pool = new DecoderPool(options);
  const memory = new FairSlots(megabytes);
  const places = new FairSlots({ max: processors + 1, perAccountMax: processors });

  /** `size`: megabytes. */
  const decode = async (bytes: Buffer, size: number, { account, signal }: EncodeOptions): Promise<DecoderAnswer> => {
    const releases: Release[] = [];
    try {
      releases.push(await memory.acquire({ account, size }, signal));
      releases.push(await places.acquire({ account }, signal));
      return await decodePatiently(pool, { bytes, megabytesMax: size }, { timeoutMs, signal });
    } finally {
      for (const release of releases) release();
    }
  };
  return {
    async encode(bytes, encodeOptions) {
      const first = await decode(bytes, megabytes.usual, encodeOptions);
      return imageOf(first.kind === 'too heavy' ? await decode(bytes, first.megabytes, encodeOptions) : first);
    },
    close: () => pool.close(),
  };
}

function imageOf(answer: DecoderAnswer): EncodedImage {
  switch (answer.kind) {
    case 'encoded':
      return answer.image;
    case 'unusable':
      throw new UnusableImage(answer.failure);
    case 'too heavy':
      throw new Error(`an image takes ${answer.megabytes} MB, more than was granted`);
  }
}

async function decodePatiently(pool: DecoderPool, image: ImageToDecode, options: RunOptions): Promise<DecoderAnswer> {
  for (let deaths = 1; ; deaths += 1) {
    try {
      return await pool.run(image, options);
    } catch (error) {
      if (error instanceof DecodingTookTooLong)
        return { kind: 'unusable', failure: { kind: 'undecodable', number: options.timeoutMs / 1_000 } };
      if (!(error instanceof DecoderDied)) throw error;
      if (deaths === deathsMax) return { kind: 'unusable', failure: { kind: 'undecodable' } };
    }
  }
}
