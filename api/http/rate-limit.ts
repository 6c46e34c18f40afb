import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../../core/errors.ts';
import type { RateRule, RateVerdict } from '../../core/rate-limits/rate-rule.ts';
import type { Scope } from '../../core/scope.ts';
import type { Logger } from '../../platform/logger.ts';
import type { RecognisedToken } from '../../usecases/accounts/recognise-token.ts';
import type { Allowance, CallerLimits } from '../../usecases/rate-limits/create-caller-limits.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { signatureHeaderOf, type Route } from './route.ts';

/** null where limits are switched off. */
type Limits = ApiDependencies['rateLimits'];

/** One HTTP request: whose it is and where its headers go. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** From the socket, or what a trusted proxy says (`trust proxy` of the application). */
export const addressOf = (request: Request): string => request.ip ?? '';

/**
 * A header that names a caller and is not believed: then all callers behind that proxy are one. Told once, as it is either the
 * operator's mistake (TRUSTED_PROXIES) or a caller's try.
 */
export function warnOfUntrustedProxy(logger: Pick<Logger, 'warn'>): RequestHandler {
  let isTold = false;
  return (request, _response, next) => {
    if (!isTold && request.headers['x-forwarded-for'] !== undefined && request.ips.length === 0) {
      isTold = true;
      logger.warn('rate_limits.forwarded_by_untrusted_proxy');
    }
    next();
  };
}

/** Health is for supervisors, who must never be turned away. */
const isUnlimited = ({ path }: Pick<Route, 'path'>): boolean => path === '/healthz' || path === '/readyz';

/** Whether the call may prove itself by its body. When it is refused after all, {@link admitUnrouted} counts it. */
function isPerhapsSigned(route: Route, { headers }: Request): boolean {
  const header = signatureHeaderOf(route);
  return header !== undefined && headers[header] !== undefined;
}

/** A call without a credential. Throws {@link Refusal} RATE_LIMITED. */
export async function admitStranger(route: Route, limits: Limits, { request, response }: Exchange): Promise<void> {
  if (limits === null || isUnlimited(route) || isPerhapsSigned(route, request)) return;
  const address = addressOf(request);
  const isConversion = route.path === '/categories/convert';
  await charge(isConversion ? limits.byConversions(address) : limits.byAddress(address), response);
}

interface Check {
  readonly limits: Limits;
  readonly authenticate: () => Promise<Scope>;
  readonly recognise: () => RecognisedToken | undefined;
}

/**
 * A call with a credential, before its body is read. A session token that this service has signed counts against its account,
 * a key that was right not long ago against itself, both before they are checked again, so that refusing costs no read; any
 * other key is counted once it is known whether it is right. What is not right counts against the address: when that has none
 * left, hardly any unknown credential from there is looked at, while the others go on.
 * Throws what `authenticate` throws, or {@link Refusal} RATE_LIMITED.
 */
export async function admitCaller(
  route: Route,
  { limits, authenticate, recognise }: Check,
  exchange: Exchange,
): Promise<{ readonly scope: Scope; readonly charge: (points: number) => Promise<void> }> {
  if (limits === null) return { scope: await authenticate(), charge: () => Promise.resolve() };
  const apiKey = apiKeyOf(route, exchange.request.headers);
  const token = apiKey === undefined ? recognise() : undefined;
  const ahead = countedAhead(limits, { apiKey, token, address: addressOf(exchange.request) });
  if (ahead === undefined) refuseBlocked(limits, apiKey, exchange);
  else await charge(ahead, exchange.response);
  const scope = await authenticate().catch((error: unknown) => {
    // Who has a token of ours is not guessing.
    if (token !== undefined) throw error;
    return countRefused(limits, { ...exchange, apiKey, isCounted: ahead !== undefined }, error);
  });
  const allowance = ahead ?? (apiKey === undefined ? limits.byAccount(scope.actingAccountId) : limits.byKey(apiKey));
  if (ahead === undefined) {
    if (apiKey !== undefined) limits.known.remember(apiKey);
    await charge(allowance, exchange.response);
  }
  return { scope, charge: (points) => chargeMore(allowance, exchange.response, points) };
}

