import { LRUCache } from 'lru-cache';
import { createKeyedMutex } from './keyed-mutex.ts';

/**
 * At most one reading of a key at a time: calls that come meanwhile share the next one, which begins after them. So a caller that
 * repeats a long reading costs no more than one that waits for it. An answer is given again for `keptMs` of it.
 */
export function createSharedReads<Answer>(
  keptMs: (answer: Answer) => number = () => 0,
): (key: string, read: () => Promise<Answer>) => Promise<Answer> {
  const runExclusive = createKeyedMutex();
  const waiting = new Map<string, Promise<Answer>>();
  const kept = new LRUCache<string, { readonly answer: Answer }>({ max: 500 });
  return (key, read) => {
    const next =
      waiting.get(key) ??
      runExclusive(key, async () => {
        waiting.delete(key);
        const known = kept.get(key);
        if (known !== undefined) return known.answer;
        const answer = await read();
        const ttl = keptMs(answer);
        if (ttl > 0) kept.set(key, { answer }, { ttl });
        return answer;
      });
    waiting.set(key, next);
    return next;
  };
}

/** Up to here adding up costs too little to give an old answer. */
const quickRows = 20_000;
const keptMsMax = 60_000;

/** How long sums over so many rows are given again: about ten times as long as adding them up takes. */
export const keptMsOfSums = (rows: number): number => (rows <= quickRows ? 0 : Math.min(keptMsMax, rows / 50));
