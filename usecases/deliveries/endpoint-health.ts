import { attemptBounds } from '../../core/webhooks/attempt-bounds.ts';
import { TargetHealth, type EndedAttempt } from './target-health.ts';
import { freeAt, waitMs, WaitingLine, type Places } from './waiting-line.ts';

/**
 * Who may send now, so that a slow or dead receiver never delays anyone else (protocol 16). It knows what this process has
 * seen; after a restart all targets are unknown again.
 */
export interface EndpointHealth {
  /** @param target key of an endpoint or of an account-level URL */
  tryBegin(target: string, options: { delivery: string; onlyIfCheap: boolean }): Admission;
}

export type Admission =
  /** `end` is called once, when the attempt is over or nothing was sent (undefined); a second call does nothing. */
  | { readonly kind: 'begun'; readonly end: (attempt: EndedAttempt | undefined) => void }
  /** Only for a cheap try: it would hold a slot that others need, the attempt belongs on the fair queue. */
  | { readonly kind: 'needs-queue' }
  /** All places of the target are taken; one is expected to be free by then. Nobody holds a slot for it meanwhile. */
  | { readonly kind: 'wait'; readonly forMs: number };

/** Targets remembered; the oldest are forgotten and start as unknown again. */
const targetsMax = 10_000;

interface Known {
  readonly health: TargetHealth;
  readonly line: WaitingLine;
}

/** @param now ms on a clock that never goes back */
export function createEndpointHealth(now: () => number = () => performance.now()): EndpointHealth {
  const known = new Map<string, Known>();
  const all = { inFlight: 0, cheap: 0 };

  const of = (target: string): Known => {
    const found = known.get(target) ?? { health: new TargetHealth(), line: new WaitingLine() };
    known.delete(target);
    known.set(target, found);
    forgetOldest(known, now());
    return found;
  };

  const begin = (health: TargetHealth, cheap: 0 | 1): Admission => {
    const attempt = { begunAt: now() };
    health.inFlight.add(attempt);
    all.inFlight += 1;
    all.cheap += cheap;
    return {
      kind: 'begun',
      end: (ended) => {
        if (!health.inFlight.delete(attempt)) return;
        all.inFlight -= 1;
        all.cheap -= cheap;
        if (ended !== undefined) health.learn(ended);
      },
    };
  };

  return {
    // Decided and counted without a pause in between, else a burst would pass the check all at once.
    tryBegin: (target, { delivery, onlyIfCheap }) => {
      const { health, line } = of(target);
      const taken = health.inFlight.size;
      if (onlyIfCheap && health.isFast(now()) && taken < cheapPlaces(all)) return begin(health, 1);
      const isSuspect = health.isSuspect(now());
      if (onlyIfCheap && !isSuspect) return { kind: 'needs-queue' };
      const hadWaited = line.leave(delivery);
      const places = health.places(now(), all.inFlight);
      // Whoever waited, or was promised a place, comes before those that come now.
      const ahead = hadWaited || !isSuspect ? 0 : line.length(now());
      if (taken + ahead < places) {
        if (!onlyIfCheap) return begin(health, 0);
        line.join(delivery, now());
        return { kind: 'needs-queue' };
      }
      const turnAt = nextTurn({ health, line }, { hadWaited, now: now(), count: Math.max(1, places) });
      const forMs = waitMs(turnAt - now());
      line.join(delivery, now() + forMs);
      return { kind: 'wait', forMs };
    },
  };
}

/** Behind everybody who waits; who had waited takes the first place that nobody else waits for. */
function nextTurn({ health, line }: Known, asker: { hadWaited: boolean; now: number; count: number }): number {
  const { hadWaited, now, count } = asker;
  const begunAt = [...health.inFlight].map((attempt) => attempt.begunAt);
  const places: Places = { now, begunAt, count, eachMs: health.expectedMs(now) };
  const last = line.length(now) + 1;
  if (!hadWaited) return freeAt(places, last);
  let turn = 1;
  while (turn < last && line.countUntil(freeAt(places, turn)) >= turn) turn += 1;
  return freeAt(places, turn);
}

const cheapPlaces = (all: { inFlight: number; cheap: number }): number =>
  Math.min(
    attemptBounds.cheapPerTargetMax,
    attemptBounds.cheapMax - all.cheap,
    attemptBounds.inFlightMax - all.inFlight,
  );

function forgetOldest(known: Map<string, Known>, now: number): void {
  if (known.size <= targetsMax) return;
  for (const [target, { health, line }] of known) {
    if (health.inFlight.size > 0 || line.length(now) > 0) continue;
    known.delete(target);
    return;
  }
}
