import Type, { type TSchema } from 'typebox';
import { refusalStatus, type RefusalCode } from '../../features/rules/errors.ts';
import { errorBodySchema } from '../../schemas/errors.ts';
import { replayedHeader } from '../http/idempotency.ts';
import { isForMembers, isIdempotent, takesKey, takesMembers, type DescribedAnswer, type Route } from '../http/route.ts';
import type { Components } from './components.ts';

type Json = Readonly<Record<string, unknown>>;

/** `responses` of an operation: the answers and refusals of its row. */
export function describeAnswers(route: Route, components: Components, routes: readonly Route[]): Json {
  const answers = Object.entries(route.answers).map(([status, answer]) => {
    const links = isDryRun(route, Number(status)) ? {} : describeLinks(route, answer.schema, routes);
    const described = describeAnswer(route, { ...answer, ...bodyOf(route, Number(status)) }, components);
    return [status, { ...described, ...(Object.keys(links).length > 0 && { links }) }] as const;
  });
  return Object.fromEntries([...describeRefusals(route, components), ...answers]);
}

/** A 200 beside a 202 is the answer without effect (`validateOnly`, `dryRun`). */
const isDryRun = ({ answers }: Route, status: number): boolean => status === 200 && Object.hasOwn(answers, 202);

/**
 * The body of a dry run, or that of the 202. Generators for Java and TypeScript read every success with the lowest
 * status. If the 200 described the dry run's body alone, every stored PUT would be an error there.
 */
function bodyOf(route: Route, status: number): { readonly schema?: TSchema } {
  const [dry, done] = [route.answers[status]?.schema, route.answers[202]?.schema];
  if (!isDryRun(route, status) || dry === undefined || done === undefined) return {};
  const $id = `${nameOf(done)}Or${nameOf(dry)}`;
  return { schema: Type.Unsafe({ $id, oneOf: [done, dry], description: 'The second one when it was only a check' }) };
}

function nameOf(schema: TSchema): string {
  if (!('$id' in schema) || typeof schema.$id !== 'string') throw new Error('the body of an answer needs an $id');
  return schema.$id;
}

function describeAnswer(
  route: Route,
  { description, schema, contentType, headers = {} }: DescribedAnswer,
  components: Components,
): Json {
  const all = { ...describeHeaders(route, headers, components), ...describeReplay(route, components) };
  const answer = { description, headers: all };
  const type = contentType ?? 'application/json';
  if (schema !== undefined) return { ...answer, content: { [type]: { schema: components.refer(schema) } } };
  if (contentType === undefined) return answer;
  return { ...answer, content: { [contentType]: { schema: { type: 'string', format: 'binary' } } } };
}

/** The refusals common to its kind of row, and those that the row names: one answer for each status. */
function describeRefusals(route: Route, components: Components): (readonly [string, Json])[] {
  const codesByStatus = new Map<number, RefusalCode[]>();
  for (const code of new Set(refusalCodes(route))) {
    const status = refusalStatus[code];
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
  }
  return [...codesByStatus].map(([status, codes]) => [String(status), describeRefusal(route, codes, components)]);
}

function describeRefusal(route: Route, codes: readonly RefusalCode[], components: Components): Json {
  const own = refusalHeaders[refusalStatus[codes[0] ?? 'INTERNAL']] ?? {};
  return components.share('responses', (isHealthCheck(route) ? 'Health' : '') + codes.map(asName).join('Or'), {
    description: codes.join(', '),
    headers: describeHeaders(route, own, components),
    content: { 'application/json': { schema: components.refer(errorBodySchema) } },
  });
}

const retryAfter = { 'Retry-After': 'Seconds after which trying again makes sense' };
const refusalHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  416: { 'Content-Range': 'Which bytes these are, and how many there are; `bytes */` and how many when none are' },
  429: retryAfter,
  503: retryAfter,
};

/** `NOT_FOUND` → `NotFound`. */
const asName = (code: RefusalCode): string =>
  code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** Refusals that a route may give without listing them. */
