import type { Agent, Dispatcher } from 'undici';
import { request } from 'undici';
import type { ImageFailure, ImageFailureKind } from '../../core/items/image-failure.ts';
import { startDeadline, type Deadline } from '../../platform/concurrency/deadline.ts';
import { describeNetworkProblem, hostNotFound } from '../../platform/network-problem.ts';
import { ImageDownloadError, type ImageSource } from './port.ts';

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
  return {
    async download(url, { signal, makeRoom } = {}) {
      const target = httpsUrl(url);
      const deadline = startDeadline(limits.timeoutMs, signal);
      try {
        const answer = await request(target, { dispatcher: options.agent, signal: deadline.signal, headers });
        return await readImage(answer, limits.bytesMax, async (bytes) =>
          makeRoom === undefined ? Buffer.allocUnsafeSlow(bytes) : makeRoom(bytes, deadline.signal),
        );
      } catch (error) {
        throw asDownloadError(error, deadline, { timeoutMs: limits.timeoutMs, stopped: signal?.aborted === true });
      } finally {
        deadline.stop();
      }
    },
  };
}

function httpsUrl(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined) throw permanent({ kind: 'invalid_address' });
  if (target.protocol !== 'https:') throw permanent({ kind: 'not_https' });
  return target;
}

async function readImage(
  answer: Dispatcher.ResponseData,
  bytesMax: number,
  makeRoom: (bytes: number) => Promise<Buffer>,
): Promise<Buffer> {
  const announced = Number(answer.headers['content-length'] ?? bytesMax);
  const refusal = statusProblem(answer.statusCode) ?? (announced > bytesMax ? tooLarge(bytesMax) : undefined);
  if (refusal !== undefined) {
    discard(answer);
    throw refusal;
  }
  answer.body.on('error', () => undefined); // of a body that ends while it waits
  const room = await makeRoom(announced);
  const length = await readInto(room, answer.body);
  if (length > bytesMax) throw tooLarge(bytesMax);
  if (length === 0) throw permanent({ kind: 'empty' });
  return room.subarray(0, length);
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
