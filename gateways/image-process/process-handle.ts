import { fork, type ChildProcess } from 'node:child_process';
import { FairSlots } from '../../platform/concurrency/fair-slots.ts';
import { compileSchema } from '../../schemas/compile-schema.ts';
import { processAnswerSchema, type ProcessAnswer, type ProcessSettings, type ProcessTask } from './process-messages.ts';

export interface ProcessOptions extends ProcessSettings {
  /** The program, `.ts` or `.js`. */
  readonly program: string;
  /** All that the process gets of the worker's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** In ms, for decoding one image. */
  readonly timeoutMs: number;
  /** Without images the process ends after this many ms. */
  readonly idleMs: number;
}

/** The process ended: it crashed, was killed for its picture, or the system killed it. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
  /** The image in the decoder, which is to blame; undefined: there was none. */
  readonly decoding: number | undefined;
  /** The process was killed because that image took so many seconds; undefined: for another reason. */
  readonly tookSeconds: number | undefined;
  constructor(how: string, { decoding, tookSeconds }: Pick<ProcessDied, 'decoding' | 'tookSeconds'>) {
    super(`an image process ${how}`);
    this.decoding = decoding;
    this.tookSeconds = tookSeconds;
  }
}

type Ask = Exclude<ProcessTask, { kind: 'forget' }>;
/** The answers that end a task. */
export type Answer = Exclude<ProcessAnswer, { kind: 'encoded' | 'too slow' }>;
/** Called when the decoder has done with an image, with the ms that it took. */
type OnFree = (ms: number) => void;

interface Asked {
  readonly answer: (answer: Answer) => void;
  readonly fail: (error: Error) => void;
}

interface Decoding {
  readonly image: number;
  readonly timer: NodeJS.Timeout;
  readonly beganAt: number;
  readonly onFree: OnFree;
}

/**
 * Pictures lie outside of V8's heap, and count as its growth: a heap of 15 MB was collected as a whole for each picture, which took
 * 13 ms of 84 for one of 2 megapixels.
 */
const heapFlags = ['--heap-growing-percent=400'];

const { accepts: isAnswer } = compileSchema(processAnswerSchema);

/** One image process, as its worker sees it. It is started at once. */
export class ProcessHandle {
  /** Rejects when the process can't start. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  /** For the decoder of the process: one image at a time, accounts in turn. */
  readonly turns = new FairSlots({ max: 1, perAccountMax: 1 });
  readonly #child: ChildProcess;
  readonly #options: ProcessOptions;
  /** Account by image. */
  readonly #images = new Map<number, string>();
  readonly #asked = new Map<number, Asked>();
  #decoding: Decoding | undefined;
  #death: ProcessDied | undefined;
  #lastImage = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
    const { program, environment, allowPrivateNetworks, roomMegabytes } = options;
    const child = fork(program, {
      execArgv: [...heapFlags, ...(program.endsWith('.ts') ? ['--import=tsx'] : [])],
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child = child;
    this.ready = new Promise((ready, fail) => {
      child.once('message', () => ready());
      child.once('exit', () => fail(new Error('no image process could start')));
    });
    this.ended = new Promise((ended) => {
      child.once('exit', () => ended()).once('error', () => ended());
    });
    this.ready.then(
      () => child.on('message', (message) => this.#hear(message)),
      () => undefined, // who begins an image here is told
    );
    child.on('exit', (code, killedBy) => this.#die(`ended with ${killedBy ?? code ?? 'no code'}`));
    child.on('error', () => this.#die('could not be reached'));
    const settings: ProcessSettings = { allowPrivateNetworks, roomMegabytes };
    child.send(settings, () => undefined);
  }

  get imageCount(): number {
    return this.#images.size;
  }

  get isRunning(): boolean {
    return this.#death === undefined;
  }

  hasImagesOf(account: string): boolean {
    return [...this.#images.values()].includes(account);
  }

  /** Returns the number of a new image, to be given back with {@link end}. */
  begin(account: string): number {
    clearTimeout(this.#idle);
    this.#child.ref();
    this.#child.channel?.ref();
    this.#lastImage += 1;
    this.#images.set(this.#lastImage, account);
    return this.#lastImage;
  }

  /** The image is done or given up. A process without images does not keep the worker from ending. */
  end(image: number): void {
    this.#images.delete(image);
    // A decoder can't be interrupted.
    if (this.#decoding?.image === image) this.#kill('was stopped');
    if (!this.isRunning) return;
    this.#send({ kind: 'forget', image });
    if (this.#images.size > 0) return;
    this.#idle = setTimeout(() => this.#kill('was not used'), this.#options.idleMs).unref();
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** Rejects with {@link ProcessDied}, or when `signal` is aborted. */
  ask(task: Ask, { signal, onFree = () => undefined }: { signal: AbortSignal; onFree?: OnFree }): Promise<Answer> {
    const { image } = task;
    const stopped = new AbortController();
    return new Promise<Answer>((answer, fail) => {
      signal.throwIfAborted();
      if (this.#death !== undefined) throw this.#death;
      const stop = (): void => fail(new Error('stopped', { cause: signal.reason }));
      signal.addEventListener('abort', stop, { signal: stopped.signal });
      this.#asked.set(image, { answer, fail });
      if (task.kind === 'encode') this.#decode(image, onFree);
      this.#send(task);
    }).finally(() => {
      stopped.abort();
      this.#asked.delete(image);
    });
  }

  /** Resolves when the process has ended. What it does fails. */
  async close(): Promise<void> {
    this.#child.ref();
    this.#kill('was closed');
    await this.ended;
  }

  #decode(image: number, onFree: OnFree): void {
    const { timeoutMs } = this.#options;
    const timer = setTimeout(() => this.#kill('took too long', timeoutMs / 1_000), timeoutMs);
    this.#decoding = { image, timer, beganAt: performance.now(), onFree };
  }

  #free(image: number | undefined): void {
    if (this.#decoding === undefined || this.#decoding.image !== image) return;
    const { timer, beganAt, onFree } = this.#decoding;
    clearTimeout(timer);
    this.#decoding = undefined;
    onFree(performance.now() - beganAt);
  }

  #hear(message: unknown): void {
    if (!isAnswer(message)) return this.#kill('answered something else');
    if (message.kind === 'too slow') return this.#kill('took too long', message.seconds);
    this.#free(message.image);
    if (message.kind !== 'encoded') this.#asked.get(message.image)?.answer(message);
  }

  #send(task: ProcessTask): void {
    // A failure is followed by the end of the process.
    this.#child.send(task, () => undefined);
  }

  #kill(how: string, tookSeconds?: number): void {
    this.#die(how, tookSeconds);
    this.#child.kill('SIGKILL');
  }

  #die(how: string, tookSeconds?: number): void {
    if (this.#death !== undefined) return;
    clearTimeout(this.#idle);
    const decoding = this.#decoding?.image;
    this.#death = new ProcessDied(how, { decoding, tookSeconds });
    for (const { fail } of this.#asked.values()) fail(this.#death);
    this.#free(decoding);
  }
}