interface Claim {
  readonly apiKey: string | undefined;
  readonly token: RecognisedToken | undefined;
  readonly address: string;
}

/** A token whose time is over is a stranger's call: the account must not pay for what is still tried with it. */
function countedAhead(limits: CallerLimits, { apiKey, token, address }: Claim): Allowance | undefined {
  if (token !== undefined) return token.isCurrent ? limits.byAccount(token.accountId) : limits.byAddress(address);
  return apiKey !== undefined && limits.known.has(apiKey) ? limits.byKey(apiKey) : undefined;
}

/** Every answer says how things stand, also one that no route has made. Throws {@link Refusal} RATE_LIMITED. */
export async function admitUnrouted(limits: Limits, { request, response }: Exchange): Promise<void> {
  if (limits !== null && !response.hasHeader('RateLimit')) await charge(limits.byAddress(addressOf(request)), response);
}

/** Which of the two headers counts is the route's choice, as in authenticate; undefined where it is a session's. */
function apiKeyOf({ credential }: Route, headers: IncomingHttpHeaders): string | undefined {
  const isKey = credential === 'api-key' || (credential === 'either' && headers['x-api-key'] !== undefined);
  return isKey ? String(headers['x-api-key'] ?? '') : undefined;
}

function refuseBlocked(limits: CallerLimits, apiKey: string | undefined, { request, response }: Exchange): void {
  const address = addressOf(request);
  const seconds = limits.blocks.secondsFor(address, apiKey);
  if (seconds === 0) return;
  const { rule } = limits.byFailures(address);
  const verdict = { allowed: false, limit: rule.capacity, remaining: 0, resetSeconds: seconds };
  tell(response, rule, verdict);
  throw refusalOf(verdict);
}

async function countRefused(
  limits: CallerLimits,
  { request, response, apiKey, isCounted }: Exchange & { apiKey: string | undefined; isCounted: boolean },
  error: unknown,
): Promise<never> {
  const code = error instanceof Refusal ? error.code : undefined;
  const address = addressOf(request);
  if (code === 'UNAUTHORIZED') {
    if (apiKey !== undefined) {
      limits.known.forget(apiKey);
      limits.blocks.noteWrong(apiKey);
    }
    await charge(limits.byFailures(address), response).catch((refused: unknown) => {
      if (refused instanceof Refusal) limits.blocks.block(address, refused.retryAfterSeconds ?? 1);
      throw refused;
    });
  } else if (!isCounted) {
    const isKey = code === 'PARTNER_ACCOUNT_FORBIDDEN' && apiKey !== undefined;
    if (isKey) limits.known.remember(apiKey);
    await charge(isKey ? limits.byKey(apiKey) : limits.byAddress(address), response);
  }
  throw error;
}

async function charge(allowance: Allowance, response: Response, points?: number): Promise<void> {
  const verdict = await allowance.take(points);
  tell(response, allowance.rule, verdict);
  if (!verdict.allowed) throw refusalOf(verdict);
}

/** For a call that turns out to be worth more than the one point it came in with. */
async function chargeMore(allowance: Allowance, response: Response, points: number): Promise<void> {
  if (points <= 1) return;
  const verdict = await allowance.take(points - 1);
  // The same call needs its first point again.
  const resetSeconds = verdict.allowed ? verdict.resetSeconds : verdict.resetSeconds + 1;
  tell(response, allowance.rule, { ...verdict, resetSeconds });
  if (!verdict.allowed) throw refusalOf({ ...verdict, resetSeconds });
}

function tell(response: Response, rule: RateRule, verdict: RateVerdict): void {
  for (const [name, value] of Object.entries(rateLimitHeaders({ rule, verdict }))) response.setHeader(name, value);
}

const refusalOf = ({ resetSeconds }: RateVerdict): Refusal =>
  new Refusal('RATE_LIMITED', `Too many requests: wait ${resetSeconds} s, then try again`, {
    retryAfterSeconds: resetSeconds,
  });
