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
  /** Whether it was told to wait before, by any process. */
  readonly hasWaited: boolean;
}

export type Admission =
  /** `end` is called once, when the attempt is over or nothing was sent (undefined); a second call does nothing. */
  | { readonly kind: 'begun'; readonly end: (attempt: EndedAttempt | undefined) => void }
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
  const all = { inFlight: 0 };

  const of = (target: string): Known => {
    const found = known.get(target) ?? { health: new TargetHealth(), line: new WaitingLine() };
    known.delete(target);
    known.set(target, found);
    forgetOldest(known);
    return found;
  };

  const begin = (health: TargetHealth, begunAt = now()): Begun => {
    const attempt = { begunAt };
    health.inFlight.add(attempt);
    all.inFlight += 1;
    return {
      kind: 'begun',
      sends: () => {
        attempt.begunAt = now();
      },
      end: (ended) => {
        if (!health.inFlight.delete(attempt)) return;
        all.inFlight -= 1;
        if (ended !== undefined) health.learn(ended);
      },
    };
  };

  return {
    // Decided and counted without a pause in between, else a burst would pass the check all at once.
    tryBegin: (target, asker) => {
      const { health, line } = of(target);
      const free = health.places(now(), all.inFlight) - health.inFlight.size;
      // A delivery that has waited comes before those that come now.
      if (free > 0 && (asker.hasWaited || !health.isSuspect(now()) || line.isEmpty(now()))) return begin(health);
      const forMs = line.join({ now: now(), ...health.turns(now(), all.inFlight) }, random());
      return { kind: 'wait', forMs };
    },
    tryBeginFirst: (target) => {
      const { health } = of(target);
      // The database may be slow before it goes out: the receiver isn't to blame for that.
      return health.places(now(), all.inFlight) > health.inFlight.size ? begin(health, notYet) : { kind: 'full' };
    },
    isSlow: (target) => known.get(target)?.health.isSuspect(now()) ?? false,
  };
}

/** Passes over no more targets than there may be attempts in flight. */
function forgetOldest(known: Map<string, Known>): void {
  if (known.size <= targetsMax) return;
  for (const [target, { health }] of known) {
    if (health.inFlight.size > 0) continue;
    known.delete(target);
    return;
  }
}
