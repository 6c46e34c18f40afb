import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startDeadline } from '../../platform/concurrency/deadline.ts';
import { FairSlots, type Release } from '../../platform/concurrency/fair-slots.ts';
import { bytesFd, isDecoderAnswer, type DecoderAnswer, type DecoderTask } from './decoder-messages.ts';
import { UnusableImage, type EncodedImage, type EncodeOptions, type ImageCodec } from './port.ts';

export interface ProcessImageCodecOptions extends DecoderPoolOptions {
  /** In ms, for one image; default 60,000. */
  readonly timeoutMs?: number;
}

export interface ProcessImageCodec extends ImageCodec {
  /** Kills the processes, and resolves when they have ended. */
  close(): Promise<void>;
}

/** Ten times what the slowest image takes on an idle processor. */
const defaultTimeoutMs = 60_000;
const processors = availableParallelism();
const deathsMax = 3;

/**
 * Megabytes that decoding may take at once. The largest image of one account leaves room for usual images of others. A
 * usual image, up to 15 million pixels of JPEG, is decoded without first reading its size.
 */
const megabytes = { max: 430, perAccountMax: 355, usual: 75 };

/**
 * Encodes in processes of their own ({@link DecoderPool}): one for each processor, and one more, so that an account
 * never waits for the images of another. Images wait until the memory that their pixels need is free (decision 142). An
 * image whose process dies three times is unusable.
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

/** The process ended between the start of the image and its answer: it crashed, or the system killed it. */
class DecoderDied extends Error {
  override readonly name = 'DecoderDied';
}

/** The image exceeded its time limit, and its process was killed. */
class DecodingTookTooLong extends Error {
  override readonly name = 'DecodingTookTooLong';
}

interface DecoderPoolOptions {
  /** The program, `.ts` or `.js`; default: `decoder-process`. */
  readonly program?: string;
  /** An unused process ends after this many ms. */
  readonly idleMs?: number;
}

interface ImageToDecode {
  readonly bytes: Buffer;
  readonly megabytesMax: number;
}

interface RunOptions {
  /** The time limit; it starts when a process is ready. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

const isSource = import.meta.url.endsWith('.ts');
const ownProgram = fileURLToPath(new URL(`./decoder-process${isSource ? '.ts' : '.js'}`, import.meta.url));
const defaultIdleMs = 60_000;

/**
 * Settings of glibc. Planes of pixels are returned to the system as soon as they are free, even after a first large
 * one. Single lines stay allocated: requesting each one anew took a sixth of the CPU time.
 */
const allocator = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(32 * 1024 * 1024),
};

/**
 * Decoder processes, each with one image at a time. A process is started whenever all are busy; the caller limits their
 * number. An aborted task kills its process, because a decoder can't be interrupted.
 */
class DecoderPool {
  readonly #program: string;
  readonly #idleMs: number;
  /** The process used last is at the end; each has the timer that ends it. */
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>();
  readonly #all = new Set<ChildProcess>();
  #isClosed = false;

  constructor({ program = ownProgram, idleMs = defaultIdleMs }: DecoderPoolOptions = {}) {
    this.#program = program;
    this.#idleMs = idleMs;
  }

