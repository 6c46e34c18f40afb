export type BudgetChange = { readonly type: 'budget'; readonly value: BudgetState };

/** `method`: each operation has the whole number; `all`: they share it. Sources differ on which is true. */
export const budgetScopes = ['method', 'all'] as const;

export interface CallLimit {
  /** null is without limit. */
  readonly callsPerDay: number | null;
  readonly per: (typeof budgetScopes)[number];
}

interface BudgetState extends CallLimit {
  /** Number of the simulated day (UTC) that the counts belong to. */
  readonly day: number;
  readonly counts: Readonly<Record<string, number>>;
}

const dayMs = 24 * 3600 * 1000;

/** The calls that an application may make in a day. */
export class CallBudget {
  #state: BudgetState = { callsPerDay: null, per: 'method', day: 0, counts: {} };
  readonly #onChange: (change: BudgetChange) => void;

  constructor(onChange: (change: BudgetChange) => void) {
    this.#onChange = onChange;
  }

  get limit(): CallLimit {
    return { callsPerDay: this.#state.callsPerDay, per: this.#state.per };
  }

  /** Sets the limit and starts counting from zero. */
  setLimit(limit: CallLimit): void {
    this.#put({ ...limit, day: 0, counts: {} });
  }

  /** Counts one call; returns the milliseconds to the next simulated midnight when none is left. */
  spend(operation: string, now: number): number | undefined {
    const { callsPerDay, per } = this.#state;
    if (callsPerDay === null) return undefined;
    const day = Math.floor(now / dayMs);
    const counts = day === this.#state.day ? this.#state.counts : {};
    const counted = per === 'all' ? 'all' : operation;
    const count = counts[counted] ?? 0;
    if (count >= callsPerDay) return (day + 1) * dayMs - now;
    this.#put({ callsPerDay, per, day, counts: { ...counts, [counted]: count + 1 } });
    return undefined;
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
