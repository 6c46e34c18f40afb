import { attemptBounds } from '../../core/webhooks/attempt-bounds.ts';
import { attemptTimeoutMs } from '../../core/webhooks/retry-schedule.ts';

/** An answer within this time is fast (protocol 16). */
const fastMs = 1_000;
/** An attempt that has been without an answer for so long makes its target slow before it has ended. */
const overdueMs = 2_000;
const fastOnesAfterSlow = 3;
const hangsInARowMax = 3;
/** The expected duration rises at once with a longer attempt, and falls by this share of the difference with a shorter one. */
const fallingShare = 0.3;
const tooLongFactor = 1.5;
/** Somewhat late rather than early, because who comes too early has looked in vain. */
const slack = 1.05;

export interface EndedAttempt {
  readonly succeeded: boolean;
  readonly durationMs: number;
}

/** What one process knows of one target: how it answers and what is in flight to it. */
export class TargetHealth {
  /** When each began, oldest first. */
  readonly inFlight = new Set<{ begunAt: number }>();
  /** Fast answers that are missing until attempts are cheap; of an unknown target one. */
  #fastOnesMissing = 1;
  #hangsInARow = 0;
  #expectedMs = 0;

  isFast(now: number): boolean {
    return this.#fastOnesMissing === 0 && !this.#isOverdue(now);
  }

  /** Slow or hanging; one that fails fast harms nobody. */
  isSuspect(now: number): boolean {
    return this.#fastOnesMissing > 1 || this.#isOverdue(now);
  }

  /** How many attempts it may have in flight, when all targets together have `inFlight`. */
  places(now: number, inFlight: number): number {
    return Math.min(this.#placesMax(now), this.#roomOf(now) - inFlight);
  }

  /** When a place will probably be free, and how long it takes on the average until another one is. */
  turns(now: number, inFlight: number): { freeAt: number; turnMs: number } {
    const eachMs = slack * this.#expectedMsAt(now);
    const [places, taken] = [this.places(now, inFlight), this.inFlight.size];
    const [oldest] = this.inFlight;
    const count = Math.max(1, places, Math.min(taken, this.#placesMax(now)));
    return { freeAt: taken < places ? now : Math.min(oldest?.begunAt ?? now, now) + eachMs, turnMs: eachMs / count };
  }

  /** One that takes longer than those before it probably gets no answer; a receiver that always takes 3 s is no reason. */
  #expectedMsAt(now: number): number {
    const isLonger = this.#hasOneFor(Math.max(overdueMs, this.#expectedMs * tooLongFactor), now);
    return isLonger ? Math.max(this.#expectedMs, attemptTimeoutMs) : this.#expectedMs;
  }

  #placesMax(now: number): number {
    const { sound, slow, hanging } = attemptBounds.perTargetMax;
    if (!this.isSuspect(now)) return sound;
    return this.#hangsInARow >= hangsInARowMax ? hanging : slow;
  }

  #roomOf(now: number): number {
    if (this.isSuspect(now)) return attemptBounds.suspectsMax;
    return this.isFast(now) ? attemptBounds.inFlightMax : attemptBounds.unprovenMax;
  }

  learn({ succeeded, durationMs }: EndedAttempt): void {
    this.#expectedMs = Math.max(durationMs, this.#expectedMs + (durationMs - this.#expectedMs) * fallingShare);
    const isFast = durationMs <= fastMs;
    this.#hangsInARow = succeeded || isFast ? 0 : this.#hangsInARow + 1;
    if (!isFast) this.#fastOnesMissing = fastOnesAfterSlow;
    else if (succeeded) this.#fastOnesMissing = Math.max(0, this.#fastOnesMissing - 1);
    else this.#fastOnesMissing = Math.max(1, this.#fastOnesMissing);
  }

  #isOverdue(now: number): boolean {
    return this.#hasOneFor(overdueMs, now);
  }

  #hasOneFor(ms: number, now: number): boolean {
    for (const { begunAt } of this.inFlight) if (now - begunAt > ms) return true;
    return false;
  }
}
