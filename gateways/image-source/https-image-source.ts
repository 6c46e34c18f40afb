import type { Agent, Dispatcher } from 'undici';
import { request } from 'undici';
import type { ImageFailure, ImageFailureKind } from '../../core/items/image-failure.ts';
import { startDeadline, type Deadline } from '../../platform/concurrency/deadline.ts';
import { describeNetworkProblem, hostNotFound } from '../../platform/network-problem.ts';
import { ImageDownloadError, type ImageRoom, type ImageSource } from './port.ts';

export interface HttpsImageSourceOptions {
  /** The guarded agent, the only protection that keeps partners' URLs out of the private network. */
  readonly agent: Agent;
  /** Default 20 MB. */
  readonly bytesMax?: number;
  /** In ms, from the first packet to the last byte; default 20,000. */
  readonly timeoutMs?: number;
}

const megabyte = 1_000_000;
const defaultBytesMax = 20 * megabyte;
/** The assumed size of an image whose host sends no length. */
const usualBytes = 4 * megabyte;
const defaultTimeoutMs = 20_000;
const kindOfRefusal: Readonly<Record<number, ImageFailureKind>> = {
  401: 'no_access',
  403: 'no_access',
  404: 'not_found',
  408: 'server_fault',
  410: 'not_found',
  425: 'server_fault',
  429: 'too_many_requests',
};
/** Client-error statuses that are worth a retry. */
const transientStatus: ReadonlySet<number> = new Set([408, 425, 429]);
const headers = { accept: 'image/*', 'user-agent': 'itembridge-images/1' } as const;

/** Downloads images over HTTPS, bounded in size and time. */
export function createHttpsImageSource(options: HttpsImageSourceOptions): ImageSource {
  const limits = { bytesMax: options.bytesMax ?? defaultBytesMax, timeoutMs: options.timeoutMs ?? defaultTimeoutMs };
  const ask = async (target: URL, take: ImageRoom['take'], signal?: AbortSignal): Promise<Buffer | NeedsRoom> => {
    const deadline = startDeadline(limits.timeoutMs, signal);
    try {
      const answer = await request(target, { dispatcher: options.agent, signal: deadline.signal, headers });
      return await readImage(answer, limits.bytesMax, take);
    } catch (error) {
      throw asDownloadError(error, deadline, { timeoutMs: limits.timeoutMs, stopped: signal?.aborted === true });
    } finally {
      deadline.stop();
    }
  };
  return {
    async download(url, { signal, room = anyRoom } = {}) {
      const target = httpsUrl(url);
      const image = await ask(target, (bytes) => room.take(bytes), signal);
      if (Buffer.isBuffer(image)) return image;
      const buffer = await room.wait(image.bytes);
      const later = await ask(target, (bytes) => (bytes > buffer.length ? undefined : buffer), signal);
      if (Buffer.isBuffer(later)) return later;
      throw new ImageDownloadError({ kind: 'broken', detail: 'the image became larger' }, { transient: true });
    },
  };
}

interface NeedsRoom {
  readonly bytes: number;
}

const newBuffer = (bytes: number): Buffer => Buffer.allocUnsafeSlow(bytes);
const anyRoom: ImageRoom = { take: newBuffer, wait: (bytes) => Promise.resolve(newBuffer(bytes)) };

function httpsUrl(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined) throw permanent({ kind: 'invalid_address' });
  if (target.protocol !== 'https:') throw permanent({ kind: 'not_https' });
  return target;
}

/** Reads a body at once or not at all: undici 7 ends the process when a host hangs up while a body waits (its issue 5360). */
async function readImage(
  answer: Dispatcher.ResponseData,
  bytesMax: number,
  take: ImageRoom['take'],
): Promise<Buffer | NeedsRoom> {
  const announced = answer.headers['content-length'];
  const bytes = Number(announced ?? Math.min(usualBytes, bytesMax));
  const refusal = statusProblem(answer.statusCode) ?? (bytes > bytesMax ? tooLarge(bytesMax) : undefined);
  const buffer = refusal === undefined ? take(bytes) : undefined;
  if (buffer === undefined) discard(answer);
  if (refusal !== undefined) throw refusal;
  if (buffer === undefined) return { bytes };
  const length = await readInto(buffer, answer.body);
  if (length === 0) throw permanent({ kind: 'empty' });
  if (length <= Math.min(buffer.length, bytesMax)) return buffer.subarray(0, length);
  if (announced === undefined && buffer.length < bytesMax) return { bytes: bytesMax };
  throw tooLarge(bytesMax);
}

/** Returns how many bytes there are. Ends with the first that has no room; leaving the loop destroys the body. */
async function readInto(room: Buffer, body: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const chunk of body) {
    if (length + chunk.length > room.length) return Infinity;
    room.set(chunk, length);
    length += chunk.length;
  }
  return length;
}

function statusProblem(status: number): ImageDownloadError | undefined {
  if (status === 200) return undefined;
  return new ImageDownloadError(
    { kind: kindOfStatus(status), number: status },
    { transient: status >= 500 || transientStatus.has(status) },
  );
}

function kindOfStatus(status: number): ImageFailureKind {
  if (status < 300) return 'incomplete';
  if (status < 400) return 'redirect';
  return kindOfRefusal[status] ?? (status >= 500 ? 'server_fault' : 'http_error');
}

/** Drops the body with its connection: reading a refused body to its end may cost more than a new connection. */
function discard(answer: Dispatcher.ResponseData): void {
  answer.body.on('error', () => undefined); // destroy() causes an abort error
  answer.body.destroy();
}

function asDownloadError(
  error: unknown,
  deadline: Deadline,
  context: { timeoutMs: number; stopped: boolean },
): ImageDownloadError {
  if (error instanceof ImageDownloadError) return error;
  const transient = (failure: ImageFailure): ImageDownloadError =>
    new ImageDownloadError(failure, { transient: true, cause: error });
  if (deadline.hasExpired()) return transient({ kind: 'too_slow', number: context.timeoutMs / 1000 });
  if (context.stopped) return transient({ kind: 'broken', detail: 'download was stopped' });
  const { kind, message } = describeNetworkProblem(error);
  switch (kind) {
    case 'blocked':
      return new ImageDownloadError({ kind: 'not_public' }, { transient: false, cause: error });
    case 'untrusted':
      return new ImageDownloadError({ kind, detail: message }, { transient: false, cause: error });
    case 'unreachable':
      return transient(message === hostNotFound ? { kind: 'host_not_found' } : { kind, detail: message });
    case 'broken':
      return transient({ kind, detail: message });
  }
}

const permanent = (failure: ImageFailure): ImageDownloadError => new ImageDownloadError(failure, { transient: false });
const tooLarge = (bytesMax: number): ImageDownloadError =>
  permanent({ kind: 'too_large', number: bytesMax / megabyte });
