import { LRUCache } from 'lru-cache';
import { takeTokens, type RateRule, type TokenBucket } from '../../core/rate-limits/token-bucket.ts';
import { callerNetwork } from '../../platform/caller-address.ts';
import { isApiKeyForm } from '../../security/api-key.ts';
import { fingerprintOf } from '../../security/fingerprint.ts';

/** Addresses with too many refused credentials, as this process knows them. */
export interface Blocks {
  block(address: string, seconds: number): void;
  /**
   * Seconds for which an unknown credential from this address is refused without a look-up; 0 when it is looked up. For a blocked
   * address a few keys are still looked up, each wrong one only once. So a right key becomes known although a neighbour keeps
   * trying a wrong one.
   */
  secondsFor(address: string, apiKey: string | undefined): number;
  noteWrong(apiKey: string): void;
}

/** Look-ups of one process for one blocked address. */
const rememberedMax = 10_000;
const lookUps: RateRule = { name: 'look-ups', capacity: 20, perSecond: 2 };

export function createBlocks(nowMs: () => number): Blocks {
  const untilMs = new LRUCache<string, number>({ max: rememberedMax });
  const buckets = new LRUCache<string, TokenBucket>({ max: rememberedMax });
  const wrong = new LRUCache<string, true>({ max: rememberedMax });
  const mayLookUp = (network: string, apiKey: string): boolean => {
    if (!isApiKeyForm(apiKey) || wrong.has(fingerprintOf(apiKey))) return false;
    const { bucket, verdict } = takeTokens(lookUps, buckets.get(network), { points: 1, nowMs: nowMs() });
    buckets.set(network, bucket);
    return verdict.allowed;
  };
  return {
    block: (of, seconds) => void untilMs.set(callerNetwork(of), nowMs() + seconds * 1000),
    secondsFor(of, apiKey) {
      const network = callerNetwork(of);
      const seconds = Math.max(0, Math.ceil(((untilMs.get(network) ?? 0) - nowMs()) / 1000));
      return seconds > 0 && apiKey !== undefined && mayLookUp(network, apiKey) ? 0 : seconds;
    },
    noteWrong: (apiKey) => void wrong.set(fingerprintOf(apiKey), true),
  };
}
