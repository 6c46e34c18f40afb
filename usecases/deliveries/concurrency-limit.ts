import { attemptBounds } from '../../core/webhooks/delivery.ts';

/** An answer within this time is fast. */
const fastMs = 1_000;
/** An attempt that has been without an answer for so long makes its receiver slow before it has ended. */
const overdueMs = 2_000;
const fastOnesAfterSlow = 3;
const hangsInARowMax = 3;
const perSuccess = 2;

export interface EndedAttempt {
  readonly kind: 'succeeded' | 'failed';
  readonly durationMs: number;
}

/** How many attempts one receiver may have in flight: what one process has learned of it. */
export class ConcurrencyLimit {
  /** When each attempt that has no answer yet was sent, oldest first; ms on a clock that never goes back. */
  readonly sent = new Set<{ readonly at: number }>();
  #limit: number = attemptBounds.perReceiverMax.unknown;
  /** Fast answers that are missing until its attempts are cheap; of an unknown receiver one. */
  #fastOnesMissing = 1;
  #hangsInARow = 0;

  isFast(now: number): boolean {
    return this.#fastOnesMissing === 0 && !this.#isOverdue(now);
  }

  /** Slow or hanging; one that fails fast harms no other. */
  isSuspect(now: number): boolean {
    return this.#fastOnesMissing > 1 || this.#isOverdue(now);
  }

  inFlightMax(now: number): number {
    if (!this.isSuspect(now)) return this.#limit;
    const { slow, hanging } = attemptBounds.perReceiverMax;
    return Math.min(this.#limit, this.#hangsInARow >= hangsInARowMax ? hanging : slow);
  }

  /** How many attempts of all receivers together there may be when it begins another one. */
  allMax(now: number): number {
    if (this.isSuspect(now)) return attemptBounds.suspectsMax;
    return this.isFast(now) ? attemptBounds.inFlightMax : attemptBounds.unprovenMax;
  }

  learn({ kind, durationMs }: EndedAttempt): void {
    const succeeded = kind === 'succeeded';
    const isFast = durationMs <= fastMs;
    this.#hangsInARow = succeeded || isFast ? 0 : this.#hangsInARow + 1;
    if (succeeded) this.#limit = Math.min(attemptBounds.perReceiverMax.sound, this.#limit + perSuccess);
    if (!isFast) this.#fastOnesMissing = fastOnesAfterSlow;
    else if (succeeded) this.#fastOnesMissing = Math.max(0, this.#fastOnesMissing - 1);
    else this.#fastOnesMissing = Math.max(1, this.#fastOnesMissing);
  }

  #isOverdue(now: number): boolean {
    const [oldest] = this.sent;
    return oldest !== undefined && now - oldest.at > overdueMs;
  }
}
