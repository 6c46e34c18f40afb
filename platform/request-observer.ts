import type { IncomingHttpHeaders } from 'node:http';
import type { TraceCarrier } from './tracing.ts';

/** Outcome of a request, for metrics and traces. */
export interface AnsweredRequest {
  readonly method: string;
  /** Path in the route table; `other` for pages and for unknown paths. */
  readonly route: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly isAborted: boolean;
  readonly failure: unknown;
  readonly seconds: number;
}

/** Observes each incoming request, to count it or to trace it as a span. */
export interface RequestObserver {
  begin(request: { readonly method: string; readonly headers: IncomingHttpHeaders }): {
    /** The trace that the request's work belongs to; undefined without one. */
    readonly trace: TraceCarrier | undefined;
    /** Runs the request's handler, at once. */
    run(next: () => void): void;
    end(answered: AnsweredRequest): void;
  };
}
