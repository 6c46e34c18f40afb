import { replayedHeader } from '../http/idempotency.ts';
import { isIdempotent, type Route } from '../http/route.ts';
import type { Components } from './components.ts';

type Json = Readonly<Record<string, unknown>>;
type Descriptions = Readonly<Record<string, string>>;

/** `headers` of an answer: those of every answer, and its own by name and description. Every such answer has them. */
export function describeHeaders(route: Route, own: Descriptions, components: Components): Json {
  const all = { ...requestId, ...(isHealthCheck(route) ? {} : rateLimitHeaders), ...own };
  const headers = Object.entries(all).map(([name, description]) => {
    const header = { description, required: true, schema: { type: 'string' } };
    return [name, ownHeaders.has(name) ? header : components.share('headers', name, header)] as const;
  });
  return Object.fromEntries(headers);
}

/** The one header that only some answers of an operation have. */
export function describeReplay(route: Route, components: Components): Json {
  if (!isIdempotent(route)) return {};
  const description = 'true when this is the first answer to the same Idempotency-Key again';
  const header = { description, required: false, schema: { type: 'string', enum: ['true'] } };
  return { [replayedHeader]: components.share('headers', replayedHeader, header) };
}

/** Health checks are never refused, and count against no limit. */
export const isHealthCheck = ({ path }: Route): boolean => path === '/healthz' || path === '/readyz';

const requestId = { 'X-Request-Id': 'Id of the request, also in the logs: the one that was sent, or a new one' };

/** draft-ietf-httpapi-ratelimit-headers-11 */
const rateLimitHeaders = {
  'RateLimit-Policy':
    'The limit that this call counts against: `"key";q=200;w=2` is a burst of 200, all back after 2 seconds',
  RateLimit: 'What is left of it: `"key";r=150;t=2` is 150 calls, which last 2 seconds at the steady rate',
};

/** Each operation says something else of these. */
const ownHeaders: ReadonlySet<string> = new Set(['Set-Cookie', 'Location', 'Age']);
