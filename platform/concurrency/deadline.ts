/** Limits the time of a whole exchange (connect, headers, body). Call `stop` when the exchange is over. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True once the time ran out; false when the caller aborted. */
  hasExpired(): boolean;
  /** The time stands still until the work ends. */
  without<Result>(work: () => Promise<Result>): Promise<Result>;
  stop(): void;
}

/**
 * Starts the time limit at once. `outer` may abort earlier. Not AbortSignal.any: a combined time-out may be
 * garbage-collected before it fires.
 */
export function startDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let expired = false;
  const run = (leftMs: number) => {
    const end = (): void => {
      expired = true;
      controller.abort(new Error('deadline passed'));
    };
    return { until: performance.now() + leftMs, timer: setTimeout(end, leftMs) };
  };
  let running = run(timeoutMs);
  const giveUp = (): void => controller.abort(outer?.reason);
  if (outer?.aborted === true) giveUp();
  outer?.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    hasExpired: () => expired,
    async without(work) {
      clearTimeout(running.timer);
      const leftMs = running.until - performance.now();
      try {
        return await work();
      } finally {
        running = run(leftMs);
      }
    },
    stop() {
      clearTimeout(running.timer);
      outer?.removeEventListener('abort', giveUp);
    },
  };
}
