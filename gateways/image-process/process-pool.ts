import { FairSlots } from '../../platform/concurrency/fair-slots.ts';
import { ProcessHandle, type ProcessOptions } from './process-handle.ts';

export interface ProcessPoolOptions {
  readonly process: ProcessOptions;
  /** Most processes for usual images. */
  readonly max: number;
  /** Most of them in which an account has images at once. */
  readonly perAccountMax: number;
}

export interface ProcessPlace {
  readonly process: ProcessHandle;
  /** The number of the image there. */
  readonly image: number;
  /** The image is done or given up. */
  leave(): void;
}

/** Images that may have ended a process are tried alone: this many at once. */
const alone = { max: 2, perAccountMax: 1 };

/** The image processes of a worker. An account leaves one of them to others; a further one is started when all have images. */
export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #all = new Set<ProcessHandle>();
  /** Those for usual images. */
  readonly #shared = new Set<ProcessHandle>();
  readonly #alone = new FairSlots(alone);
  #isClosed = false;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
  }

  /** Throws when the pool is closed. */
  requireOpen(): void {
    if (this.#isClosed) throw new Error('the image processes are closed');
  }

  /** A place in the process with the fewest images. Rejects when no process can start. */
  take(account: string): Promise<ProcessPlace> {
    this.requireOpen();
    const process = this.#choose(account) ?? this.#start(this.#shared);
    return enter(process, account, () => undefined);
  }

  /** A place in a process that has nothing else. Rejects also with the reason of `signal`. */
  async takeAlone(account: string, signal: AbortSignal): Promise<ProcessPlace> {
    const release = await this.#alone.acquire({ account }, signal);
    try {
      this.requireOpen();
      const process = this.#start(new Set());
      process.ended.then(release, release);
      return await enter(process, account, () => void process.close());
    } catch (error) {
      release();
      throw error;
    }
  }

  /** What is under way fails. Resolves when all processes have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((process) => process.close()));
  }

  /** Undefined: a further process is to be started. */
  #choose(account: string): ProcessHandle | undefined {
    const running = [...this.#shared].filter(({ isRunning }) => isRunning);
    const own = running.filter((process) => process.hasImagesOf(account));
    const isEverywhere = own.length >= this.#options.perAccountMax;
    const [best] = (isEverywhere ? own : running).toSorted((one, other) => one.imageCount - other.imageCount);
    const isFree = best?.imageCount === 0;
    return isFree || isEverywhere || running.length >= this.#options.max ? best : undefined;
  }

  #start(group: Set<ProcessHandle>): ProcessHandle {
    const process = new ProcessHandle(this.#options.process);
    for (const set of [this.#all, group]) {
      set.add(process);
      process.ended.then(
        () => set.delete(process),
        () => undefined,
      );
    }
    return process;
  }
}

async function enter(process: ProcessHandle, account: string, afterwards: () => void): Promise<ProcessPlace> {
  const image = process.begin(account);
  const leave = (): void => {
    process.end(image);
    afterwards();
  };
  try {
    await process.ready;
  } catch (error) {
    leave();
    throw error;
  }
  return { process, image, leave };
}
