/** A simulator's time: the real one plus what has been advanced; it never goes back. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  advancedMs(): number;
  advance(seconds: number): void;
  /** Called after each advance, so that what fell due in between happens at once. */
  onAdvance(listener: () => void): void;
}

/** `advancedMs` restores a clock that was moved before a restart. */
export function createClock(advancedMs = 0): Clock {
  let offsetMs = advancedMs;
  const listeners: (() => void)[] = [];
  return {
    now: () => Date.now() + offsetMs,
    advancedMs: () => offsetMs,
    advance(seconds) {
      offsetMs += seconds * 1000;
      for (const listener of listeners) listener();
    },
    onAdvance(listener) {
      listeners.push(listener);
    },
  };
}
