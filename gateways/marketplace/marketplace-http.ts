import { Agent, request, type Dispatcher } from 'undici';
import { startDeadline, type Deadline } from '../../platform/concurrency/deadline.ts';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { readBounded } from '../../platform/read-bounded.ts';
import { MarketplaceError, type Seller } from './port.ts';
import { errorCodes, headerNames, readError, UnreadableAnswer, type WireError } from './wire.ts';

export interface MarketplaceHttpOptions {
  /** Without a trailing slash. HTTPS, or HTTP on loopback (the simulator), because every call carries the application's key. */
  readonly url: string;
  readonly appId: string;
  readonly appKey: string;
  /** For each whole call, in ms: connecting, headers and body. */
  readonly requestTimeoutMs: number;
}

/** A `read` has no effect and may be repeated. After a lost answer to a `write` its outcome is unknown. */
export interface MarketplaceCall<Result> {
  readonly effect: 'read' | 'write';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly seller: Seller;
  readonly body?: object;
  /** Gets the parsed body, undefined when it was empty; may throw {@link UnreadableAnswer}. */
  readonly parse: (body: unknown) => Result;
}

export interface MarketplaceHttp {
  /** Throws {@link MarketplaceError} and nothing else. */
  call<Result>(call: MarketplaceCall<Result>): Promise<Result>;
  close(): Promise<void>;
}

const connectionsMax = 32;
const answerBytesMax = 10 * 1024 * 1024;
/** Used for a 429 without a retry time. */
const defaultRetryAfterMs = 60_000;
/** A header can't hold other characters, so such a user id or token is never valid. */
const sendable = /^[\x21-\x7e]+$/;
const headersFixed = { accept: 'application/json', 'user-agent': 'itembridge/1' } as const;
/** Too large for the server in front of the marketplace; a retry would be too large as well. */
const refusedWithoutWords: ReadonlySet<number> = new Set([413, 414, 431]);

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
  /** Values we sent that must never appear in a message. */
  readonly secrets: readonly string[];
}

/** One call to the marketplace with its time bounded and every outcome folded into the kinds of port.ts. Follows no redirects, uses no proxy. */
export function createMarketplaceHttp(options: MarketplaceHttpOptions): MarketplaceHttp {
  requireSafeUrl(options.url);
  const agent = new Agent({
    connections: connectionsMax,
    pipelining: 1,
    connect: { timeout: options.requestTimeoutMs },
  });
  return {
    async call(call) {
      const { seller, effect } = call;
      if (![seller.marketplaceUserId, seller.token.reveal()].every((value) => sendable.test(value)))
        throw new MarketplaceError('token_expired', 'the stored user id or token is none');
      const deadline = startDeadline(options.requestTimeoutMs);
      try {
        const answer = await exchange(call, options, { agent, signal: deadline.signal });
        const hasSucceeded = answer.status >= 200 && answer.status < 300;
        if (!hasSucceeded) throw refusalOf(answer, effect);
        return call.parse(jsonOf(answer));
      } catch (error) {
        throw asMarketplaceError(error, deadline, { effect, timeoutMs: options.requestTimeoutMs });
      } finally {
        deadline.stop();
      }
    },
    close: () => agent.close(),
  };
}

/** Throws an Error unless the address is HTTPS, or HTTP on loopback. */
export function requireSafeUrl(url: string): void {
  const { protocol, hostname } = new URL(url);
  const onLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && onLoopback)) return;
  throw new Error('the marketplace must be called over HTTPS (HTTP only on loopback)');
}

