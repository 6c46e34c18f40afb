/** Runs `work` when all that was given earlier under the same key is done, however that ended. */
export type RunExclusive = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Turns within this process. A key is forgotten when nobody waits under it any more. */
export function createKeyedMutex(): RunExclusive {
  const lastOf = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const earlier = lastOf.get(key) ?? Promise.resolve();
    const mine = earlier.then(work);
    const ended = mine.then(
      () => undefined,
      () => undefined,
    );
    lastOf.set(key, ended);
    try {
      return await mine;
    } finally {
      if (lastOf.get(key) === ended) lastOf.delete(key);
    }
  };
}
