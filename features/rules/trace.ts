/** The trace of the request that caused the work (W3C `traceparent`), so that it can be followed from the call to the webhook. */
export type Trace = Readonly<Record<string, string>>;
