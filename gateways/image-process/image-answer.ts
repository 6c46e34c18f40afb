import type { Dispatcher } from 'undici';
import type { ImageFailureKind } from '../../features/images/rules/image-failure.ts';
import { UnusableImage, type Retry } from './port.ts';

const hopsMax = 3;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Follows up to three redirects, to HTTPS alone. Returns the first other answer; its body may fail before it is read. Throws what
 * `get` throws, or {@link UnusableImage}.
 */
export async function followRedirects(
  first: URL,
  get: (url: URL) => Promise<Dispatcher.ResponseData>,
): Promise<Dispatcher.ResponseData> {
  let url = first;
  for (let hops = 0; ; hops += 1) {
    const answer = await get(url);
    answer.body.on('error', () => undefined);
    if (!redirects.has(answer.statusCode)) return answer;
    answer.body.destroy();
    if (hops === hopsMax) throw badRedirect(answer.statusCode, `more than ${hopsMax} times`);
    url = nextUrl(url, answer);
  }
}

function nextUrl(from: URL, { statusCode, headers }: Dispatcher.ResponseData): URL {
  const { location } = headers;
  if (typeof location !== 'string') throw badRedirect(statusCode, 'without saying where to');
  // Headers are read as latin1; hosts write UTF-8 where they write more than ASCII.
  const target = Buffer.from(location, 'latin1').toString();
  if (!URL.canParse(target, from.href)) throw badRedirect(statusCode, 'to an address that is not valid');
  const url = new URL(target, from.href);
  if (url.protocol !== 'https:') throw badRedirect(statusCode, 'to an address without HTTPS');
  return url;
}

const badRedirect = (status: number, detail: string): UnusableImage =>
  new UnusableImage({ kind: 'redirect', number: status, detail });

const kindOf: Readonly<Record<number, ImageFailureKind>> = {
  202: 'not_found',
  204: 'empty',
  205: 'empty',
  401: 'no_access',
  403: 'no_access',
  404: 'not_found',
  408: 'server_fault',
  410: 'not_found',
  425: 'server_fault',
  429: 'too_many_requests',
};
/** A shop may name an image a moment before it is there. */
const notYet: ReadonlySet<number> = new Set([202, 403, 404, 425]);

/** Why an answer is no image; undefined when it is one. A 203 was changed by a proxy, and is whole. */
export function statusProblem(status: number): UnusableImage | undefined {
  if (status === 200 || status === 203) return undefined;
  return new UnusableImage({ kind: kindOfStatus(status), number: status }, { retry: retryOf(status) });
}

function kindOfStatus(status: number): ImageFailureKind {
  if (status < 300) return kindOf[status] ?? 'incomplete';
  return kindOf[status] ?? (status >= 500 ? 'server_fault' : 'http_error');
}

function retryOf(status: number): Retry {
  if (notYet.has(status)) return 'later';
  return status >= 500 || status === 408 || status === 429 ? 'soon' : 'never';
}
