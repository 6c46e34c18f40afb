/**
 * What this process knows of a target's health. A first attempt is cheap only while the target's previous one succeeded fast
 * and few are in flight to it, so a hanging receiver never holds what others need (protocol 16).
 */
export interface EndpointHealth {
  /** Counts an attempt as in flight and says so, or answers false when `onlyIfCheap` and it would not be cheap. */
  tryBegin(target: string, options: { onlyIfCheap: boolean }): boolean;
  /** Exactly once after each `tryBegin` that answered true; `attempt` is undefined when nothing was sent. */
  end(target: string, attempt: { succeeded: boolean; durationMs: number } | undefined): void;
}

const fastMs = 1_000;
const cheapInFlightMax = 8;
/** Targets remembered; the oldest are forgotten and start as unknown again. */
const targetsMax = 10_000;

interface Known {
  wasFast: boolean;
  inFlight: number;
}

export function createEndpointHealth(): EndpointHealth {
  const known = new Map<string, Known>();
  const of = (target: string): Known => {
    const health = known.get(target) ?? { wasFast: false, inFlight: 0 };
    known.delete(target);
    known.set(target, health);
    forgetOldest(known);
    return health;
  };
  return {
    tryBegin: (target, { onlyIfCheap }) => {
      const health = of(target);
      // Checked and counted without a pause in between, else a burst would pass the check all at once.
      if (onlyIfCheap && !(health.wasFast && health.inFlight < cheapInFlightMax)) return false;
      health.inFlight += 1;
      return true;
    },
    end: (target, attempt) => {
      const health = of(target);
      health.inFlight = Math.max(0, health.inFlight - 1);
      if (attempt !== undefined) health.wasFast = attempt.succeeded && attempt.durationMs <= fastMs;
    },
  };
}

function forgetOldest(known: Map<string, Known>): void {
  if (known.size <= targetsMax) return;
  for (const [target, health] of known) {
    if (health.inFlight > 0) continue;
    known.delete(target);
    return;
  }
}
