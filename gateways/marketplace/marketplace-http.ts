import { Agent, request, type Dispatcher } from 'undici';
import type { CallMethod, CallPurpose } from '../../features/listings/rules/call-budget.ts';
import { startDeadline, type Deadline } from '../../platform/concurrency/deadline.ts';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { readBounded } from '../../platform/read-bounded.ts';
import { MarketplaceError, type CallGate, type Seller } from './port.ts';
import { refusalOf, type CallEffect, type Refused } from './refusals.ts';
import { isSafeUrl, UnreadableAnswer } from './wire-kit.ts';
import { headerNames, paths } from './wire.ts';

/** Where a marketplace is, and who we are there. */
export interface MarketplaceAccess {
  /** Without a trailing slash. HTTPS, or HTTP on loopback (the simulator), because every call carries the application's key. */
  readonly url: string;
  readonly appId: string;
  readonly appKey: string;
}

export interface MarketplaceHttpOptions {
  /** The marketplace that the seller belongs to. Throws {@link MarketplaceError} when there is none. */
  readonly accessOf: (seller: Seller) => MarketplaceAccess;
  /** For each whole call, in ms: connecting, headers and body. */
  readonly requestTimeoutMs: number;
  /** What is read of an answer at most. */
  readonly answerBytesMax?: number;
  readonly gate?: CallGate;
}

export interface MarketplaceCall<Result> {
  readonly operation: CallMethod;
  readonly purpose: CallPurpose;
  readonly effect: CallEffect;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly seller: Seller;
  readonly body?: object;
  /** Gets the parsed body, undefined when it was empty, and its text; may throw {@link UnreadableAnswer}. */
  readonly parse: (body: unknown, text: string) => Result;
}

export interface MarketplaceHttp {
  /** Throws {@link MarketplaceError} and nothing else. */
  call<Result>(call: MarketplaceCall<Result>): Promise<Result>;
  close(): Promise<void>;
}

const connectionsMax = 32;
/** A list of auctions has their whole texts, and no pages. */
const usualAnswerBytesMax = 32 * 1024 * 1024;
/** A header can't hold other characters, so such a user id or token is never valid. */
const sendable = /^[\x21-\x7e]+$/;
const headersFixed = { accept: 'application/json', 'user-agent': 'itembridge/1' } as const;

/** The answer is longer than what is read of one. */
export class AnswerTooLong extends UnreadableAnswer {}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
  /** Values we sent that must never appear in a message. */
  readonly secrets: readonly string[];
}

/** Calls with their time bounded and every outcome folded into the kinds of port.ts. Follows no redirects, uses no proxy. */
export function createMarketplaceHttp(options: MarketplaceHttpOptions): MarketplaceHttp {
  const agent = new Agent({
    connections: connectionsMax,
    pipelining: 1,
    connect: { timeout: options.requestTimeoutMs },
  });
  return { call: (call) => callAndExplain(call, options, agent), close: () => agent.close() };
}

/** Throws an Error unless the address is HTTPS, or HTTP on loopback. */
export function requireSafeUrl(url: string): void {
  if (!isSafeUrl(url)) throw new Error('the marketplace must be called over HTTPS (HTTP only on loopback)');
}

/** The gate is for the real marketplace alone: it counts a budget that a simulated one does not use. */
const gateOf = ({ gate }: MarketplaceHttpOptions, { isSandbox }: Seller): CallGate =>
  gate === undefined || isSandbox ? (_place, send) => send() : gate;

async function callAndExplain<Result>(
  call: MarketplaceCall<Result>,
  options: MarketplaceHttpOptions,
  agent: Dispatcher,
): Promise<Result> {
  const { seller, purpose } = call;
  if (![seller.marketplaceUserId, seller.token.reveal()].every((value) => sendable.test(value)))
    throw new MarketplaceError('token_expired', 'the stored user id or token is none');
  const access = options.accessOf(seller);
  const asUser = { [headerNames.userId]: seller.marketplaceUserId, [headerNames.userToken]: seller.token.reveal() };
  const gate = gateOf(options, seller);
  const send = (sent: Sent, as: Record<string, string>) => sendOnce(sent, { ...options, agent, access, as });
  const ask = (operation: 'time' | 'me', as: Record<string, string>): Promise<Answer> =>
    gate({ seller, purpose, operation }, () => send({ method: 'GET', path: paths[operation], effect: 'read' }, as));
  try {
    return await gate(call, async () => {
      const answer = await send(call, asUser);
      if (isDenied(answer)) throw new Denied(answer);
      if (!isSuccess(answer)) throw refusalOf(readRefusal(answer), call.effect);
      return parsed(call, answer);
    });
  } catch (error) {
    if (!(error instanceof Denied)) throw error;
    throw await whoseRefusal(error, { application: () => ask('time', {}), user: () => ask('me', asUser) });
  }
}

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;
const isDenied = ({ status }: Answer): boolean => status === 401 || status === 403;

