/** The trace of the request that caused the work (W3C `traceparent`), so that it can be followed from the call to the webhook. */
export type Trace = Readonly<Record<string, string>>;

/** Pause after a lost start or a failed look: 2 s, doubling up to 10 minutes. */
export const retryPauseMs = (tries: number): number => Math.min(2_000 * 2 ** Math.min(tries, 20), 600_000);
