import { fork, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startDeadline } from '../../platform/concurrency/deadline.ts';
import { bytesFd, isDecoderAnswer, type DecoderAnswer, type DecoderTask } from './decoder-messages.ts';

/** The process began with the image and ended before it answered: it crashed, or the system killed it. */
export class DecoderDied extends Error {
  override readonly name = 'DecoderDied';
}

/** The image took longer than its time. Its process was killed. */
export class DecodingTookTooLong extends Error {
  override readonly name = 'DecodingTookTooLong';
}

export interface DecoderPoolOptions {
  /** The program, `.ts` or `.js`; default: `decoder-process`. */
  readonly program?: string;
  /** An unused process ends after this many ms. */
  readonly idleMs?: number;
}

export interface ImageToDecode {
  readonly bytes: Buffer;
  readonly megabytesMax: number;
}

export interface RunOptions {
  /** Begins when a process is ready. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

const isSource = import.meta.url.endsWith('.ts');
const ownProgram = fileURLToPath(new URL(`./decoder-process${isSource ? '.ts' : '.js'}`, import.meta.url));
const defaultIdleMs = 60_000;

/**
 * Settings of glibc. Planes of pixels go back to the system as soon as they are free, also after a first large one. The lines that
 * are decoded and encoded stay: to ask the system for each of them anew took a sixth of the CPU time.
 */
const allocator = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(32 * 1024 * 1024),
};

/**
 * Processes that decode, each one image at a time. Starts one whenever all are busy: the caller bounds their number. An aborted
 * task kills its process, because nothing else stops a decoder.
 */
export class DecoderPool {
  readonly #program: string;
  readonly #idleMs: number;
  /** The one that was used last is at the end. Each with what ends it. */
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>();
  readonly #all = new Set<ChildProcess>();
  #isClosed = false;

  constructor({ program = ownProgram, idleMs = defaultIdleMs }: DecoderPoolOptions = {}) {
    this.#program = program;
    this.#idleMs = idleMs;
  }

  /**
   * Throws {@link DecoderDied}, {@link DecodingTookTooLong}, the reason of `signal`, or why no process could start. At its end
   * nothing reads the image's buffer any more.
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
      // Nothing reads the image any more when the caller gets its buffer back.
      pipeOf(decoder).destroy();
      signal?.throwIfAborted();
      if (this.#isClosed) throw new Error('the decoders are closed', { cause: error });
      throw deadline.hasExpired() ? new DecodingTookTooLong(`more than ${timeoutMs} ms`, { cause: error }) : error;
    } finally {
      deadline.stop();
    }
  }

  /** Work under way fails, and says nothing about its image. */
  close(): void {
    this.#isClosed = true;
    for (const decoder of this.#all) decoder.kill('SIGKILL');
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
      // What fails here is told by the end of the process.
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

  /** The one that was used last, so that those too many come to their end. */
  #takeIdle(): ChildProcess | undefined {
    const decoder = [...this.#idle.keys()].at(-1);
    if (decoder !== undefined) this.#forgetIdle(decoder);
    return decoder;
  }

  #forgetIdle(decoder: ChildProcess): void {
    clearTimeout(this.#idle.get(decoder));
    this.#idle.delete(decoder);
  }

  /** Unused, it keeps nothing from ending. */
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
