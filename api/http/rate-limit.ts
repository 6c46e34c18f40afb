import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../../core/errors.ts';
import type { RateState } from '../../core/rate-limits/rate-rule.ts';
import type { Scope } from '../../core/scope.ts';
import type { Logger } from '../../platform/logger.ts';
import type { RecognisedToken } from '../../usecases/accounts/authenticate.ts';
import type { AccountId } from '../../core/ids.ts';
import { tighter, type LocalAllowance } from '../../usecases/rate-limits/allowance.ts';
import type { CallerLimits } from '../../usecases/rate-limits/create-caller-limits.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import type { Route } from './route.ts';
import type { Pay } from './stream-toll.ts';

/** null where limits are switched off. */
type Limits = CallerLimits | null;

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

/**
 * A call without a credential, before its body is read. Gives what the call was taken from: a call that proves itself by its
 * signature gets it back. Throws {@link Refusal} RATE_LIMITED.
 */
export async function admitStranger(
  route: Route,
  limits: Limits,
  { request, response }: Exchange,
): Promise<LocalAllowance | undefined> {
  if (limits === null || isUnlimited(route)) return undefined;
  const address = addressOf(request);
  const isConversion = route.path === '/categories/convert';
  const allowance = isConversion ? limits.byConversions(address) : limits.byAddress(address);
  await charge(allowance, response);
  return allowance;
}

interface AdmittedCaller {
  readonly scope: Scope;
  /** Throws {@link Refusal} RATE_LIMITED. */
  readonly charge: (points: number) => Promise<void>;
  /** For what comes as a stream: takes further points, and waits until there are some. */
  readonly pay: Pay;
}

interface Check {
  readonly limits: Limits;
  readonly authenticate: () => Promise<Scope>;
  readonly recognise: () => RecognisedToken | undefined;
}

/**
 * A call with a credential, before its body is read. A session token that this service has signed counts against its account,
 * a key that was right not long ago against itself and the member it names, all before they are checked again, so that refusing
 * costs hardly a read; any other key is counted once it is known whether it is right. What is not right counts against the address: when
 * that has none left, hardly any unknown credential from there is looked at, while the others go on.
 * Throws what `authenticate` throws, or {@link Refusal} RATE_LIMITED.
 */
export async function admitCaller(
  route: Route,
  { limits, authenticate, recognise }: Check,
  exchange: Exchange,
): Promise<AdmittedCaller> {
  if (limits === null) {
    const free = () => Promise.resolve();
    return { scope: await authenticate(), charge: free, pay: free };
  }
  const { request, response } = exchange;
  const apiKey = apiKeyOf(route, request.headers);
  const reference = apiKey === undefined ? undefined : referenceOf(request.headers);
  const token = apiKey === undefined ? recognise() : undefined;
  const claim = { apiKey, token, reference, address: addressOf(request) };
  const ahead = countedAhead(limits, claim);
  if (ahead === undefined) refuseBlocked(limits, apiKey, exchange);
  const counted = ahead && (await countAhead(limits, { ...claim, ahead }, response));
  const scope = await authenticate().catch((error: unknown) => {
    // Who has a token of ours is not guessing.
    if (token !== undefined) throw error;
    return countRefused(limits, { ...exchange, apiKey, reference, counted }, error);
  });
  const allowance = await countKnown(limits, { scope, apiKey, reference, counted }, response);
  return {
    scope,
    charge: (points) => chargeMore(allowance, response, points),
    pay: (points) => payInTime(allowance, request, points),
  };
}

/** Whose calls were counted before the credential was checked, and how things stand with that. */
interface Counted {
  readonly allowance: LocalAllowance;
  /** For which member; undefined also when nobody knows yet whom the reference means. */
  readonly member: AccountId | undefined;
  readonly state: RateState;
}

interface KnownCaller {
  readonly scope: Scope;
  readonly apiKey: string | undefined;
  readonly reference: string | undefined;
  readonly counted: Counted | undefined;
}

/** Counts what could not be counted before it was known who calls, and gives what the call may take more from. */
async function countKnown(
  limits: CallerLimits,
  { scope, apiKey, reference, counted }: KnownCaller,
  response: Response,
): Promise<LocalAllowance> {
  const member = scope.accountId === scope.actingAccountId ? undefined : scope.accountId;
  const allowance = allowanceOf(limits, { scope, apiKey, member });
  // Before the charge, which may refuse: else each call that is refused would be looked up again.
  if (apiKey !== undefined) rememberCaller(limits, { apiKey, reference, member });
  if (counted === undefined) {
    await charge(allowance, response);
  } else if (counted.member !== undefined && counted.member !== member) {
    // The reference means another by now: whoever it meant before pays nothing for this call.
    counted.allowance.giveBack();
    await charge(allowance, response);
  } else if (apiKey !== undefined && member !== undefined && member !== counted.member) {
    await chargeMember(limits.byMember(apiKey, member), counted, response);
  }
  return allowance;
}

interface Recognised {
  readonly apiKey: string;
  readonly reference: string | undefined;
  readonly member: AccountId | undefined;
}

function rememberCaller({ known }: CallerLimits, { apiKey, reference, member }: Recognised): void {
  known.remember(apiKey);
  if (reference !== undefined && member !== undefined) known.rememberMember(apiKey, reference, member);
}

function allowanceOf(
  limits: CallerLimits,
  { scope, apiKey, member }: { scope: Scope; apiKey: string | undefined; member: AccountId | undefined },
): LocalAllowance {
  if (apiKey === undefined) return limits.byAccount(scope.actingAccountId);
  return member === undefined ? limits.byKey(apiKey) : limits.byKeyAndMember(apiKey, member);
}

