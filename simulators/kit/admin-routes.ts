import express, { type Request, type Router } from 'express';
import type { Clock } from './clock.ts';
import type { FaultBook } from './fault-book.ts';
import { fieldsOf, Refusal } from './fields.ts';
import { regularExpression } from './regular-expression.ts';
import { jsonBodyOf } from './request-body.ts';

const oneYearSeconds = 366 * 24 * 3600;

/** The admin routes that every simulator has: faults, calls and clock. */
export function adminRoutes(parts: { faults: FaultBook; calls: CallLog; clock: Clock }): Router {
  const { faults, calls, clock } = parts;
  const router = express.Router();
  const time = () => ({ now: new Date(clock.now()).toISOString(), advancedSeconds: clock.advancedMs() / 1000 });

  router.post('/faults', (request, response) => {
    response.status(201).json({ id: faults.add(jsonBodyOf(request)).id });
  });
  router.get('/faults', (_request, response) => {
    response.json({ faults: faults.list() });
  });
  router.delete('/faults', (_request, response) => {
    faults.clear();
    response.status(204).end();
  });
  router.delete('/faults/:id', (request, response) => {
    if (!faults.remove(request.params.id)) throw new Refusal(404, 'NotFound', `there is no fault ${request.params.id}`);
    response.status(204).end();
  });
  router.get('/calls', (request, response) => {
    response.json({ calls: calls.list(pathFilterOf(request)) });
  });
  router.delete('/calls', (_request, response) => {
    calls.clear();
    response.status(204).end();
  });
  router.get('/clock', (_request, response) => {
    response.json(time());
  });
  router.post('/clock', (request, response) => {
    clock.advance(fieldsOf(jsonBodyOf(request)).number('advanceSeconds', { max: 20 * oneYearSeconds }));
    response.json(time());
  });
  return router;
}

/** `?path=` is a regular expression in every admin route, as it is in faults. */
export function pathFilterOf(request: Request): RegExp | undefined {
  const path = queryText(request, 'path');
  return path === undefined ? undefined : regularExpression(path, 'path');
}

/** One query parameter as text; undefined when absent or empty, a 400 when it is repeated. */
export function queryText(request: Request, name: string): string | undefined {
  const value = request.query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw new Refusal(400, 'InvalidRequest', `${name} must stand in the query only once`);
  return value;
}

/** One call from outside; `path` is without the query, where secrets may stand. */
export interface Call {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** Null while the call runs, and for ever when it was never answered. */
  status: number | null;
  /** Mode of the fault that hit it. */
  readonly fault: string | null;
}

/** The newest calls, oldest first; at least the newest `capacity` calls are kept. */
export class CallLog {
  #calls: Call[] = [];
  readonly #capacity: number;

  constructor(capacity = 20_000) {
    this.#capacity = capacity;
  }

  add(call: Call): void {
    this.#calls.push(call);
    // Cutting only at twice the size keeps the cost per call constant.
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
