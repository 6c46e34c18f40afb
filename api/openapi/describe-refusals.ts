import { refusalStatus, type RefusalCode } from '../../core/errors.ts';
import { errorBodySchema } from '../../schemas/errors.ts';
import { isIdempotent, takesKey, takesMembers, type Route } from '../http/route.ts';
import type { Components } from './components.ts';
import { describeHeaders, isHealthCheck } from './describe-headers.ts';

type Json = Readonly<Record<string, unknown>>;

/** The refusals that are common to all rows of its kind, and those that the row names: one answer for each status. */
export function describeRefusals(route: Route, components: Components): (readonly [string, Json])[] {
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