/** The key has paid already: it gets its point back when the member's share is what refuses. */
async function chargeMember(
  ofMember: LocalAllowance,
  { allowance, state }: Counted,
  response: Response,
): Promise<void> {
  const own = await ofMember.take();
  if (!own.verdict.allowed) allowance.giveBack();
  settle(tighter(own, state), response);
}

interface Claim {
  readonly apiKey: string | undefined;
  readonly token: RecognisedToken | undefined;
  /** Value of `X-Partner-Account`. */
  readonly reference: string | undefined;
  readonly address: string;
}

/** A token whose time is over is a stranger's call: the account must not pay for what is still tried with it. */
function countedAhead(
  limits: CallerLimits,
  { apiKey, token, reference, address }: Claim,
): Pick<Counted, 'allowance' | 'member'> | undefined {
  if (token !== undefined) {
    const allowance = token.isCurrent ? limits.byAccount(token.accountId) : limits.byAddress(address);
    return { allowance, member: undefined };
  }
  if (apiKey === undefined || !limits.known.has(apiKey)) return undefined;
  const member = reference === undefined ? undefined : limits.known.memberOf(apiKey, reference);
  const allowance = member === undefined ? limits.byKey(apiKey) : limits.byKeyAndMember(apiKey, member);
  return { allowance, member };
}

/**
 * undefined where nothing was taken, as it is not known whose the call is: what a remembered member's share refuses may be meant
 * for another member since the reference was renamed, so it is looked up first; of one reference once a second at most.
 */
async function countAhead(
  { known }: CallerLimits,
  { apiKey, reference, ahead }: Claim & { readonly ahead: Pick<Counted, 'allowance' | 'member'> },
  response: Response,
): Promise<Counted | undefined> {
  const state = await ahead.allowance.take();
  const isMembersNo =
    !state.verdict.allowed && ahead.member !== undefined && state.rule.name === ahead.allowance.rule.name;
  if (isMembersNo && apiKey !== undefined && reference !== undefined && known.mayLookUp(apiKey, reference))
    return undefined;
  settle(state, response);
  return { ...ahead, state };
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

/** Node joins a header that comes twice, so there is one text at most. */
const referenceOf = (headers: IncomingHttpHeaders): string | undefined => headers['x-partner-account']?.toString();

function refuseBlocked(limits: CallerLimits, apiKey: string | undefined, { request, response }: Exchange): void {
  const address = addressOf(request);
  const seconds = limits.blocks.secondsFor(address, apiKey);
  if (seconds === 0) return;
  const { rule } = limits.byFailures(address);
  const verdict = { allowed: false, limit: rule.capacity, remaining: 0, resetSeconds: seconds };
  settle({ rule, verdict }, response);
}

interface RefusedCaller extends Exchange {
  readonly apiKey: string | undefined;
  readonly reference: string | undefined;
  readonly counted: Counted | undefined;
}

async function countRefused(
  limits: CallerLimits,
  { request, response, apiKey, reference, counted }: RefusedCaller,
  error: unknown,
): Promise<never> {
  const code = error instanceof Refusal ? error.code : undefined;
  const address = addressOf(request);
  if (apiKey !== undefined && reference !== undefined) limits.known.forgetMember(apiKey, reference);
  if (code === 'UNAUTHORIZED') {
    if (apiKey !== undefined) {
      limits.known.forget(apiKey);
      limits.blocks.noteWrong(apiKey);
    }
    await charge(limits.byFailures(address), response).catch((refused: unknown) => {
      if (refused instanceof Refusal) limits.blocks.block(address, refused.retryAfterSeconds ?? 1);
      throw refused;
    });
  } else if (code === 'PARTNER_ACCOUNT_FORBIDDEN' && apiKey !== undefined) {
    limits.known.remember(apiKey);
    // Whoever the reference meant before pays nothing for it; the key does.
    if (counted?.member !== undefined) counted.allowance.giveBack();
    if (counted === undefined || counted.member !== undefined) await charge(limits.byKey(apiKey), response);
  } else if (counted === undefined) {
    await charge(limits.byAddress(address), response);
  }
  throw error;
}

async function charge(allowance: LocalAllowance, response: Response): Promise<RateState> {
  const state = await allowance.take();
  settle(state, response);
  return state;
}

/** For a call that turns out to be worth more than the one point it came in with. */
async function chargeMore(allowance: LocalAllowance, response: Response, points: number): Promise<void> {
  if (points <= 1) return;
  const { rule, verdict } = await allowance.take(points - 1);
  // The same call needs its first point again.
  const resetSeconds = verdict.allowed ? verdict.resetSeconds : verdict.resetSeconds + 1;
  settle({ rule, verdict: { ...verdict, resetSeconds } }, response);
}

const askedAgainMs = 1_000;

/** A caller that is gone waits for nothing. In between, other calls of the same caller get their points. */
async function payInTime(allowance: LocalAllowance, request: Request, points: number): Promise<void> {
  while (!(await allowance.take(points)).verdict.allowed && !request.destroyed)
    await pause(askedAgainMs, undefined, { ref: false });
}

/** Tells the caller how things stand, and throws {@link Refusal} RATE_LIMITED when that is a refusal. */
function settle(state: RateState, response: Response): void {
  for (const [name, value] of Object.entries(rateLimitHeaders(state))) response.setHeader(name, value);
  const { allowed, resetSeconds } = state.verdict;
  if (allowed) return;
  throw new Refusal('RATE_LIMITED', `Too many requests: wait ${resetSeconds} s, then try again`, {
    retryAfterSeconds: resetSeconds,
  });
}
