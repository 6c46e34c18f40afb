import { setTimeout as pause } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../../features/rules/errors.ts';
import type { RateState } from '../../features/accounts/rules/token-bucket.ts';
import { keyHolderOf, payerOf, payerOfScope, type Scope } from '../../features/rules/scope.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Allowance, CallerLimits } from '../../features/accounts/caller-limits.ts';
import { rateLimitHeaders } from './error-response.ts';
import { defaultBytesMax } from './read-json-body.ts';
import { recordOf } from './request-record.ts';
import type { Route } from './route.ts';
import { bytesPerPoint, type Pay } from './streamed-body.ts';

/** null where limits are switched off. */
type Limits = CallerLimits | null;

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

/** Admits a call without a credential, before its body is read. Throws {@link Refusal} RATE_LIMITED. */
export async function admitStranger(route: Route, limits: Limits, { request, response }: Exchange): Promise<void> {
  if (limits === null || isUnlimited(route)) return;
  const address = addressOf(request);
  const isConversion = route.path === '/categories/convert';
  await charge(isConversion ? limits.byConversions(address) : limits.byAddress(address), response);
}

export const pointsOfBytes = (bytes: number): number => Math.ceil(bytes / bytesPerPoint);

/** A page of a list costs a point for so many rows. Reading one takes the time of a small call. */
const rowsPerPoint = 50;
export const pointsOfRows = (rows: number): number => Math.ceil(rows / rowsPerPoint);

/** What is known of a call's cost before its body is read: the rows that `limit` asks for, or the length of the body. */
function pointsAhead({ request: expected }: Route, { query, headers }: Request): number {
  const rows = typeof query['limit'] === 'string' && /^\d{1,4}$/.test(query['limit']) ? Number(query['limit']) : 0;
  const bytes = Number(headers['content-length'] ?? 0);
  // A longer body is refused unread, and one in pieces is paid for as it is read.
  const isRead = expected?.asStream === undefined && bytes <= (expected?.bytesMax ?? defaultBytesMax);
  return Math.max(1, pointsOfRows(rows), isRead ? pointsOfBytes(bytes) : 0);
}

interface AdmittedCaller {
  readonly scope: Scope;
  /** The points of the whole call, as far as they are known now. Throws {@link Refusal} RATE_LIMITED. */
  readonly charge: (points: number) => Promise<void>;
  /** For a body or an answer in pieces: takes further points, and waits until they are available. */
  readonly pay: Pay;
}

interface Check {
  readonly limits: Limits;
  readonly authenticate: () => Promise<Scope>;
}

/**
 * Admits a call with a credential, before its body is read. A wrong credential counts against the address, and takes nothing from
 * those that are right there. Throws what `authenticate` throws, or {@link Refusal} RATE_LIMITED.
 */
export async function admitCaller(
  route: Route,
  { limits, authenticate }: Check,
  { request, response }: Exchange,
): Promise<AdmittedCaller> {
  if (limits === null) {
    const free = () => Promise.resolve();
    return { scope: await authenticate(), charge: free, pay: free };
  }
  const scope = await authenticate().catch(async (error: unknown) => {
    await charge(allowanceOfRefused(limits, error, request), response);
    throw error;
  });
  // A call that is refused by its limit belongs into the log of the key's account as well.
  recordOf(response).caller = keyHolderOf(scope);
  const allowance = allowanceOf(limits, scope);
  let paid = pointsAhead(route, request);
  await charge(allowance, response, paid);
  return {
    scope,
    charge: async (points) => {
      if (points <= paid) return;
      await chargeSpent(allowance, response, { more: points - paid, all: points });
      paid = points;
    },
    pay: (points) => payInTime(allowance, response, points),
  };
}

function allowanceOf(limits: CallerLimits, scope: Scope): Allowance {
  const { accountId, actingAccountId, credential } = scope;
  const payer = payerOfScope(scope);
  if (credential.kind !== 'api-key') return limits.byAccount(payer);
  return accountId === actingAccountId ? limits.byKeys(payer) : limits.byMember(payer, accountId);
}

/**
 * A key that may not do this counts against its account. A stolen key that is used elsewhere takes nothing from its owner. A wrong
 * key counts apart, because finding out costs a look-up; a session's token is refused by its signature.
 */
function allowanceOfRefused(limits: CallerLimits, error: unknown, request: Request): Allowance {
  const { code, holder } = error instanceof Refusal ? error : {};
  const address = addressOf(request);
  const isWrongKey = code === 'UNAUTHORIZED' && request.headers['x-api-key'] !== undefined;
  if (isWrongKey || code === 'KEY_ADDRESS_FORBIDDEN') return limits.byFailures(address);
  return holder === undefined ? limits.byAddress(address) : limits.byKeys(payerOf(holder));
}

/** Gives every answer rate-limit headers, also one outside the routes. Throws {@link Refusal} RATE_LIMITED. */
export async function admitUnrouted(limits: Limits, { request, response }: Exchange): Promise<void> {
  if (limits !== null && !response.hasHeader('RateLimit')) await charge(limits.byAddress(addressOf(request)), response);
}

async function charge(allowance: Allowance, response: Response, points = 1): Promise<void> {
  await tell(await allowance.take(points), response);
}

/**
 * For a call that costs more than was known at first. Its body has been read, so the points are taken from a refused call as well:
 * they are missing from the next ones. A repeated call needs all of its own again.
 */
async function chargeSpent(
  allowance: Allowance,
  response: Response,
  { more, all }: { readonly more: number; readonly all: number },
): Promise<void> {
  const { rule, verdict } = await allowance.take(more);
  if (!verdict.allowed) allowance.add(-more);
  const resetSeconds = verdict.resetSeconds + (verdict.allowed ? 0 : Math.ceil(all / rule.perSecond));
  await tell({ rule, verdict: { ...verdict, resetSeconds } }, response);
}

const askedAgainMs = 200;
/** This part of the burst is left to the account's other calls while something in pieces takes all points that come back. */
const leftToOthers = 1 / 4;

/** Throws {@link Refusal} BAD_REQUEST when the caller has gone: what follows would be made for no one, and unpaid. */
async function payInTime(allowance: Allowance, response: Response, points: number): Promise<void> {
  const left = Math.floor(allowance.rule.capacity * leftToOthers);
  while (!response.destroyed) {
    if ((await allowance.take(points + left)).verdict.allowed) {
      allowance.add(left);
      return;
    }
    await pause(askedAgainMs, undefined, { ref: false });
  }
  throw new Refusal('BAD_REQUEST', 'The caller has gone');
}

/** A caller that asks again at once costs a process little when its refusals come late. It is to wait a second or more anyway. */
const refusedAfterMs = 250;

/** Sets the rate-limit headers. Throws {@link Refusal} RATE_LIMITED when the state is a refusal. */
async function tell(state: RateState, response: Response): Promise<void> {
  for (const [name, value] of Object.entries(rateLimitHeaders(state))) response.setHeader(name, value);
  const { allowed, resetSeconds } = state.verdict;
  if (allowed) return;
  await pause(refusedAfterMs, undefined, { ref: false });
  throw new Refusal('RATE_LIMITED', `Too many requests: wait ${resetSeconds} s, then try again`, {
    retryAfterSeconds: resetSeconds,
  });
}
