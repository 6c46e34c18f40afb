/** Sums by account of the present period and of the one before it. */
export class RecentUse {
  readonly #periodMs: number;
  readonly #now: () => number;
  #present = new Map<string, number>();
  #before = new Map<string, number>();
  #endsAt: number;

  /** `now` in ms. */
  constructor(periodMs: number, now: () => number = () => performance.now()) {
    this.#periodMs = periodMs;
    this.#now = now;
    this.#endsAt = now() + periodMs;
  }

  add(account: string, amount: number): void {
    this.#turn();
    this.#present.set(account, (this.#present.get(account) ?? 0) + amount);
  }

  of(account: string): number {
    this.#turn();
    return (this.#present.get(account) ?? 0) + (this.#before.get(account) ?? 0);
  }

  #turn(): void {
    const lateMs = this.#now() - this.#endsAt;
    if (lateMs < 0) return;
    this.#before = lateMs < this.#periodMs ? this.#present : new Map<string, number>();
    this.#present = new Map();
    this.#endsAt = this.#now() + this.#periodMs;
  }
}
