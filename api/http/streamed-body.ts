import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import pTimeout from 'p-timeout';
import { Refusal } from '../../core/errors.ts';
import { createRunningFingerprint } from '../../security/running-fingerprint.ts';
import { leaveBodyTime } from './body-timeout.ts';
import { createToll, type Pay } from './stream-toll.ts';

export interface StreamLimits {
  /** Of the whole body, unpacked. */
  readonly bytesMax: number;
  /** So long its bytes may keep us waiting; each 16 KB of them give a second of it back. */
  readonly patienceMs: number;
  readonly totalMs: number;
}

/** What a body that comes in the long run has to send a second, after its Content-Encoding: a slower one holds its place in vain. */
const leastBytesPerSecond = 16 * 1024;

/** Packed text of the same 6 KB in each line comes to 120; what is packed in order to cost us much, to 1,000. */
const ratioMax = 200;
/** A small body may be packed as tightly as it can be. */
const anyRatioBytesMax = 1024 * 1024;

/** So much of a body shows that it is really coming. */
const begunBytes = 64 * 1024;

/** A body of any size, to be read once, as slowly as its reader likes: nothing of it is held here. */
export class StreamedBody {
  readonly #chunks: AsyncGenerator<Uint8Array, void, undefined>;
  readonly #fingerprint = createRunningFingerprint();
  /** Read by `begin`, and not yet by its reader. */
  #ahead: Uint8Array[] = [];
  #digest: string | undefined;

  constructor(chunks: AsyncGenerator<Uint8Array, void, undefined>) {
    this.#chunks = chunks;
  }

  /** Resolves when its first 64 KB are there, or all of it. Throws as `bytes`. */
  async begin(): Promise<void> {
    for (let bytes = 0; bytes < begunBytes;) {
      const next = await this.#chunks.next();
      if (next.done === true) return;
      this.#ahead.push(next.value);
      bytes += next.value.byteLength;
    }
  }

  /**
   * After its Content-Encoding, as its caller can pay for it. Throws {@link Refusal} PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, or
   * BAD_REQUEST when it breaks off or is not what its Content-Encoding says.
   */
  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    const ahead = this.#ahead;
    this.#ahead = [];
    for (const chunk of ahead) yield this.#noted(chunk);
    for await (const chunk of this.#chunks) yield this.#noted(chunk);
    this.#digest = this.#fingerprint.digest();
  }

  #noted(chunk: Uint8Array): Uint8Array {
    this.#fingerprint.add(chunk);
    return chunk;
  }

  /** What is left of it is not read any more. */
  async close(): Promise<void> {
    await this.#chunks.return();
  }

  /** Of all its bytes. Call it when they have been read to the end. */
  digest(): string {
    if (this.#digest === undefined) throw new Error('the body was not read to its end');
    return this.#digest;
  }

  /** Reads what is left of it, for nothing but its digest. Throws as `bytes`. */
  async drain(): Promise<void> {
    for await (const _chunk of this.bytes());
  }
}

/** Throws {@link Refusal} BAD_REQUEST without a body, UNSUPPORTED_MEDIA_TYPE for another type, charset or encoding. */
export function openStreamedBody(
  request: IncomingMessage,
  response: ServerResponse,
  { type, ...limits }: StreamLimits & { readonly type: string; readonly pay: Pay },
): StreamedBody {
  const { headers } = request;
  if (!isOfType(headers['content-type'], type)) {
    // One that is there and empty may mean something.
    if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0')
      throw new Refusal('BAD_REQUEST', `A body is required (Content-Type: ${type})`);
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', `The body must be newline-delimited JSON (Content-Type: ${type})`);
  }
  const isPacked = isGzip(headers['content-encoding']);
  leaveBodyTime(request);
  letGo(request, response);
  const gunzip = isPacked ? unpacked(request) : undefined;
  const sentBytes = (): number => gunzip?.bytesWritten ?? Infinity;
  return new StreamedBody(readWithin(gunzip ?? request, request, { ...limits, sentBytes }));
}

