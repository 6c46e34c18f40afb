import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../../core/errors.ts';
import type { RateState } from '../../core/rate-limits/token-bucket.ts';
import { keyHolderOf, type KeyHolder, type Scope } from '../../core/scope.ts';
import type { Logger } from '../../platform/logger.ts';
import type { RecognisedToken } from '../../usecases/accounts/authenticate-session.ts';
import type { AccountId } from '../../core/ids.ts';
import { tighter, type CallerLimits, type LocalAllowance } from '../../usecases/rate-limits/caller-limits.ts';
import { rateLimitHeaders } from './error-response.ts';
import { recordOf } from './request-record.ts';
import type { Route } from './route.ts';
import type { Pay } from './streamed-body.ts';

/** null where limits are switched off. */
type Limits = CallerLimits | null;

/** One HTTP request and its response. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** The address of the socket, or the one a trusted proxy reports (`trust proxy` of the application). */
export const addressOf = (request: Request): string => request.ip ?? '';

/**
 * Warns of an `X-Forwarded-For` header from an untrusted proxy: all callers behind it then count as one. Logged once, because it
 * is either a wrong setting (TRUSTED_PROXIES) or a header set by a caller.
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

/** Health checks come from supervisors and must never be refused. */
const isUnlimited = ({ path }: Pick<Route, 'path'>): boolean => path === '/healthz' || path === '/readyz';

/**
 * Admits a call without a credential, before its body is read. Returns the charged allowance: a call with a valid signature gets
 * its point back. Throws {@link Refusal} RATE_LIMITED.
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
  /** For a streamed body: takes further points, and waits until they are available. */
  readonly pay: Pay;
}

interface Check {
  readonly limits: Limits;
  readonly authenticate: () => Promise<Scope>;
  readonly recognise: () => RecognisedToken | undefined;
}

/**
 * Admits a call with a credential, before its body is read. A session token signed by this service counts against its account. A
 * recently valid key counts against itself and the member it names. Both are charged before the check, so a refusal costs almost
 * no read. Any other key is charged after its check. A wrong credential counts against the address. When the address has no
 * points left, almost no unknown credential from it is checked, while known callers go on.
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
  // A call that is refused before its key is looked up belongs into the log of the key's account as well.
  if (apiKey !== undefined) recordOf(response).caller = limits.known.holderOf(apiKey);
  const ahead = countedAhead(limits, claim);
  if (ahead === undefined) refuseBlocked(limits, apiKey, exchange);
  const counted = ahead && (await countAhead(limits, { ...claim, ahead }, response));
  const scope = await authenticate().catch((error: unknown) => {
    // A caller with a token signed by this service is not guessing.
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

/** A charge made before the credential was checked, and its result. */
interface Counted {
  readonly allowance: LocalAllowance;
  /** The charged member; undefined also while the meaning of the reference is unknown. */
  readonly member: AccountId | undefined;
  readonly state: RateState;
}

interface KnownCaller {
  readonly scope: Scope;
  readonly apiKey: string | undefined;
  readonly reference: string | undefined;
  readonly counted: Counted | undefined;
}

/** Charges a call that could not be charged before its check, and returns the allowance for further points. */
async function countKnown(
  limits: CallerLimits,
  { scope, apiKey, reference, counted }: KnownCaller,
  response: Response,
): Promise<LocalAllowance> {
  const member = scope.accountId === scope.actingAccountId ? undefined : scope.accountId;
  const allowance = allowanceOf(limits, { scope, apiKey, member });
  // Before the charge, which may refuse: else each call that is refused would be looked up again.
  const holder = keyHolderOf(scope);
  if (apiKey !== undefined && holder !== undefined) rememberCaller(limits, { apiKey, holder, reference, member });
  if (counted === undefined) {
    await charge(allowance, response);
  } else if (counted.member !== undefined && counted.member !== member) {
    // The reference means another member by now, so the former member pays nothing for this call.
    counted.allowance.giveBack();
    await charge(allowance, response);
  } else if (apiKey !== undefined && member !== undefined && member !== counted.member) {
    await chargeMember(limits.byMember(apiKey, member), counted, response);
  }
  return allowance;
}

interface Recognised {
  readonly apiKey: string;
  readonly holder: KeyHolder;
  readonly reference: string | undefined;
  readonly member: AccountId | undefined;
}

function rememberCaller({ known }: CallerLimits, { apiKey, holder, reference, member }: Recognised): void {
  known.remember(apiKey, holder);
  if (reference !== undefined && member !== undefined) known.rememberMember(apiKey, reference, member);
}

function allowanceOf(
  limits: CallerLimits,
  { scope, apiKey, member }: { scope: Scope; apiKey: string | undefined; member: AccountId | undefined },
): LocalAllowance {
  if (apiKey === undefined) return limits.byAccount(scope.actingAccountId);
  return member === undefined ? limits.byKey(apiKey) : limits.byKeyAndMember(apiKey, member);
}

