import { Agent, request, type Dispatcher } from 'undici';
import { startDeadline, type Deadline } from '../../platform/concurrency/deadline.ts';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { readBounded } from '../../platform/read-bounded.ts';
import { MarketplaceError, type Seller } from './port.ts';
import { errorCodes, headerNames, readError, UnreadableAnswer, type WireError } from './wire.ts';

export interface MarketplaceHttpOptions {
  /** Without a slash at the end. HTTPS, or HTTP on loopback (the simulator): the application's key travels in every call. */
  readonly url: string;
  readonly appId: string;
  readonly appKey: string;
  /** For each call as a whole: connecting, headers and body. */
  readonly requestTimeoutMs: number;
}

/** `read` has no effect and may be repeated freely; after a lost answer to a `write` nobody knows whether it was done. */
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
/** Where a 429 does not say when to come back. */
const defaultRetryAfterMs = 60_000;
/** A header with other characters can't be sent, so such a user id or token can't be right. */
const sendable = /^[\x21-\x7e]+$/;
const headersFixed = { accept: 'application/json', 'user-agent': 'itembridge/1' } as const;
/** Too long for the server in front of the marketplace: it will be too long next time. */
const refusedWithoutWords: ReadonlySet<number> = new Set([413, 414, 431]);

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
  /** What we sent and must not come back in a message. */
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

function requireSafeUrl(url: string): void {
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

/** Its messages are stored and shown: should the marketplace ever echo key or token, they stop here. */
function jsonOf({ text, secrets }: Answer): unknown {
  if (text === '') return undefined;
  const scrub = (value: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), value);
  try {
    return JSON.parse(text, (_name, value: unknown) => (typeof value === 'string' ? scrub(value) : value));
  } catch {
    throw new UnreadableAnswer('the answer is not JSON');
  }
}

/** The answers that are not 2xx. */
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
    // Any other 401 is about our own application: the operator's to fix, no reason to give up a seller's work.
    return new MarketplaceError(ofUser ? 'token_expired' : 'unavailable', message, code);
  }
  // A look that is refused says nothing about what was asked for: nothing may be given up for it.
  return effect === 'write' && isUnderstood(status, said)
    ? new MarketplaceError('refused', message, code)
    : new MarketplaceError(unknownKind(effect), message, status < 500 ? code : {});
}

/** Read and answered by the marketplace itself, so that the same again would get the same. */
const isUnderstood = (status: number, said: WireError | undefined): boolean =>
  status >= 400 && status < 500 && status !== 408 && (said !== undefined || refusedWithoutWords.has(status));

/** A page from some server on the way is not the marketplace's word. */
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
