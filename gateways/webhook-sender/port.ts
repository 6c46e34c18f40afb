/** Everything one HTTP try needs; made from the stored record, so the body bytes are the same for every attempt. */
export interface PreparedAttempt {
  readonly url: string;
  readonly body: Buffer;
  /** Signature and other headers, already computed over `body`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What one HTTP try came to. It never throws: a receiver's failure is a result, not an exception. */
export type AttemptOutcome =
  | {
      readonly kind: 'succeeded';
      readonly httpStatus: number;
      readonly durationMs: number;
      readonly responseStart: string;
    }
  | {
      readonly kind: 'failed';
      /** 410: the receiver asks never to be sent this again. */
      readonly gone: boolean;
      readonly httpStatus: number | null;
      /** Safe to show to the partner: network or HTTP error detail, no internals. */
      readonly error: string;
      readonly durationMs: number;
      /** First KB of the answer as text, '' when there was none. */
      readonly responseStart: string;
    };

export interface WebhookSender {
  send(attempt: PreparedAttempt): Promise<AttemptOutcome>;
}
