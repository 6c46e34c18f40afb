/** Limits the time of a whole exchange (connect, headers, body). Call `stop` when the exchange is over. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True once the time ran out; false when the caller aborted. */
  hasExpired(): boolean;
  /**
   * Waits for the work, at most until the signal aborts. Needed because undici ignores a signal before it has a
   * connection.
   */
  race<Value>(work: Promise<Value>): Promise<Value>;
  stop(): void;
}

/**
 * Starts the time limit at once. `outer` may abort earlier. Not AbortSignal.any: a combined time-out may be
 * garbage-collected before it fires.
 */
export function startDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    controller.abort(new Error('deadline passed'));
  }, timeoutMs);
  const giveUp = (): void => controller.abort(outer?.reason);
  if (outer?.aborted === true) giveUp();
  outer?.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    hasExpired: () => expired,
    race: (work) => unlessAborted(work, controller.signal),
    stop() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', giveUp);
    },
  };
}

async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let giveUp = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(new Error('aborted', { cause: signal.reason }));
  });
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
