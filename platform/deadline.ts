/** Bounds a whole conversation (connect, headers, body) in time; `stop` must be called when it is over. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True once the time ran out, as opposed to the caller having given up. */
  hasExpired(): boolean;
  stop(): void;
}

/** Starts the clock at once. `outer` aborts earlier. (Not AbortSignal.any: a combined time-out may be collected before it fires.) */
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
    stop() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', giveUp);
    },
  };
}