/** The key was already charged, and gets its point back when the member's share refuses. */
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

/** A call with an expired token is charged to the address, so that the account does not pay for it. */
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
 * Returns undefined when nothing was taken, because the member is uncertain. After a rename the refused share may belong to
 * another member, so the reference is looked up first, at most once a second.
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

/** Gives every answer rate-limit headers, also one outside the routes. Throws {@link Refusal} RATE_LIMITED. */
export async function admitUnrouted(limits: Limits, { request, response }: Exchange): Promise<void> {
  if (limits !== null && !response.hasHeader('RateLimit')) await charge(limits.byAddress(addressOf(request)), response);
}

/** The route decides which header counts, as in authenticate; undefined for a session. */
function apiKeyOf({ credential }: Route, headers: IncomingHttpHeaders): string | undefined {
  const isKey = credential === 'api-key' || (credential === 'either' && headers['x-api-key'] !== undefined);
  return isKey ? String(headers['x-api-key'] ?? '') : undefined;
}

/** Node joins repeated headers, so there is at most one text. */
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

async function countRefused(limits: CallerLimits, refused: RefusedCaller, error: unknown): Promise<never> {
  const { request, response, apiKey, reference, counted } = refused;
  const code = error instanceof Refusal ? error.code : undefined;
  const address = addressOf(request);
  if (apiKey !== undefined && reference !== undefined) limits.known.forgetMember(apiKey, reference);
  if (code === 'UNAUTHORIZED') {
    await countWrong(limits, { address, apiKey }, response);
  } else if (code === 'KEY_ADDRESS_FORBIDDEN') {
    // A stolen key takes nothing from its owner's share.
    counted?.allowance.giveBack();
    await charge(limits.byFailures(address), response);
  } else if (apiKey !== undefined && (code === 'PARTNER_ACCOUNT_FORBIDDEN' || code === 'KEY_SCOPE_MISSING')) {
    if (error instanceof Refusal && error.holder !== undefined) limits.known.remember(apiKey, error.holder);
    await countForbidden(limits, { apiKey, counted }, response);
  } else if (counted === undefined) {
    await charge(limits.byAddress(address), response);
  }
  throw error;
}

/** When the address has no points left, almost no unknown credential from it is checked any more. */
async function countWrong(
  limits: CallerLimits,
  { address, apiKey }: { readonly address: string; readonly apiKey: string | undefined },
  response: Response,
): Promise<void> {
  if (apiKey !== undefined) {
    limits.known.forget(apiKey);
    limits.blocks.noteWrong(apiKey);
  }
  await charge(limits.byFailures(address), response).catch((refused: unknown) => {
    if (refused instanceof Refusal) limits.blocks.block(address, refused.retryAfterSeconds ?? 1);
    throw refused;
  });
}

/** The member that the reference meant before pays nothing; the key is charged instead. */
async function countForbidden(
  limits: CallerLimits,
  { apiKey, counted }: { readonly apiKey: string; readonly counted: Counted | undefined },
  response: Response,
): Promise<void> {
  if (counted?.member !== undefined) counted.allowance.giveBack();
  if (counted === undefined || counted.member !== undefined) await charge(limits.byKey(apiKey), response);
}

async function charge(allowance: LocalAllowance, response: Response): Promise<RateState> {
  const state = await allowance.take();
  settle(state, response);
  return state;
}

/** For a call that costs more than the one point taken at first. */
async function chargeMore(allowance: LocalAllowance, response: Response, points: number): Promise<void> {
  if (points <= 1) return;
  const { rule, verdict } = await allowance.take(points - 1);
  // A repeated call needs its first point again.
  const resetSeconds = verdict.allowed ? verdict.resetSeconds : verdict.resetSeconds + 1;
  settle({ rule, verdict: { ...verdict, resetSeconds } }, response);
}

const askedAgainMs = 1_000;

/** Stops waiting when the caller has gone. Other calls of the same caller get their points in between. */
async function payInTime(allowance: LocalAllowance, request: Request, points: number): Promise<void> {
  while (!(await allowance.take(points)).verdict.allowed && !request.destroyed)
    await pause(askedAgainMs, undefined, { ref: false });
}

/** Sets the rate-limit headers. Throws {@link Refusal} RATE_LIMITED when the state is a refusal. */
function settle(state: RateState, response: Response): void {
  for (const [name, value] of Object.entries(rateLimitHeaders(state))) response.setHeader(name, value);
  const { allowed, resetSeconds } = state.verdict;
  if (allowed) return;
  throw new Refusal('RATE_LIMITED', `Too many requests: wait ${resetSeconds} s, then try again`, {
    retryAfterSeconds: resetSeconds,
  });
}