async function exchange(
  call: MarketplaceCall<unknown>,
  options: MarketplaceHttpOptions,
  transport: { agent: Dispatcher; signal: AbortSignal },
): Promise<Answer> {
  const answer = await request(options.url + call.path, {
    method: call.method,
    dispatcher: transport.agent,
    signal: transport.signal,
    headers: headersOf(call, options),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
  const { bytes, truncated } = await readBounded(answer.body, answerBytesMax);
  if (truncated) throw new UnreadableAnswer('the answer is too long');
  const retryAfter = answer.headers['retry-after'];
  return {
    status: answer.statusCode,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    text: bytes.toString('utf8'),
    secrets: [options.appKey, call.seller.token.reveal()],
  };
}

function headersOf(
  { seller, body }: MarketplaceCall<unknown>,
  { appId, appKey }: MarketplaceHttpOptions,
): Record<string, string> {
  return {
    ...headersFixed,
    [headerNames.appId]: appId,
    [headerNames.appKey]: appKey,
    [headerNames.userId]: seller.marketplaceUserId,
    [headerNames.userToken]: seller.token.reveal(),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

/** Messages are stored and shown, so a key or token echoed by the marketplace is removed here. */
function jsonOf({ text, secrets }: Answer): unknown {
  if (text === '') return undefined;
  const scrub = (value: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), value);
  try {
    return JSON.parse(text, (_name, value: unknown) => (typeof value === 'string' ? scrub(value) : value));
  } catch {
    throw new UnreadableAnswer('the answer is not JSON');
  }
}

/** Maps an answer outside 2xx. */
function refusalOf(answer: Answer, effect: 'read' | 'write'): MarketplaceError {
  const { status } = answer;
  const said = wireErrorOf(answer);
  const message = said === undefined ? `the marketplace answered HTTP ${status}` : said.message;
  const code = said === undefined ? {} : { code: said.code };
  if (status === 429)
    return new MarketplaceError('budget_exhausted', message, {
      ...code,
      retryAfterMs: retryAfterMs(answer.retryAfter),
    });
  if (status === 401) {
    const ofUser = said?.code === errorCodes.tokenExpired || said?.code === errorCodes.invalidToken;
    // Any other 401 is about our own application. The operator must correct it, and the seller's work is not given up.
    return new MarketplaceError(ofUser ? 'token_expired' : 'unavailable', message, code);
  }
  // A refused read says nothing about the listing, so no work may be given up for it.
  return effect === 'write' && isUnderstood(status, said)
    ? new MarketplaceError('refused', message, code)
    : new MarketplaceError(unknownKind(effect), message, status < 500 ? code : {});
}

/** True when the marketplace itself read and refused the call, so that a retry gets the same answer. */
const isUnderstood = (status: number, said: WireError | undefined): boolean =>
  status >= 400 && status < 500 && status !== 408 && (said !== undefined || refusedWithoutWords.has(status));

/** An error page of a server in between is not an answer of the marketplace. */
function wireErrorOf(answer: Answer): WireError | undefined {
  try {
    return readError(jsonOf(answer));
  } catch (error) {
    if (error instanceof UnreadableAnswer) return undefined;
    throw error;
  }
}

/** Seconds or an HTTP date → milliseconds from now. */
function retryAfterMs(header: string | undefined): number {
  if (header === undefined) return defaultRetryAfterMs;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? defaultRetryAfterMs : Math.max(0, ms);
}

function asMarketplaceError(
  error: unknown,
  deadline: Deadline,
  call: { effect: 'read' | 'write'; timeoutMs: number },
): MarketplaceError {
  if (error instanceof MarketplaceError) return error;
  const unknown = (message: string): MarketplaceError =>
    new MarketplaceError(unknownKind(call.effect), message, { cause: error });
  if (error instanceof UnreadableAnswer) return unknown(`the marketplace's answer is unreadable: ${error.message}`);
  if (deadline.hasExpired()) return unknown(`the marketplace did not answer within ${call.timeoutMs / 1000} seconds`);
  const problem = describeNetworkProblem(error);
  const message = `the marketplace is out of reach: ${problem.message}`;
  return problem.kind === 'broken' ? unknown(message) : new MarketplaceError('unavailable', message, { cause: error });
}

const unknownKind = (effect: 'read' | 'write'): 'unavailable' | 'outcome_unknown' =>
  effect === 'read' ? 'unavailable' : 'outcome_unknown';