function refusalCodes(route: Route): RefusalCode[] {
  const { credential, request, refusals = [] } = route;
  return [
    // For invalid percent encoding in the path, and for a repeated query parameter.
    'BAD_REQUEST',
    ...(request === undefined ? [] : (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_FAILED'] as const)),
    ...(credential === 'none' ? [] : (['UNAUTHORIZED', 'ACCOUNT_SUSPENDED'] as const)),
    ...(takesMembers(route) ? (['PARTNER_ACCOUNT_FORBIDDEN'] as const) : []),
    ...(takesKey(route) ? (['KEY_ADDRESS_FORBIDDEN'] as const) : []),
    ...(takesKey(route) && route.keyScope !== null ? (['KEY_SCOPE_MISSING'] as const) : []),
    ...refusals,
    ...(isIdempotent(route) ? (['VALIDATION_FAILED', 'REQUEST_IN_PROGRESS'] as const) : []),
    ...(isHealthCheck(route) ? [] : (['RATE_LIMITED'] as const)),
    'INTERNAL',
    'UNAVAILABLE',
  ];
}

type Descriptions = Readonly<Record<string, string>>;

/** `headers` of an answer: the common ones and its own, by name and description. Every such answer has them. */
function describeHeaders(route: Route, own: Descriptions, components: Components): Json {
  const all = { ...requestId, ...(isHealthCheck(route) ? {} : rateLimitHeaders), ...own };
  const headers = Object.entries(all).map(([name, description]) => {
    const header = { description, required: true, schema: { type: 'string' } };
    return [name, ownHeaders.has(name) ? header : components.share('headers', name, header)] as const;
  });
  return Object.fromEntries(headers);
}

/** The only header that not every answer of an operation has. */
function describeReplay(route: Route, components: Components): Json {
  if (!isIdempotent(route)) return {};
  const description = 'true when this is the first answer to the same Idempotency-Key again';
  const header = { description, required: false, schema: { type: 'string', enum: ['true'] } };
  return { [replayedHeader]: components.share('headers', replayedHeader, header) };
}

/** Health checks are never refused, and count against no limit. */
const isHealthCheck = ({ path }: Route): boolean => path === '/healthz' || path === '/readyz';

const requestId = { 'X-Request-Id': 'Id of the request, also in the logs: the one that was sent, or a new one' };

/** draft-ietf-httpapi-ratelimit-headers-11 */
const rateLimitHeaders = {
  'RateLimit-Policy':
    'The limit that this call counts against: `"key";q=200;w=2` is a burst of 200, all back after 2 seconds',
  RateLimit: 'What is left of it: `"key";r=150;t=2` is 150 calls, which last 2 seconds at the steady rate',
};

/** The description of these differs between operations. */
const ownHeaders: ReadonlySet<string> = new Set(['Set-Cookie', 'Location', 'Age']);

/**
 * `links` of an operation's answer with `schema`: the next operations of its caller, and the source of their path parameters.
 * They are derived from the route table. A caller that writes a path can use all paths below it. A caller that creates or lists
 * objects can use all operations on one of them.
 */
function describeLinks(route: Route, schema: unknown, routes: readonly Route[]): Json {
  const links = routes
    .filter((target) => target !== route && isSameCaller(route, target))
    .flatMap((target) => {
      const parameters = parametersFor(route, target, schema);
      return parameters === undefined ? [] : [[target.name, { operationId: target.name, parameters }] as const];
    });
  return Object.fromEntries(links);
}

/** What was read for a member leads only to what takes a member. */
const isSameCaller = (one: Route, other: Route): boolean =>
  one.credential === other.credential && (!isForMembers(one) || isForMembers(other));

/** Returns the sources of the target's path parameters; undefined when the answer does not lead there. */
function parametersFor(source: Route, target: Route, schema: unknown): Json | undefined {
  const names = parametersOf(target.path);
  if (names.length === 0 || source.method === 'delete' || source.method === 'patch') return undefined;
  if (source.method === 'put' && isAtOrBeneath(target.path, source.path) && source.path.includes('{'))
    return Object.fromEntries(names.map((name) => [name, `$request.path.${name}`]));
  const [name = ''] = names;
  if (names.length !== 1 || !isAtOrBeneath(target.path, `${source.path}/{${name}}`)) return undefined;
  const pointer = pointerTo(fieldOf[name] ?? name, schema);
  return pointer === undefined ? undefined : { [name]: `$response.body#${pointer}` };
}

/** Names of path parameters in bodies. */
const fieldOf: Readonly<Record<string, string>> = { external_id: 'externalId' };

const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const isAtOrBeneath = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`);

/** Pointer to a field of the answer, or of the first element of a list in it. */
function pointerTo(name: string, schema: unknown): string | undefined {
  const properties = field(schema, 'properties');
  if (field(properties, name) !== undefined) return `/${name}`;
  if (typeof properties !== 'object' || properties === null) return undefined;
  const list = Object.entries(properties).find(([, part]) => field(itemFields(part), name) !== undefined);
  return list === undefined ? undefined : `/${list[0]}/0/${name}`;
}

const itemFields = (schema: unknown): unknown => field(field(schema, 'items'), 'properties');

const field = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? Object.getOwnPropertyDescriptor(holder, name)?.value : undefined;