/** 401 or 403, before it is known whom it concerns. */
class Denied extends MarketplaceError {
  constructor(answer: Answer) {
    super('not_accepted', refusalOf(readRefusal(answer), 'read').message, { status: answer.status });
  }
}

/**
 * Which credential a 401 or 403 is about. No answer says so reliably, so the marketplace is asked with the application's key alone, then
 * with the seller's token. A call that was refused for want of permission does not mean an expired token.
 */
async function whoseRefusal(
  { status, message }: Denied,
  asked: { application: () => Promise<Answer>; user: () => Promise<Answer> },
): Promise<MarketplaceError> {
  const application = await asked.application();
  if (isDenied(application))
    return new MarketplaceError('not_accepted', "the marketplace does not accept the service's own key", { status });
  const user = isSuccess(application) ? await asked.user() : application;
  if (isDenied(user)) return new MarketplaceError('token_expired', 'the marketplace refuses the token', { status });
  return isSuccess(user)
    ? new MarketplaceError('not_accepted', `the marketplace does not permit this call: ${message}`, { status })
    : new MarketplaceError('unavailable', `the marketplace refuses this call and does not say why: ${message}`, {
        status,
      });
}

type Sent = Pick<MarketplaceCall<unknown>, 'method' | 'path' | 'body' | 'effect'>;

interface Sending extends MarketplaceHttpOptions {
  readonly agent: Dispatcher;
  readonly access: MarketplaceAccess;
  readonly as: Record<string, string>;
}

async function sendOnce(sent: Sent, sending: Sending): Promise<Answer> {
  const deadline = startDeadline(sending.requestTimeoutMs);
  try {
    return await exchange(sent, sending, deadline.signal);
  } catch (error) {
    throw asMarketplaceError(error, deadline, { effect: sent.effect, timeoutMs: sending.requestTimeoutMs });
  } finally {
    deadline.stop();
  }
}

async function exchange(
  { method, path, body }: Sent,
  { agent, access, as, answerBytesMax = usualAnswerBytesMax }: Sending,
  signal: AbortSignal,
): Promise<Answer> {
  const answer = await request(access.url + path, {
    method,
    dispatcher: agent,
    signal,
    headers: {
      ...headersFixed,
      [headerNames.appId]: access.appId,
      [headerNames.appKey]: access.appKey,
      ...as,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { bytes, truncated } = await readBounded(answer.body, answerBytesMax);
  if (truncated) throw new AnswerTooLong('the answer is too long');
  const retryAfter = answer.headers['retry-after'];
  return {
    status: answer.statusCode,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    text: bytes.toString('utf8'),
    secrets: [access.appKey, as[headerNames.userToken] ?? access.appKey],
  };
}

function parsed<Result>({ parse, effect }: MarketplaceCall<Result>, answer: Answer): Result {
  try {
    return parse(jsonOf(answer), answer.text);
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    throw unreadable(error, { effect, status: answer.status });
  }
}

/** Messages are stored and shown, so a key or token echoed by the marketplace is removed here, also as JSON writes it. */
const scrubbed = ({ text, secrets }: Answer): string =>
  secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);

function jsonOf(answer: Answer): unknown {
  const text = scrubbed(answer);
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableAnswer('the answer is not JSON');
  }
}

function readRefusal(answer: Answer): Refused {
  const { status, retryAfter } = answer;
  const text = scrubbed(answer);
  try {
    return { status, retryAfter, text, body: jsonOf(answer) };
  } catch (error) {
    if (error instanceof UnreadableAnswer) return { status, retryAfter, text, body: undefined };
    throw error;
  }
}

function unreadable(
  cause: UnreadableAnswer,
  { effect, status }: { effect: CallEffect; status?: number },
): MarketplaceError {
  const message = `the marketplace's answer is unreadable: ${cause.message}`;
  return new MarketplaceError(effect === 'read' ? 'unavailable' : 'outcome_unknown', message, { status, cause });
}

function asMarketplaceError(
  error: unknown,
  deadline: Deadline | undefined,
  call: { effect: CallEffect; timeoutMs: number },
): MarketplaceError {
  if (error instanceof MarketplaceError) return error;
  const unknown = (message: string): MarketplaceError =>
    new MarketplaceError(call.effect === 'read' ? 'unavailable' : 'outcome_unknown', message, { cause: error });
  if (error instanceof UnreadableAnswer) return unreadable(error, call);
  if (deadline?.hasExpired() === true)
    return unknown(`the marketplace did not answer within ${call.timeoutMs / 1000} seconds`);
  const problem = describeNetworkProblem(error);
  const message = `the marketplace is out of reach: ${problem.message}`;
  return problem.kind === 'broken' ? unknown(message) : new MarketplaceError('unavailable', message, { cause: error });
}
