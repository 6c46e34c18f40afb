import type { TSchema } from 'typebox';
import { refusalStatus, type RefusalCode } from '../../core/errors.ts';
import { errorBodySchema } from '../../schemas/errors.ts';
import { replayedHeader } from '../http/idempotency.ts';
import { isIdempotent, type DescribedAnswer, type Route } from '../http/route.ts';
import type { Components } from './components.ts';
import { describeLinks } from './describe-links.ts';

type Json = Readonly<Record<string, unknown>>;

/** `responses` of an operation: the answers of its row, and the refusals common to all rows of its kind. */
export function describeAnswers(route: Route, components: Components, routes: readonly Route[]): Json {
  const answers = Object.entries(route.answers).map(([status, answer]) => {
    const links = isDryRun(route, Number(status)) ? {} : describeLinks(route, answer.schema, routes);
    const described = withReplay(route, describeAnswer(route, answer, components));
    return [status, { ...described, ...(Object.keys(links).length > 0 && { links }) }] as const;
  });
  return Object.fromEntries([...describeRefusals(route, components), ...answers]);
}

/** A 200 beside a 202 is the answer without effect (`validateOnly`, `dryRun`). */
const isDryRun = ({ answers }: Route, status: number): boolean => status === 200 && Object.hasOwn(answers, 202);

function describeAnswer(
  route: Route,
  { description, schema, contentType, headers = {} }: DescribedAnswer,
  components: Components,
): Json & { readonly headers: Json } {
  const answer = { description, headers: describeHeaders(route, headers) };
  if (schema !== undefined) return { ...answer, content: jsonContent(schema, components) };
  if (contentType === undefined) return answer;
  return { ...answer, content: { [contentType]: { schema: { type: 'string', format: 'binary' } } } };
}

/** The one header that only some answers have. */
function withReplay(route: Route, answer: { readonly headers: Json }): Json {
  if (!isIdempotent(route)) return answer;
  const description = 'true when this is the first answer to the same Idempotency-Key again';
  const replayed = { description, required: false, schema: { type: 'string', enum: ['true'] } };
  return { ...answer, headers: { ...answer.headers, [replayedHeader]: replayed } };
}

function describeRefusals(route: Route, components: Components): (readonly [string, Json])[] {
  const codesByStatus = new Map<number, RefusalCode[]>();
  for (const code of new Set(refusalCodes(route))) {
    const status = refusalStatus[code];
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
  }
  return [...codesByStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.join(', '),
      headers: describeHeaders(route, refusalHeaders[status] ?? {}),
      content: jsonContent(errorBodySchema, components),
    },
  ]);
}

const retryAfter = { 'Retry-After': 'Seconds after which trying again makes sense' };
const refusalHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = { 429: retryAfter, 503: retryAfter };

/** Refusals that a route may give without listing them. */
function refusalCodes(route: Route): RefusalCode[] {
  const { credential, request, path, refusals = [] } = route;
  return [
    // For invalid percent encoding in the path, and for a repeated query parameter.
    'BAD_REQUEST',
    ...(request === undefined ? [] : (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_FAILED'] as const)),
    ...(credential === 'none' ? [] : (['UNAUTHORIZED', 'ACCOUNT_SUSPENDED'] as const)),
    ...(credential === 'api-key' || credential === 'either' ? (['PARTNER_ACCOUNT_FORBIDDEN'] as const) : []),
    ...refusals,
    ...(isIdempotent(route) ? (['VALIDATION_FAILED', 'REQUEST_IN_PROGRESS'] as const) : []),
    // Health checks are never refused.
    ...(healthPaths.has(path) ? [] : (['RATE_LIMITED'] as const)),
    'INTERNAL',
    'UNAVAILABLE',
  ];
}

/** draft-ietf-httpapi-ratelimit-headers-11 */
const rateLimitHeaders = {
  'RateLimit-Policy':
    'The limit that this call counts against: `"key";q=200;w=2` is a burst of 200, all back after 2 seconds',
  RateLimit: 'What is left of it: `"key";r=150;t=2` is 150 calls, which last 2 seconds at the steady rate',
};

const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Every such answer has all of these headers, so optional ones are left out. */
function describeHeaders(route: Route, headers: Readonly<Record<string, string>>): Json {
  const all = {
    'X-Request-Id': 'Id of the request, also in the logs: the one that was sent, or a new one',
    ...(healthPaths.has(route.path) ? {} : rateLimitHeaders),
    ...headers,
  };
  return Object.fromEntries(
    Object.entries(all).map(([name, description]) => [
      name,
      { description, required: true, schema: { type: 'string' } },
    ]),
  );
}

const jsonContent = (schema: TSchema, components: Components): Json => ({
  'application/json': { schema: components.refer(schema) },
});
