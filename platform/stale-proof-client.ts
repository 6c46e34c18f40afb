import { Client, type Dispatcher } from 'undici';

/**
 * One connection of a pool. When a reused connection is lost before the first byte of the answer, the request is sent once more
 * on a fresh connection: a peer may close a kept connection just when a request is written, which is no fault of the peer. Only
 * for calls that may arrive twice: deliveries (at-least-once) and plain reads.
 */
export class StaleProofClient extends Client {
  /** Whether the present connection has already carried a complete answer. */
  #isReused = false;

  constructor(origin: URL, options: Client.Options) {
    super(origin, options);
    this.on('connect', () => {
      this.#isReused = false;
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const again = (): boolean => canBeRepeated(options.body) && this.#sendAgain(options, handler);
    return super.dispatch(options, this.#follow(handler, again));
  }

  /** This client has a single connection, so a request after its loss goes over a new one. */
  #sendAgain(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.closed || this.destroyed) return false;
    super.dispatch(
      options,
      this.#follow(handler, () => false),
    );
    return true;
  }

  #follow(handler: Dispatcher.DispatchHandler, sendAgain: () => boolean): Dispatcher.DispatchHandler {
    const answered = (): void => {
      this.#isReused = true;
    };
    return new StaleProofHandler(handler, { isReused: () => this.#isReused, answered, sendAgain });
  }
}

const canBeRepeated = (body: Dispatcher.DispatchOptions['body']): boolean =>
  body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array;

const lostConnection: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

interface Connection {
  isReused(): boolean;
  answered(): void;
  /** Returns false when the request can't be sent again. */
  sendAgain(): boolean;
}

/* eslint-disable @typescript-eslint/no-deprecated, @typescript-eslint/max-params -- a client is given these; undici's DecoratorHandler would refuse any answer after a 103 */
class StaleProofHandler implements Dispatcher.DispatchHandler {
  readonly #inner: Dispatcher.DispatchHandler;
  readonly #connection: Connection;
  /** True while a reused connection has not sent the first byte of the answer. */
  #mayBeStale = false;

  constructor(inner: Dispatcher.DispatchHandler, connection: Connection) {
    this.#inner = inner;
    this.#connection = connection;
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#mayBeStale = this.#connection.isReused();
    this.#inner.onConnect?.(abort);
  }

  onResponseStarted(): void {
    this.#mayBeStale = false;
    this.#inner.onResponseStarted?.();
  }

  onHeaders(statusCode: number, headers: Buffer[], resume: () => void, statusText: string): boolean {
    return this.#inner.onHeaders?.(statusCode, headers, resume, statusText) ?? true;
  }

  onData(chunk: Buffer): boolean {
    return this.#inner.onData?.(chunk) ?? true;
  }

  onComplete(trailers: string[] | null): void {
    this.#connection.answered();
    this.#inner.onComplete?.(trailers);
  }

  onError(error: Error): void {
    const isStale = this.#mayBeStale && 'code' in error && lostConnection.has(error.code);
    if (isStale && this.#connection.sendAgain()) return;
    this.#inner.onError?.(error);
  }
}
/* eslint-enable @typescript-eslint/no-deprecated, @typescript-eslint/max-params */
