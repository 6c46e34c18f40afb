import { fieldsOf } from './fields.ts';
import { regularExpression } from './regular-expression.ts';

export const faultModes = ['status', 'delay', 'drop-before', 'drop-after', 'garbage'] as const;
export type FaultMode = (typeof faultModes)[number];

/**
 * - `status`: answers `status` without doing the work.
 * - `delay`: waits `delayMs`, then works and answers as usual, also when the caller has given up meanwhile.
 * - `drop-before`: closes the connection before anything is done.
 * - `drop-after`: does the work, then closes the connection without an answer.
 * - `garbage`: does the work, then answers 200 with an unreadable body.
 *
 * `delayMs` is welcome in every mode: it is the time before the answer, the close or the work.
 */
export interface Fault {
  readonly id: string;
  readonly mode: FaultMode;
  /** Upper case; absent means every method. */
  readonly method?: string;
  /** Regular expression, tried on the path and on path and query; absent means every path. */
  readonly path?: string;
  readonly status: number;
  readonly delayMs: number;
  /** For `status`: extra headers, such as a redirect's Location or Retry-After. */
  readonly headers: Readonly<Record<string, string>>;
  /** How many more calls it hits; null means until it is deleted. */
  readonly remaining: number | null;
}

/** The prepared faults of one simulator. */
export class FaultBook {
  #faults: Fault[] = [];
  #count = 0;

  /** Throws a 400 {@link Refusal} for a body that describes no fault. */
  add(body: unknown): Fault {
    const fault = parseFault(body, `fault-${this.#count + 1}`);
    this.#count += 1;
    this.#faults.push(fault);
    return fault;
  }

  /** Returns the oldest fault that matches this call, and counts it. */
  take(call: { method: string; path: string; url: string }): Fault | undefined {
    const fault = this.#faults.find((candidate) => fits(candidate, call));
    if (fault !== undefined && fault.remaining !== null) this.#use(fault, fault.remaining - 1);
    return fault;
  }

  list(): readonly Fault[] {
    return this.#faults;
  }

  remove(id: string): boolean {
    const before = this.#faults.length;
    this.#faults = this.#faults.filter((fault) => fault.id !== id);
    return this.#faults.length < before;
  }

  clear(): void {
    this.#faults = [];
  }

  #use(fault: Fault, remaining: number): void {
    if (remaining === 0) this.remove(fault.id);
    else this.#faults = this.#faults.map((other) => (other.id === fault.id ? { ...fault, remaining } : other));
  }
}

function fits(fault: Fault, call: { method: string; path: string; url: string }): boolean {
  if (fault.method !== undefined && fault.method !== call.method) return false;
  if (fault.path === undefined) return true;
  const pattern = new RegExp(fault.path);
  return pattern.test(call.path) || pattern.test(call.url);
}

function parseFault(body: unknown, id: string): Fault {
  const fields = fieldsOf(body);
  const mode = fields.oneOf('mode', faultModes);
  const delayMax = 600_000;
  return {
    id,
    mode,
    ...(fields.has('method') ? { method: fields.text('method', { min: 1, max: 10 }).toUpperCase() } : {}),
    ...(fields.has('path') ? { path: regularExpression(fields.text('path', { max: 1000 }), 'path').source } : {}),
    status: fields.has('status') ? fields.number('status', { whole: true, min: 200, max: 599 }) : 503,
    delayMs: fields.has('delayMs') || mode === 'delay' ? fields.number('delayMs', { max: delayMax }) : 0,
    headers: fields.has('headers') ? parseHeaders(fields.raw('headers')) : {},
    remaining: fields.has('times') ? fields.number('times', { whole: true, min: 1 }) : null,
  };
}

function parseHeaders(value: unknown): Record<string, string> {
  const fields = fieldsOf(value, { prefix: 'headers.' });
  return Object.fromEntries(Object.keys(Object(value)).map((name) => [name, fields.text(name, { max: 2000 })]));
}
