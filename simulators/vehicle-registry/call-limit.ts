import type { Clock } from '../kit/clock.ts';
import { Refusal } from '../kit/fields.ts';

/** So many calls in so many seconds, by the simulator's clock; by default more than any caller makes. */
export class CallLimit {
  readonly #clock: Clock;
  #limit = { calls: 1_000_000, seconds: 60 };
  #left = 0;
  #resetMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  change(limit: { readonly calls: number; readonly seconds: number }): void {
    this.#limit = limit;
    this.#resetMs = 0;
  }

  /** Takes one call, and tells the limit in Biluppgifter's headers. Throws the 429. */
  take(tell: (header: string, value: string) => void): void {
    const now = this.#clock.now();
    if (now >= this.#resetMs) {
      this.#left = this.#limit.calls;
      this.#resetMs = now + this.#limit.seconds * 1_000;
    }
    const isAllowed = this.#left > 0;
    this.#left = Math.max(0, this.#left - 1);
    tell('X-RateLimit-Limit', String(this.#limit.calls));
    tell('X-RateLimit-Remaining', String(this.#left));
    tell('X-RateLimit-Reset', String(Math.ceil(this.#resetMs / 1_000)));
    if (!isAllowed) throw new Refusal(429, 'TooManyRequests', 'no calls are left');
  }
}
