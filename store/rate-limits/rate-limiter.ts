import { performance } from 'node:perf_hooks';
import { payablePoints, type RateRule, type RateVerdict } from '../../core/rate-limits/rate-rule.ts';
import { takeTokens, type TokenBucket } from '../../core/rate-limits/token-bucket.ts';
import { withinTime } from '../../platform/concurrency/within-time.ts';
import type { StoreConnection } from '../database/connection.ts';
import { takeShare, type Share } from './rate-buckets.ts';
import {
  answerWaiting,
  applyShare,
  dismiss,
  emptyHolding,
  isRunningLow,
  join,
  judge,
  leave,
  outcomeOf,
  planRequest,
  putBack,
  type Holding,
  type WaitingCall,
} from './token-lease.ts';

export interface RateLimiter {
  readonly rule: RateRule;
  /**
   * One call of `points` (a whole number, default 1; more than the capacity counts as the capacity). What is refused takes
   * nothing. Never throws, and waits at most `waitMaxMs`: without the database each process counts for itself.
   * @param key whose call it is: an id or a fingerprint, as it is stored; never an address or an email as it stands.
   */
  consume(key: string, points?: number): Promise<RateVerdict>;
  /**
   * Puts back into this process's share what an allowed call has taken. It may be spent until the window ends; kept by nobody
   * then, it is lost, so a bucket never gets more than it gave.
   */
  giveBack(key: string, points?: number): void;
}

export interface RateLimiterOptions {
  /** How long a call waits for the database; default 1 s. */
  readonly waitMaxMs?: number;
  /** How long nobody asks the database after it has failed; default 2 s. */
  readonly restMs?: number;
  /** Told once for each time that the database is out of reach. */
  readonly onTrouble?: (error: unknown) => void;
  /** Instead of the clocks of the process and of the database; how long a call waits is not told by it. */
  readonly now?: () => Date;
}

/** Of the keys beyond, those that came first are forgotten: their share is lost, their bucket is not. */
const keysMax = 20_000;

/**
 * Limits calls over all processes that share the database. A process takes tokens in small shares (up to a quarter of a second's
 * worth), so that most calls of a busy key need no round trip. Together they never let more through than one bucket would;
 * less by at most one share for each other process: what it holds, and what it has not spent when its window ends (10 s).
 */
export function createRateLimiter(
  store: StoreConnection,
  rule: RateRule,
  options: RateLimiterOptions = {},
): RateLimiter {
  const { waitMaxMs = 1_000, now } = options;
  const readMs = now === undefined ? () => performance.now() : () => now().getTime();
  const holdings = new Map<string, Holding>();
  const outage = createOutage(rule, { ...options, readMs });

  /** One request. When it fails or takes too long each process counts for itself; a share that comes too late is lost. */
  const askOnce = async (key: string, holding: Holding): Promise<void> => {
    const plan = planRequest(rule, holding, readMs());
    outage.probe();
    try {
      const share = await inTime(takeShare(store, rule, { key, ...plan.request, now: now?.() }), waitMaxMs);
      applyShare(holding, share, plan);
      outage.end();
      answerWaiting(rule, holding, { nowMs: readMs(), ...outcomeOf(share, plan) });
    } catch (error) {
      outage.begin(error);
      for (const { points, answer } of dismiss(holding)) answer(outage.consume(key, points));
    }
  };

  const ask = async (key: string, holding: Holding): Promise<void> => {
    holding.isAsking = true;
    do await askOnce(key, holding);
    while (holding.waiting.length > 0);
    holding.isAsking = false;
  };
  const askBesides = (key: string, holding: Holding): void => {
    // It answers for its own failures.
    if (!holding.isAsking) ask(key, holding).catch(outage.begin);
  };
  /** For one request at best, for the one that is on its way and another at worst. */
  const wait = (key: string, holding: Holding, points: number): Promise<RateVerdict> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        leave(holding, call);
        resolve(outage.consume(key, points));
      }, waitMaxMs);
      const answer = (verdict: RateVerdict): void => {
        clearTimeout(timer);
        resolve(verdict);
      };
      const call: WaitingCall = { points, answer, isGone: false };
      join(holding, call);
      askBesides(key, holding);
    });

  return {
    rule,
    consume(key, wanted = 1) {
      const points = payablePoints(rule, wanted);
      const nowMs = readMs();
      if (outage.isOn(nowMs)) return Promise.resolve(outage.consume(key, points));
      const holding = holdings.get(key) ?? remember(holdings, key, emptyHolding());
      const verdict = judge(rule, holding, { points, nowMs });
      if (verdict === undefined) return wait(key, holding, points);
      if (isRunningLow(rule, holding, nowMs)) askBesides(key, holding);
      return Promise.resolve(verdict);
    },
    giveBack: (key, points = 1) => putBack(rule, holdings.get(key), { points, nowMs: readMs() }),
  };
}

const inTime = (share: Promise<Share>, ms: number): Promise<Share> =>
  withinTime(share, ms, () => new Error(`the database did not answer within ${ms} ms`));

/** While the database is out of reach the limits must not be what fails: each process then has a bucket of its own. */
function createOutage(
  rule: RateRule,
  { restMs = 2_000, onTrouble = () => undefined, readMs }: RateLimiterOptions & { readonly readMs: () => number },
) {
  const buckets = new Map<string, TokenBucket>();
  let untilMs = 0;
  let isProbed = false;
  return {
    begin: (error: unknown): void => {
      if (untilMs === 0) onTrouble(error);
      untilMs = readMs() + restMs;
      isProbed = false;
    },
    end: (): void => {
      untilMs = 0;
      isProbed = false;
    },
    isOn: (nowMs: number): boolean => untilMs > 0 && (nowMs < untilMs || isProbed),
    /** After a rest one call asks the database again; the others don't wait for what it finds. */
    probe: (): void => {
      isProbed = untilMs > 0;
    },
    consume: (key: string, points: number): RateVerdict => {
      const { bucket, verdict } = takeTokens(rule, buckets.get(key), { points, nowMs: readMs() });
      remember(buckets, key, bucket);
      return verdict;
    },
  };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): Value {
  map.set(key, value);
  if (map.size > keysMax) {
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
  return value;
}
