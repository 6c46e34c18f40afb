/** One call from outside; `path` is without the query, where secrets may stand. */
export interface Call {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** Null while the call runs, and for good when it was never answered. */
  status: number | null;
  /** Mode of the fault that hit it. */
  readonly fault: string | null;
}

/** The newest calls, oldest first; what is older than `capacity` calls is forgotten. */
export class CallLog {
  #calls: Call[] = [];
  readonly #capacity: number;

  constructor(capacity = 20_000) {
    this.#capacity = capacity;
  }

  add(call: Call): void {
    this.#calls.push(call);
    // Cutting only at twice the size keeps the cost of forgetting constant per call.
    if (this.#calls.length >= this.#capacity * 2) this.#calls = this.#calls.slice(-this.#capacity);
  }

  list(path?: RegExp): readonly Call[] {
    const kept = this.#calls.slice(-this.#capacity);
    return path === undefined ? kept : kept.filter((call) => path.test(call.path));
  }

  clear(): void {
    this.#calls = [];
  }
}
