import type { Agent, Dispatcher } from 'undici';
import { request } from 'undici';
import { imageBytesMax } from '../../features/images/rules/image-limits.ts';
import type { ImageFailure } from '../../features/images/rules/image-failure.ts';
import { startDeadline, type Deadline } from '../../platform/concurrency/deadline.ts';
import { describeNetworkProblem, hostNotFound } from '../../platform/network-problem.ts';
import { followRedirects, statusProblem } from './image-answer.ts';
import { UnusableImage, type Retry } from './port.ts';
import { openBody, type OpenBody } from './open-body.ts';

export interface ImageDownloadOptions {
  /** The guarded agent, the only protection that keeps partners' URLs out of the private network. */
  readonly agent: Agent;
  /** Default 20 MB. */
  readonly bytesMax?: number;
  /** In ms, from the first packet to the last byte, redirects included; default 20,000. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 20_000;
const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'itembridge-images/1' } as const;

export interface DownloadOptions {
  /** Aborts the download. */
  readonly signal?: AbortSignal | undefined;
  /** Resolves when there is room for so many bytes. The image waits meanwhile, and its time stands still. */
  readonly room?: (bytes: number) => Promise<void>;
}

/** Downloads a partner's image over HTTPS, bounded in size and time. Throws {@link UnusableImage}. */
export type DownloadImage = (url: string, options?: DownloadOptions) => Promise<Buffer>;

export function createImageDownload(options: ImageDownloadOptions): DownloadImage {
  const { agent, bytesMax = imageBytesMax, timeoutMs = defaultTimeoutMs } = options;
  return async (url, { signal, room = () => Promise.resolve() } = {}) => {
    const target = httpsUrl(url);
    const deadline = startDeadline(timeoutMs, signal);
    let answer: Dispatcher.ResponseData | undefined;
    try {
      answer = await followRedirects(target, (hop) =>
        request(hop, { dispatcher: agent, signal: deadline.signal, headers }),
      );
      const announced = announcedBytes(answer, bytesMax);
      const { isPacked, picture } = await openBody(answer.body, String(answer.headers['content-encoding'] ?? ''));
      const bytes = isPacked || announced === undefined ? bytesMax : announced;
      await deadline.without(() => room(bytes));
      return await readAll(picture, bytes, bytesMax);
    } catch (error) {
      throw asUnusable(error, deadline, { timeoutMs, hasHead: answer !== undefined, stopped: signal?.aborted });
    } finally {
      deadline.stop();
      // What was not read costs its connection: to read it to its end may cost more.
      answer?.body.destroy();
    }
  };
}

function httpsUrl(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined) throw new UnusableImage({ kind: 'invalid_address' });
  if (target.protocol !== 'https:') throw new UnusableImage({ kind: 'not_https' });
  return target;
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
async function readAll(picture: OpenBody['picture'], room: number, bytesMax: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(room);
  let length = 0;
  for await (const chunk of picture) {
    if (length + chunk.length > room) throw tooLarge(bytesMax);
    bytes.set(chunk, length);
    length += chunk.length;
  }
  if (length === 0) throw new UnusableImage({ kind: 'empty' });
  return bytes.subarray(0, length);
}

function asUnusable(
  error: unknown,
  deadline: Deadline,
  context: { timeoutMs: number; hasHead: boolean; stopped: boolean | undefined },
): UnusableImage {
  if (error instanceof UnusableImage) return error;
  const failed = (failure: ImageFailure, retry: Retry): UnusableImage =>
    new UnusableImage(failure, { retry, cause: error });
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

const tooLarge = (bytesMax: number): UnusableImage =>
  new UnusableImage({ kind: 'too_large', number: bytesMax / 1_000_000 });
