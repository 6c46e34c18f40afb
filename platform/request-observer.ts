import type { IncomingHttpHeaders } from 'node:http';

/** What a request came to, for those who count. */
export interface AnsweredRequest {
  readonly method: string;
  /** As the table has it; `other` for pages and for paths that nothing stands behind. */
  readonly route: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly isAborted: boolean;
  readonly failure: unknown;
  readonly seconds: number;
}

/** Follows each request from outside: counts it, or has it be a span of a trace. */
export interface RequestObserver {
  begin(request: { readonly method: string; readonly headers: IncomingHttpHeaders }): {
    /** Has the request worked on, at once. */
    run(next: () => void): void;
    end(answered: AnsweredRequest): void;
  };
}
