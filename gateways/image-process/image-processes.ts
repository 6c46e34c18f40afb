import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FairSlots } from '../../platform/concurrency/fair-slots.ts';
import { DecoderMemory, megabytes } from './decoder-memory.ts';
import { UnusableImage, type HostedFiles, type HostOptions, type ImagePlaces, type ImageProcesses } from './port.ts';
import { ProcessDied, type Answer, type ProcessOptions } from './process-handle.ts';
import { ProcessPool, type ProcessPlace } from './process-pool.ts';
import { tryPatiently, type Patience } from './try-patiently.ts';

export interface ImageProcessesOptions extends Partial<Patience> {
  readonly allowPrivateNetworks: boolean;
  /** PEM file of authorities that image servers may have beside those that Node trusts; '' for none. */
  readonly authoritiesFile: string;
  /** For decoding one image; default 60,000. A process gives it 10 s of CPU. */
  readonly timeoutMs?: number;
  /** An unused process ends after this many ms; default 60,000. */
  readonly idleMs?: number;
  /** Default: `image-process`. */
  readonly program?: string;
  readonly memory?: DecoderMemory;
}

export interface ClosableImageProcesses extends ImageProcesses {
  /** Kills the processes, and resolves when they have ended. */
  close(): Promise<void>;
}

const isSource = import.meta.url.endsWith('.ts');
const ownProgram = fileURLToPath(new URL(`./image-process${isSource ? '.ts' : '.js'}`, import.meta.url));
const processors = availableParallelism();
const processesMax = processors + 1;
const deathsMax = 3;

/** Downloads of this worker. A partner's own host must not be overloaded, and a reseller's serves many accounts. */
const connections = { max: 100, perAccountMax: 8, perHostMax: 24 };

/**
 * glibc otherwise keeps freed planes of pixels in a part of the heap for each thread: four AVIF of the largest size, one after the
 * other in three processes, took 100 MB more.
 */
const allocator = { MALLOC_ARENA_MAX: '2' };

/** Megabytes of pictures that are being read or wait for a decoder: of all processes, and the least of one. */
const room = { all: 240, leastOfOne: 40 };

/**
 * Runs the processes and hands them addresses. Images of an account or host take turns with those of others. A
 * process may end at any moment: then each of its images is begun again, and counts its own death alone.
 */
export function createImageProcesses(options: ImageProcessesOptions): ClosableImageProcesses {
  const { timeoutMs = 60_000, idleMs = 60_000, program = ownProgram, authoritiesFile } = options;
  const process: ProcessOptions = {
    program,
    timeoutMs,
    idleMs,
    allowPrivateNetworks: options.allowPrivateNetworks,
    environment: { ...allocator, NODE_EXTRA_CA_CERTS: authoritiesFile },
    roomMegabytes: Math.max(room.leastOfOne, Math.floor(room.all / processesMax)),
  };
  const pool = new ProcessPool({ process, max: processesMax, perAccountMax: processors });
  const hosting = new Hosting(pool, options.memory);
  const patience = { pause: options.pause ?? pauseFor, now: options.now ?? (() => performance.now()) };
  return {
    host: (url, image) => tryPatiently((begins) => hosting.host({ ...image, url, begins }), patience, image.signal),
    close: () => pool.close(),
  };
}

const pauseFor = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, undefined, { signal });

interface Image extends HostOptions {
  readonly url: string;
  /** Called when its download has a slot. */
  readonly begins: () => void;
}

class Hosting {
  readonly #pool: ProcessPool;
  readonly #connections = new FairSlots(connections);
  readonly #memory: DecoderMemory;

  constructor(pool: ProcessPool, memory = new DecoderMemory()) {
    this.#pool = pool;
    this.#memory = memory;
  }

  async host(image: Image): Promise<HostedFiles> {
    let isAlone = false;
    for (let deaths = 0; ;) {
      const end = await this.#attempt(image, isAlone);
      if (!('death' in end)) return end;
      const { death, number } = end;
      const isToBlame: boolean = isAlone || death.decoding === number;
      if (isToBlame) deaths += 1;
      if (isToBlame && death.tookSeconds !== undefined)
        throw new UnusableImage({ kind: 'undecodable', number: death.tookSeconds });
      if (deaths === deathsMax) throw new UnusableImage({ kind: 'undecodable' });
      // Where no image was in the decoder, any may be to blame: the next death tells.
      isAlone ||= isToBlame || death.decoding === undefined;
    }
  }

  async #attempt(image: Image, isAlone: boolean): Promise<HostedFiles | Death> {
    const { account, url, signal, begins, placesOf } = image;
    const host = URL.canParse(url) ? { host: new URL(url).host } : {};
    const releaseConnection = await this.#connections.acquire({ account, ...host }, signal);
    let place: ProcessPlace | undefined;
    try {
      begins();
      place = await (isAlone ? this.#pool.takeAlone(account, signal) : this.#pool.take(account));
      const contentHash = await fetchIn(place, image);
      releaseConnection();
      const places = await placesOf(contentHash);
      return { contentHash, bytes: places === null ? null : await this.#storeIn(place, { account, signal, places }) };
    } catch (error) {
      signal.throwIfAborted();
      this.#pool.requireOpen();
      if (place !== undefined && error instanceof ProcessDied) return { death: error, number: place.image };
      throw error;
    } finally {
      releaseConnection();
      place?.leave();
    }
  }

  /** Returns the bytes of both files. */
  async #storeIn(place: ProcessPlace, image: ImageToStore): Promise<number> {
    for (let size = megabytes.usual; ;) {
      const answer = await this.#encodeIn(place, image, size);
      if (answer.kind === 'stored') return answer.bytes;
      if (answer.kind !== 'too heavy' || answer.megabytes <= size) throw refusalOf(answer);
      size = answer.megabytes;
    }
  }

  /** Memory and decoder are given back when the picture is encoded, while its files may still be written. */
  async #encodeIn({ process, image }: ProcessPlace, { account, signal, places }: ImageToStore, size: number) {
    const releaseMemory = await this.#memory.acquire({ account, size }, signal);
    let endTurn = (): void => undefined;
    const onFree = (ms: number): void => {
      releaseMemory(ms);
      endTurn();
    };
    try {
      endTurn = await process.turns.acquire({ account }, signal);
      return await process.ask({ kind: 'encode', image, megabytesMax: size, places }, { signal, onFree });
    } finally {
      onFree(0);
    }
  }
}

interface Death {
  readonly death: ProcessDied;
  /** The image's number in the process that died. */
  readonly number: number;
}

interface ImageToStore {
  readonly account: string;
  readonly signal: AbortSignal;
  readonly places: ImagePlaces;
}

async function fetchIn({ process, image }: ProcessPlace, { url, account, signal }: Image): Promise<string> {
  const answer = await process.ask({ kind: 'fetch', image, url, account }, { signal });
  if (answer.kind === 'fetched') return answer.contentHash;
  throw refusalOf(answer);
}

/** The error for an answer that ends an image without files. */
function refusalOf(answer: Answer): Error {
  if (answer.kind === 'unusable') return new UnusableImage(answer.failure, answer);
  return new Error(
    answer.kind === 'not stored' ? `the image store failed: ${answer.reason}` : `unexpected: ${answer.kind}`,
  );
}