  /**
   * Throws {@link DecoderDied}, {@link DecodingTookTooLong}, the reason of `signal`, or why no process could start.
   * When it returns, the image's buffer is no longer read.
   */
  async run(image: ImageToDecode, { timeoutMs, signal }: RunOptions): Promise<DecoderAnswer> {
    signal?.throwIfAborted();
    const decoder = this.#takeIdle() ?? (await this.#start(signal));
    decoder.ref();
    decoder.channel?.ref();
    const deadline = startDeadline(timeoutMs, signal);
    try {
      const answer = await ask(decoder, image, deadline.signal);
      this.#rest(decoder);
      return answer;
    } catch (error) {
      decoder.kill('SIGKILL');
      // Ensures that the image is no longer read when the caller gets its buffer back.
      pipeOf(decoder).destroy();
      signal?.throwIfAborted();
      if (this.#isClosed) throw new Error('the decoders are closed', { cause: error });
      throw deadline.hasExpired() ? new DecodingTookTooLong(`more than ${timeoutMs} ms`, { cause: error }) : error;
    } finally {
      deadline.stop();
    }
  }

  /** Running work fails, which says nothing about its image. Resolves when all processes have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      [...this.#all].map(async (decoder) => {
        decoder.ref();
        const end = once(decoder, 'exit');
        decoder.kill('SIGKILL');
        await end;
      }),
    );
  }

  async #start(signal?: AbortSignal): Promise<ChildProcess> {
    const decoder = fork(this.#program, {
      execArgv: this.#program.endsWith('.ts') ? ['--import=tsx'] : [],
      env: allocator,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'],
    });
    this.#all.add(decoder);
    const forget = (): void => {
      this.#all.delete(decoder);
      this.#forgetIdle(decoder);
    };
    decoder.once('exit', forget).on('error', forget);
    try {
      // A failure here is reported by the end of the process.
      pipeOf(decoder)
        .on('error', () => undefined)
        .unref();
      await next(decoder, signal);
      return decoder;
    } catch (error) {
      decoder.kill('SIGKILL');
      signal?.throwIfAborted();
      throw new Error('no decoder could start', { cause: error });
    }
  }

  /** Takes the process used last, so that superfluous ones stay idle and end. */
  #takeIdle(): ChildProcess | undefined {
    const decoder = [...this.#idle.keys()].at(-1);
    if (decoder !== undefined) this.#forgetIdle(decoder);
    return decoder;
  }

  #forgetIdle(decoder: ChildProcess): void {
    clearTimeout(this.#idle.get(decoder));
    this.#idle.delete(decoder);
  }

  /** An idle process does not keep this one from ending. */
  #rest(decoder: ChildProcess): void {
    const end = (): void => {
      this.#forgetIdle(decoder);
      decoder.kill('SIGKILL');
    };
    this.#idle.set(decoder, setTimeout(end, this.#idleMs).unref());
    decoder.unref();
    decoder.channel?.unref();
  }
}

async function ask(
  decoder: ChildProcess,
  { bytes, megabytesMax }: ImageToDecode,
  signal: AbortSignal,
): Promise<DecoderAnswer> {
  const message = next(decoder, signal);
  const task: DecoderTask = { length: bytes.length, megabytesMax };
  decoder.send(task, (error) => {
    if (error !== null) decoder.emit('error', error);
  });
  const pipe = pipeOf(decoder);
  pipe.write(bytes);
  const answer = await message;
  if (pipe.writableLength > 0) throw new DecoderDied('the decoder answered before it had read the image');
  if (isDecoderAnswer(answer)) return answer;
  throw new DecoderDied('the decoder answered something else');
}

function pipeOf(decoder: ChildProcess): Socket {
  const pipe = decoder.stdio[bytesFd];
  if (pipe instanceof Socket) return pipe;
  throw new Error('a decoder has no pipe');
}

/** The next message of a process. Throws {@link DecoderDied}, also when `signal` is aborted. */
function next(decoder: ChildProcess, signal?: AbortSignal): Promise<unknown> {
  const ended = new AbortController();
  return new Promise<unknown>((resolve, reject) => {
    const die = (how: string, cause?: unknown): void => reject(new DecoderDied(`the decoder ${how}`, { cause }));
    const listeners: readonly (readonly [string, (...event: unknown[]) => void])[] = [
      ['message', resolve],
      ['exit', (code, killedBy) => die(`ended with ${String(killedBy ?? code)}`)],
      ['error', (error) => die('could not be reached', error)],
    ];
    for (const [event, listener] of listeners) {
      decoder.on(event, listener);
      ended.signal.addEventListener('abort', () => decoder.off(event, listener));
    }
    signal?.addEventListener('abort', () => die('was stopped', signal.reason), { signal: ended.signal });
  }).finally(() => ended.abort());
}
