import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { Refusal } from '../../core/errors.ts';
import { createRunningFingerprint } from '../../security/running-fingerprint.ts';
import { mayTakeItsTime } from './hurry-bodies.ts';

export interface StreamLimits {
  /** Of the whole body, unpacked. */
  readonly bytesMax: number;
  /** Without a byte for so long, the upload has died. */
  readonly silenceMs: number;
  readonly totalMs: number;
}

/** A body of any size, to be read once, as slowly as its reader likes: nothing of it is held here. */
export class StreamedBody {
  readonly #chunks: AsyncIterable<Uint8Array>;
  readonly #fingerprint = createRunningFingerprint();
  #digest: string | undefined;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks;
  }

  /**
   * After its Content-Encoding. Throws {@link Refusal} PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, or BAD_REQUEST when it breaks off or
   * is not what its Content-Encoding says.
   */
  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of this.#chunks) {
      this.#fingerprint.add(chunk);
      yield chunk;
    }
    this.#digest = this.#fingerprint.digest();
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
  { type, ...limits }: StreamLimits & { readonly type: string },
): StreamedBody {
  const { headers } = request;
  if (!isOfType(headers['content-type'], type)) {
    // One that is there and empty may mean something.
    if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0')
      throw new Refusal('BAD_REQUEST', `A body is required (Content-Type: ${type})`);
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', `The body must be newline-delimited JSON (Content-Type: ${type})`);
  }
  const isPacked = isGzip(headers['content-encoding']);
  mayTakeItsTime(request);
  letGo(request, response);
  const source = isPacked ? unpacked(request) : request;
  return new StreamedBody(readWithin(source, request, limits));
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

function unpacked(request: IncomingMessage): Readable {
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

async function* readWithin(
  source: Readable,
  request: IncomingMessage,
  { bytesMax, silenceMs, totalMs }: StreamLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const until = Date.now() + totalMs;
  const iterator = source.iterator({ destroyOnReturn: false });
  let bytes = 0;
  try {
    for (;;) {
      const next = await nextWithin(iterator, request, silenceMs);
      if (next.done === true) return;
      const chunk: unknown = next.value;
      if (!(chunk instanceof Uint8Array)) throw new Error('a body is read as bytes');
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw new Refusal('PAYLOAD_TOO_LARGE', `The body is larger than ${megabytes(bytesMax)} MB`);
      if (Date.now() > until) throw new Refusal('REQUEST_TIMEOUT', 'The upload took too long');
      yield chunk;
    }
  } finally {
    // Not awaited: a source that has fallen silent would keep it waiting. It ends when the connection is closed.
    iterator.return?.().catch(() => undefined);
  }
}

const megabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);

/** A packed body may give nothing for long while its bytes do come. */
async function nextWithin(
  iterator: AsyncIterator<unknown>,
  request: IncomingMessage,
  silenceMs: number,
): Promise<IteratorResult<unknown>> {
  const next = iterator.next().catch((error: unknown) => {
    throw brokenOff(request, error);
  });
  for (;;) {
    const bytesBefore = request.socket.bytesRead;
    const timer = new AbortController();
    const silence = pause(silenceMs, 'silence' as const, { signal: timer.signal, ref: false }).catch(
      () => 'silence' as const,
    );
    const first = await Promise.race([next, silence]).finally(() => timer.abort());
    if (first !== 'silence') return first;
    if (request.socket.bytesRead === bytesBefore) {
      next.catch(() => undefined);
      throw new Refusal('REQUEST_TIMEOUT', `No byte came for ${Math.ceil(silenceMs / 1_000)} s`);
    }
  }
}

function brokenOff(request: IncomingMessage, cause: unknown): Refusal {
  const isEncoding = cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_');
  const message =
    isEncoding && !request.destroyed ? 'The body is not what its Content-Encoding says' : 'The upload broke off';
  return new Refusal('BAD_REQUEST', message, { cause });
}
