import { attemptBounds } from '../../core/webhooks/attempt-bounds.ts';
import { TargetHealth, type EndedAttempt } from './target-health.ts';
import { WaitingLine } from './waiting-line.ts';

/**
 * Who may send now, so that a slow or dead receiver never delays anyone else (protocol 16). It knows what this process has
 * seen; after a restart all targets are unknown again.
 */
export interface EndpointHealth {
  /** @param target key of an endpoint or of an account-level URL */
  tryBegin(target: string, asker: Asker): Admission;
  /** For a first attempt that holds nothing others need, and waits in this process for its place. */
  tryBeginFirst(target: string): FirstAdmission;
  /** Slow or hanging. */
  isSlow(target: string): boolean;
}

export type FirstAdmission =
  /** `sends` is called when it goes out, after the writes before it; `end` as of {@link Admission}. */
  | {
      readonly kind: 'begun';
      readonly sends: () => void;
      readonly end: (attempt: EndedAttempt | undefined) => void;
    }
  | { readonly kind: 'full' };

export interface Asker {
  readonly delivery: string;
  readonly onlyIfCheap: boolean;
  /** Whether it was told to wait before, by any process. */
  readonly hasWaited: boolean;
}

export type Admission =
  /** `end` is called once, when the attempt is over or nothing was sent (undefined); a second call does nothing. */
  | { readonly kind: 'begun'; readonly end: (attempt: EndedAttempt | undefined) => void }
  /** Only for a cheap try: it would hold a slot that others need, the attempt belongs on the fair queue. */
  | { readonly kind: 'needs-queue' }
  /** All places of the target are taken; one is expected to be free by then. Nobody holds a slot for it meanwhile. */
  | { readonly kind: 'wait'; readonly forMs: number };

type Begun = Extract<FirstAdmission, { kind: 'begun' }>;

/** When an attempt that is still being prepared has begun: it has been without an answer for no time. */
const notYet = Number.POSITIVE_INFINITY;

/** Targets remembered; the oldest are forgotten and start as unknown again. */
const targetsMax = 10_000;

interface Known {
  readonly health: TargetHealth;
  readonly line: WaitingLine;
}

/** @param now ms on a clock that never goes back @param random from 0 to 1 */
export function createEndpointHealth(
  now: () => number = () => performance.now(),
  random: () => number = Math.random,
): EndpointHealth {
  const known = new Map<string, Known>();
  const all = { inFlight: 0, cheap: 0 };

  const of = (target: string): Known => {
    const found = known.get(target) ?? { health: new TargetHealth(), line: new WaitingLine() };
    known.delete(target);
    known.set(target, found);
    forgetOldest(known);
    return found;
  };

  const begin = (health: TargetHealth, cheap: 0 | 1, begunAt = now()): Begun => {
    const attempt = { begunAt };
    health.inFlight.add(attempt);
    all.inFlight += 1;
    all.cheap += cheap;
    return {
      kind: 'begun',
      sends: () => {
        attempt.begunAt = now();
      },
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
    tryBegin: (target, asker) => {
      const { health, line } = of(target);
      const { delivery, onlyIfCheap } = asker;
      const wasPromised = line.claim(delivery);
      if (onlyIfCheap && health.isFast(now()) && health.inFlight.size < cheapPlaces(all)) return begin(health, 1);
      if (onlyIfCheap && !health.isSuspect(now())) return { kind: 'needs-queue' };
      const free = health.places(now(), all.inFlight) - health.inFlight.size;
      if (free > 0 && (wasPromised || mayTake({ health, line }, { asker, free, now: now() }))) {
        if (!onlyIfCheap) return begin(health, 0);
        line.promise(delivery, now());
        return { kind: 'needs-queue' };
      }
      const forMs = line.join({ now: now(), ...health.turns(now(), all.inFlight) }, random());
      return { kind: 'wait', forMs };
    },
    tryBeginFirst: (target) => {
      const { health } = of(target);
      // The database may be slow before it goes out: the receiver isn't to blame for that.
      return health.places(now(), all.inFlight) > health.inFlight.size ? begin(health, 0, notYet) : { kind: 'full' };
    },
    isSlow: (target) => known.get(target)?.health.isSuspect(now()) ?? false,
  };
}

/** Whoever waited, or was promised a place, comes before those that come now. */
function mayTake({ health, line }: Known, { asker, free, now }: { asker: Asker; free: number; now: number }): boolean {
  if (line.promised(now) >= free) return false;
  return asker.hasWaited || !health.isSuspect(now) || line.isEmpty(now);
}

const cheapPlaces = (all: { inFlight: number; cheap: number }): number =>
  Math.min(
    attemptBounds.cheapPerTargetMax,
    attemptBounds.cheapMax - all.cheap,
    attemptBounds.inFlightMax - all.inFlight,
  );

/** Passes over no more targets than there may be attempts in flight. */
function forgetOldest(known: Map<string, Known>): void {
  if (known.size <= targetsMax) return;
  for (const [target, { health }] of known) {
    if (health.inFlight.size > 0) continue;
    known.delete(target);
    return;
  }
}
