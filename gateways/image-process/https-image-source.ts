import type { Agent, Dispatcher } from 'undici';
import { request } from 'undici';
import type { ImageFailure } from '../../core/items/image-failure.ts';
import { startDeadline, type Deadline } from '../../platform/concurrency/deadline.ts';
import { describeNetworkProblem, hostNotFound } from '../../platform/network-problem.ts';
import { followRedirects, statusProblem } from './image-answer.ts';
import { ImageDownloadError, type ImageRoom, type ImageSource, type Retry } from './port.ts';
import { unpackImage } from './unpack-image.ts';

export interface HttpsImageSourceOptions {
  /** The guarded agent, the only protection that keeps partners' URLs out of the private network. */
  readonly agent: Agent;
  /** Default 20 MB. */
  readonly bytesMax?: number;
  /** In ms, from the first packet to the last byte, redirects included; default 20,000. */
  readonly timeoutMs?: number;
}

const megabyte = 1_000_000;
const defaultBytesMax = 20 * megabyte;
/** The assumed size of an image whose host sends no length. */
const usualBytes = 4 * megabyte;
const defaultTimeoutMs = 20_000;
const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'itembridge-images/1' } as const;
const newBuffer: ImageRoom = (bytes) => Promise.resolve(Buffer.allocUnsafeSlow(bytes));

/** Downloads images over HTTPS, bounded in size and time. */
export function createHttpsImageSource(options: HttpsImageSourceOptions): ImageSource {
  const { agent, bytesMax = defaultBytesMax, timeoutMs = defaultTimeoutMs } = options;
  const limits = { agent, bytesMax, timeoutMs };
  return {
    async download(url, { signal, room = newBuffer } = {}) {
      const attempt = { target: httpsUrl(url), signal, room };
      const usual = Math.min(usualBytes, bytesMax);
      const image =
        (await tryOnce(limits, { ...attempt, sizeOf: (announced) => announced ?? usual })) ??
        (await tryOnce(limits, { ...attempt, sizeOf: () => bytesMax }));
      if (image === undefined) throw tooLarge(bytesMax);
      return image;
    },
  };
}

function httpsUrl(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined) throw permanent({ kind: 'invalid_address' });
  if (target.protocol !== 'https:') throw permanent({ kind: 'not_https' });
  return target;
}

interface Attempt {
  readonly target: URL;
  readonly signal: AbortSignal | undefined;
  readonly room: ImageRoom;
  /** The bytes to make room for. */
  readonly sizeOf: (announced: number | undefined) => number;
}

/** Returns undefined when the image was larger than its room. */
async function tryOnce(
  { agent, bytesMax, timeoutMs }: Required<HttpsImageSourceOptions>,
  { target, signal, room, sizeOf }: Attempt,
): Promise<Buffer | undefined> {
  const deadline = startDeadline(timeoutMs, signal);
  let answer: Dispatcher.ResponseData | undefined;
  try {
    answer = await followRedirects(target, (hop) =>
      request(hop, { dispatcher: agent, signal: deadline.signal, headers }),
    );
    const bytes = sizeOf(announcedBytes(answer, bytesMax));
    const buffer = await deadline.without(() => room(bytes));
    return await readInto(buffer.subarray(0, bytesMax), answer);
  } catch (error) {
    throw asDownloadError(error, deadline, { timeoutMs, hasHead: answer !== undefined, stopped: signal?.aborted });
  } finally {
    deadline.stop();
    // What was not read costs its connection: to read it to its end may cost more.
    answer?.body.destroy();
  }
}

function announcedBytes({ statusCode, headers: given }: Dispatcher.ResponseData, bytesMax: number): number | undefined {
  const problem = statusProblem(statusCode);
  if (problem !== undefined) throw problem;
  if (given['content-length'] === undefined) return undefined;
  const bytes = Number(given['content-length']);
  if (bytes > bytesMax) throw tooLarge(bytesMax);
  return bytes;
}

/** Ends with the first byte that has no room. */
async function readInto(room: Buffer, { body, headers: given }: Dispatcher.ResponseData): Promise<Buffer | undefined> {
  let length = 0;
  for await (const chunk of unpackImage(body, String(given['content-encoding'] ?? ''))) {
    if (length + chunk.length > room.length) return undefined;
    room.set(chunk, length);
    length += chunk.length;
  }
  if (length === 0) throw permanent({ kind: 'empty' });
  return room.subarray(0, length);
}

function asDownloadError(
  error: unknown,
  deadline: Deadline,
  context: { timeoutMs: number; hasHead: boolean; stopped: boolean | undefined },
): ImageDownloadError {
  if (error instanceof ImageDownloadError) return error;
  const failed = (failure: ImageFailure, retry: Retry): ImageDownloadError =>
    new ImageDownloadError(failure, { retry, cause: error });
  if (deadline.hasExpired()) return failed({ kind: 'too_slow', number: context.timeoutMs / 1000 }, 'soon');
  if (context.stopped === true) return failed({ kind: 'broken', detail: 'download was stopped' }, 'soon');
  const { kind, message } = describeNetworkProblem(error, context);
  switch (kind) {
    case 'blocked':
      return failed({ kind: 'not_public' }, 'never');
    case 'untrusted':
      return failed({ kind, detail: message }, 'never');
    case 'unreachable':
      return failed(message === hostNotFound ? { kind: 'host_not_found' } : { kind, detail: message }, 'soon');
    case 'broken':
      return failed({ kind, detail: message }, 'soon');
  }
}

const permanent = (failure: ImageFailure): ImageDownloadError => new ImageDownloadError(failure, { retry: 'never' });
const tooLarge = (bytesMax: number): ImageDownloadError =>
  permanent({ kind: 'too_large', number: bytesMax / megabyte });
