/** Sent to another process so that its spans belong to the same trace: `traceparent`, perhaps `tracestate` (W3C). */
export type TraceCarrier = Readonly<Record<string, string>>;

export interface SpanOptions {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** Parent span of another process; when absent, the caller's span is the parent. */
  readonly parent?: TraceCarrier;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** A span that the caller ends itself. */
export interface OpenSpan {
  /** Calls `work` inside the span, together with all that it awaits and begins. */
  run<Result>(work: () => Result): Result;
  end(outcome: {
    readonly name?: string;
    readonly attributes?: Readonly<Record<string, string | number>>;
    readonly error?: unknown;
  }): void;
}

/** Creates the spans of this process and sends them to a collector. */
export interface Tracing {
  open(options: SpanOptions): OpenSpan;
  /** Runs `work` in a span. An error is recorded and thrown on. */
  span<Result>(options: SpanOptions, work: () => Promise<Result>): Promise<Result>;
  /** The carrier of the current span; empty outside of any span. */
  carrier(): TraceCarrier;
  /** Sends the remaining spans. Never rejects. */
  close(): Promise<void>;
}

/** Runs `work` in a span when tracing is on, else directly. */
export const inSpan = <Result>(
  tracing: Tracing | undefined,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> => (tracing === undefined ? work() : tracing.span(options, work));
