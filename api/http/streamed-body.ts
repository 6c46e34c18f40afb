import type { IncomingMessage } from 'node:http';
import pTimeout from 'p-timeout';
import { Refusal } from '../../features/rules/errors.ts';
import { peek } from '../../platform/packed-bytes.ts';
import { createRunningFingerprint } from '../../platform/security/fingerprint.ts';
import { readBody, requireUtf8, unpackerFor, type BodyBytes } from './request-body.ts';

export interface StreamLimits {
  /** Limit of the whole body, unpacked. */
  readonly bytesMax: number;
  /** How long the body may keep the service waiting; each 16 KB received restores one second. */
  readonly patienceMs: number;
  readonly totalMs: number;
}

/** Minimum rate after decoding, in bytes a second: a slower upload would block its place for too long. */
const leastBytesPerSecond = 16 * 1024;

/** Limit of the compression ratio: text with the same 6 KB in each line reaches 120, an attack up to 1,000. */
const ratioMax = 200;
/** Below this size any compression ratio is accepted. */
const anyRatioBytesMax = 1024 * 1024;

/** A body of any size that is read once, at the pace of its reader, without buffering. */
export class StreamedBody {
  readonly #source: AsyncGenerator<Uint8Array, void, undefined>;
  #chunks: AsyncGenerator<Uint8Array, void, undefined>;
  readonly #fingerprint = createRunningFingerprint();
  #digest: string | undefined;

  constructor(chunks: AsyncGenerator<Uint8Array, void, undefined>) {
    this.#source = chunks;
    this.#chunks = chunks;
  }

  /** Resolves when the first bytes are there, or there are none. Throws as `bytes`. */
  async begun(): Promise<void> {
    this.#chunks = (await peek(this.#source, 1)).whole;
  }

  /**
   * Yields the decoded bytes, at the pace of the caller's rate limit. Throws {@link Refusal} PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT,
   * or BAD_REQUEST when the body breaks off or does not match its Content-Encoding.
   */
  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of this.#chunks) {
      this.#fingerprint.add(chunk);
      yield chunk;
    }
    this.#digest = this.#fingerprint.digest();
  }

  /** Stops reading; the rest of the body is ignored. */
  async close(): Promise<void> {
    await this.#source.return();
  }

  /** Digest of all bytes. Valid only after the body was read to its end. */
  digest(): string {
    if (this.#digest === undefined) throw new Error('the body was not read to its end');
    return this.#digest;
  }

  /** Reads the rest of the body for its digest only. Throws as `bytes`. */
  async drain(): Promise<void> {
    for await (const _chunk of this.bytes());
  }
}

/** Throws {@link Refusal} BAD_REQUEST without a body, UNSUPPORTED_MEDIA_TYPE for another type, charset or encoding. */
export function openStreamedBody(
  request: IncomingMessage,
  { type, ...limits }: StreamLimits & { readonly type: string; readonly pay: Pay },
): StreamedBody {
  const { headers } = request;
  if (!isOfType(headers['content-type'], type)) {
    // An empty body of the right type may have a meaning.
    if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0')
      throw new Refusal('BAD_REQUEST', `A body is required (Content-Type: ${type})`);
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', `The body must be newline-delimited JSON (Content-Type: ${type})`);
  }
  requireUtf8(headers);
  const unpacker = unpackerFor(headers);
  return new StreamedBody(readWithin(readBody(request, unpacker), limits));
}

const isOfType = (contentType: string | undefined, type: string): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === type;

async function* readWithin(
  { chunks, sentBytes }: BodyBytes,
  { bytesMax, patienceMs, totalMs, pay }: StreamLimits & { readonly pay: Pay },
): AsyncGenerator<Uint8Array, void, undefined> {
  const until = Date.now() + totalMs;
  const patience = createPatience(patienceMs);
  const payFor = createToll(pay);
  let bytes = 0;
  try {
    for (;;) {
      const next = await nextWithin(chunks, patience);
      if (next.done === true) return;
      const chunk = next.value;
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
    // Not awaited, because a silent source would never finish. It ends when the connection is closed.
    chunks.return().catch(() => undefined);
  }
}

const megabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);

/** Only the wait for the caller's bytes counts, not our own work and not the wait for points. */
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
  chunks: BodyBytes['chunks'],
  patience: ReturnType<typeof createPatience>,
): Promise<IteratorResult<Uint8Array, void>> {
  const next = chunks.next();
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

/** A body costs one point of the rate limit per this many bytes, after decoding. */
export const bytesPerPoint = 64 * 1024;

/** Takes points of the caller's limit, and resolves when they are available. */
export type Pay = (points: number) => Promise<void>;

/** Reading and checking a line costs time however short it is: 256 lines cost as much as 64 KB. */
const bytesOfLine = 256;
const newline = 0x0a;

/** Charges a streamed body piece by piece before it is read; its first point was charged with the call. */
function createToll(pay: Pay): (piece: Uint8Array) => Promise<void> {
  let cost = 0;
  let paid = 1;
  return async (piece) => {
    cost += piece.byteLength + bytesOfLine * linesIn(piece);
    const points = Math.ceil(cost / bytesPerPoint) - paid;
    if (points <= 0) return;
    paid += points;
    await pay(points);
  };
}

function linesIn(piece: Uint8Array): number {
  let lines = 0;
  for (const byte of piece) if (byte === newline) lines += 1;
  return lines;
}
