import { Refusal } from '../kit/fields.ts';

export type BudgetChange = { readonly type: 'budget'; readonly value: BudgetState };

interface BudgetState {
  /** Per application and method; null is without limit. */
  readonly callsPerDay: number | null;
  /** Number of the simulated day (UTC) that the counts belong to. */
  readonly day: number;
  readonly counts: Readonly<Record<string, number>>;
}

const dayMs = 24 * 3600 * 1000;

/** Calls that an application may make per method and day. The real marketplace gives 100 until it is asked for more. */
export class CallBudget {
  #state: BudgetState = { callsPerDay: null, day: 0, counts: {} };
  readonly #onChange: (change: BudgetChange) => void;

  constructor(onChange: (change: BudgetChange) => void) {
    this.#onChange = onChange;
  }

  get callsPerDay(): number | null {
    return this.#state.callsPerDay;
  }

  /** Sets the limit and starts counting from zero. */
  limit(callsPerDay: number | null): void {
    this.#put({ callsPerDay, day: 0, counts: {} });
  }

  /** Counts one call. Throws a 429 with `Retry-After` until the simulated midnight when none is left. */
  spend(method: string, now: number): void {
    const { callsPerDay } = this.#state;
    if (callsPerDay === null) return;
    const day = Math.floor(now / dayMs);
    const counts = day === this.#state.day ? this.#state.counts : {};
    const count = counts[method] ?? 0;
    if (count >= callsPerDay) throw exhausted(method, (day + 1) * dayMs - now);
    this.#put({ callsPerDay, day, counts: { ...counts, [method]: count + 1 } });
  }

  restore({ value }: BudgetChange): void {
    this.#state = value;
  }

  *snapshot(): Generator<BudgetChange> {
    yield { type: 'budget', value: this.#state };
  }

  #put(value: BudgetState): void {
    this.#state = value;
    this.#onChange({ type: 'budget', value });
  }
}

function exhausted(method: string, waitMs: number): Refusal {
  const message = `no calls of ${method} are left today`;
  const refusal = new Refusal(429, 'CallLimitExceeded', message);
  refusal.headers = { 'Retry-After': String(Math.ceil(waitMs / 1000)) };
  return refusal;
}
