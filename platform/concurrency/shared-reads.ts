import { createKeyedMutex } from './keyed-mutex.ts';

/**
 * At most one reading of a key at a time: calls that come meanwhile share the next one, which begins after them. So a caller that
 * repeats a long reading costs no more than one that waits for it.
 */
export function createSharedReads<Answer>(): (key: string, read: () => Promise<Answer>) => Promise<Answer> {
  const runExclusive = createKeyedMutex();
  const waiting = new Map<string, Promise<Answer>>();
  return (key, read) => {
    const next =
      waiting.get(key) ??
      runExclusive(key, () => {
        waiting.delete(key);
        return read();
      });
    waiting.set(key, next);
    return next;
  };
}