function isOfType(contentType: string | undefined, type: string): boolean {
  const [given = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  return given === type && parameters.every((parameter) => /^(charset="?utf-?8"?)?$/.test(parameter));
}

function isGzip(encoding = 'identity'): boolean {
  if (/^identity$/i.test(encoding)) return false;
  if (/^(x-)?gzip$/i.test(encoding)) return true;
  throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The Content-Encoding is not supported: send gzip or none');
}

function unpacked(request: IncomingMessage): Gunzip {
  const gunzip = createGunzip();
  request.once('error', (error) => gunzip.destroy(error));
  // It may fail before anybody reads it; whoever does is told.
  gunzip.on('error', () => undefined);
  return request.pipe(gunzip);
}

/** So long a caller that was refused may go on sending: whoever hangs up on it at once may take the refusal from it, too. */
const lingerMs = 5_000;

/** When the answer is out, the rest of the body is read for nothing for a while; then the connection is closed. */
function letGo(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    request.unpipe();
    request.resume();
    const timer = setTimeout(() => request.destroy(), lingerMs);
    request.once('close', () => clearTimeout(timer));
  });
}

interface ReadOptions extends StreamLimits {
  readonly pay: Pay;
  /** Before its Content-Encoding; Infinity without one. */
  readonly sentBytes: () => number;
}

async function* readWithin(
  source: Readable,
  request: IncomingMessage,
  { bytesMax, patienceMs, totalMs, pay, sentBytes }: ReadOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const until = Date.now() + totalMs;
  const iterator = source.iterator({ destroyOnReturn: false });
  const patience = createPatience(patienceMs);
  const payFor = createToll(pay);
  let bytes = 0;
  try {
    for (;;) {
      const next = await nextWithin(iterator, request, patience);
      if (next.done === true) return;
      const chunk: unknown = next.value;
      if (!(chunk instanceof Uint8Array)) throw new Error('a body is read as bytes');
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw new Refusal('PAYLOAD_TOO_LARGE', `The body is larger than ${megabytes(bytesMax)} MB`);
      if (bytes > anyRatioBytesMax && bytes > ratioMax * sentBytes())
        throw new Refusal('PAYLOAD_TOO_LARGE', `The body unpacks to more than ${ratioMax} times what was sent`);
      if (Date.now() > until) throw new Refusal('REQUEST_TIMEOUT', 'The upload took too long');
      patience.restore(chunk.byteLength);
      await payFor(chunk);
      yield chunk;
    }
  } finally {
    // Not awaited: a source that has fallen silent would keep it waiting. It ends when the connection is closed.
    iterator.return?.().catch(() => undefined);
  }
}

const megabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);

/** Only waiting for the caller uses it up: what we take for what came, and what it waits for points, does not. */
function createPatience(patienceMs: number) {
  let leftMs = patienceMs;
  return {
    leftMs: (): number => leftMs,
    spend: (waitedMs: number): void => {
      leftMs = Math.max(0, leftMs - waitedMs);
    },
    restore: (bytes: number): void => {
      leftMs = Math.min(patienceMs, leftMs + (bytes * 1_000) / leastBytesPerSecond);
    },
  };
}

async function nextWithin(
  iterator: AsyncIterator<unknown>,
  request: IncomingMessage,
  patience: ReturnType<typeof createPatience>,
): Promise<IteratorResult<unknown>> {
  const next = iterator.next().catch((error: unknown) => {
    throw brokenOff(request, error);
  });
  const startedAt = performance.now();
  const first = await pTimeout(next, { milliseconds: patience.leftMs(), fallback: () => 'too-slow' as const });
  patience.spend(performance.now() - startedAt);
  if (first !== 'too-slow') return first;
  next.catch(() => undefined);
  throw new Refusal(
    'REQUEST_TIMEOUT',
    `The upload is too slow: send at least ${leastBytesPerSecond / 1024} KB a second`,
  );
}

function brokenOff(request: IncomingMessage, cause: unknown): Refusal {
  const isEncoding = cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_');
  const message =
    isEncoding && !request.destroyed ? 'The body is not what its Content-Encoding says' : 'The upload broke off';
  return new Refusal('BAD_REQUEST', message, { cause });
}
