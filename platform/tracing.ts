/** What travels to another process so that its spans belong to the same trace: `traceparent`, perhaps `tracestate` (W3C). */
export type TraceCarrier = Readonly<Record<string, string>>;

export interface SpanOptions {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** From another process; absent: the span of whoever calls. */
  readonly parent?: TraceCarrier;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** A span that somebody else ends. */
export interface OpenSpan {
  /** Calls `work` inside of the span: what it awaits and begins is inside, too. */
  run<Result>(work: () => Result): Result;
  end(outcome: {
    readonly name?: string;
    readonly attributes?: Readonly<Record<string, string | number>>;
    readonly error?: unknown;
  }): void;
}

/** Spans of this process, on their way to a collector. */
export interface Tracing {
  open(options: SpanOptions): OpenSpan;
  /** A span around `work`; an error is noted and thrown on. */
  span<Result>(options: SpanOptions, work: () => Promise<Result>): Promise<Result>;
  /** Of the span that is open here; empty outside of any. */
  carrier(): TraceCarrier;
  /** Sends what is left. Never rejects. */
  close(): Promise<void>;
}

/** `work` in a span where there is tracing, else as it is. */
export const inSpan = <Result>(
  tracing: Tracing | undefined,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> => (tracing === undefined ? work() : tracing.span(options, work));
