/** Runs `work` after all earlier work of the same key has ended, even with an error. */
export type RunExclusive = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** A mutex within this process. A key is removed when no work of it is left. */
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
