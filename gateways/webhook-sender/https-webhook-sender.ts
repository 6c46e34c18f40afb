import { performance } from 'node:perf_hooks';
import type { Agent, Dispatcher } from 'undici';
import { request } from 'undici';
import { startDeadline } from '../../platform/concurrency/deadline.ts';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { readBounded } from '../../platform/read-bounded.ts';
import { standingHeaders, type AttemptOutcome, type PreparedAttempt, type WebhookSender } from './port.ts';

export interface HttpsWebhookSenderOptions {
  /** The guarded agent: it alone keeps deliveries out of the private network. */
  readonly agent: Agent;
  /** For the whole answer, in ms: connecting, headers and body. Default 10,000 (specification "Delivery and retries" 2). */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 10_000;
const bodyBytesMax = 64 * 1024;
const shownBytesMax = 1024;

/**
 * Makes one HTTP attempt of a delivery. It succeeds only when the whole 2xx answer arrives in time. A status sent ahead of the
 * work proves nothing, and a repeat is allowed (at-least-once). At most 64 KB of a body are read, which counts as the whole
 * answer; then the connection is closed. Redirects are failures and never followed.
 */
export function createHttpsWebhookSender(options: HttpsWebhookSenderOptions): WebhookSender {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  return { send: (attempt) => sendOnce(attempt, options.agent, timeoutMs) };
}

/** What is known so far; the status arrives before the body can fail. */
interface Progress {
  httpStatus: number | null;
}

async function sendOnce(attempt: PreparedAttempt, agent: Agent, timeoutMs: number): Promise<AttemptOutcome> {
  const unusable = unusableAddress(attempt.url);
  if (unusable !== null) return failure(null, unusable, { durationMs: 0, responseStart: '' });
  const startedAt = performance.now();
  const deadline = startDeadline(timeoutMs);
  const progress: Progress = { httpStatus: null };
  const took = (): number => Math.round(performance.now() - startedAt);
  try {
    const answer = await post(attempt, agent, deadline.signal);
    progress.httpStatus = answer.statusCode;
    const responseStart = await readStart(answer);
    return judge(answer.statusCode, { durationMs: took(), responseStart });
  } catch (error) {
    const reason = deadline.hasExpired()
      ? `did not answer within ${timeoutMs / 1000} seconds`
      : describeNetworkProblem(error, { hasHead: progress.httpStatus !== null }).message;
    return failure(progress.httpStatus, withStatus(progress.httpStatus, reason), {
      durationMs: took(),
      responseStart: '',
    });
  } finally {
    deadline.stop();
  }
}

function unusableAddress(url: string): string | null {
  if (!URL.canParse(url)) return 'not a valid address';
  return new URL(url).protocol === 'https:' ? null : 'only HTTPS is allowed';
}

function post(attempt: PreparedAttempt, agent: Agent, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  return request(attempt.url, {
    method: 'POST',
    dispatcher: agent,
    signal,
    headers: { ...attempt.headers, ...standingHeaders },
    body: attempt.body,
  });
}

/** The first KB as text. A 205 has no content, whatever its headers say (RFC 9110, 15.3.6); undici knows that of 204 and 304. */
async function readStart({ statusCode, body }: Dispatcher.ResponseData): Promise<string> {
  if (statusCode === 205) {
    body.on('error', () => undefined).destroy(); // destroy() causes an abort error
    return '';
  }
  const { bytes } = await readBounded(body, bodyBytesMax);
  // A character cut at the end is dropped, and invalid UTF-8 shows as U+FFFD.
  return new TextDecoder().decode(bytes.subarray(0, shownBytesMax), { stream: true });
}

type Circumstances = Pick<AttemptOutcome, 'durationMs' | 'responseStart'>;

function judge(httpStatus: number, circumstances: Circumstances): AttemptOutcome {
  if (httpStatus >= 200 && httpStatus < 300) return { kind: 'succeeded', httpStatus, ...circumstances };
  return failure(httpStatus, statusError(httpStatus), circumstances);
}

function failure(httpStatus: number | null, error: string, circumstances: Circumstances): AttemptOutcome {
  return { kind: 'failed', gone: httpStatus === 410, httpStatus, error, ...circumstances };
}

const redirects: ReadonlySet<number> = new Set([300, 301, 302, 303, 305, 307, 308]);

function statusError(httpStatus: number): string {
  if (httpStatus === 410) return 'HTTP 410: the receiver asks not to be sent this again';
  if (redirects.has(httpStatus)) return `HTTP ${httpStatus}: redirects are not followed`;
  return `HTTP ${httpStatus}`;
}

/** After a status, the reason is about the rest of the answer; a bad status is the more important message. */
function withStatus(httpStatus: number | null, reason: string): string {
  if (httpStatus === null) return reason;
  const accepted = httpStatus >= 200 && httpStatus < 300;
  return accepted ? `HTTP ${httpStatus}, but the answer was never complete: ${reason}` : statusError(httpStatus);
}
