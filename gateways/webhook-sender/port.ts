/** The data of one HTTP attempt, made from the stored row, so the body is the same in every attempt. */
export interface PreparedAttempt {
  readonly url: string;
  readonly body: Buffer;
  /** Signature and other headers, already computed over `body`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The trace of the cause, for our own spans; it is never sent. By default the current span is the parent. */
  readonly trace?: Readonly<Record<string, string>>;
}

/** Sent with every attempt beside its own. */
export const standingHeaders = { 'content-type': 'application/json', 'user-agent': 'itembridge-webhooks/1' } as const;

/** The result of one HTTP attempt. A failure of the receiver is a result, not an exception. */
export type AttemptOutcome =
  | {
      readonly kind: 'succeeded';
      readonly httpStatus: number;
      readonly durationMs: number;
      readonly responseStart: string;
    }
  | {
      readonly kind: 'failed';
      /** 410: the receiver asks for no further attempts. */
      readonly gone: boolean;
      readonly httpStatus: number | null;
      /** Safe to show to the partner: network or HTTP error detail, no internals. */
      readonly error: string;
      readonly durationMs: number;
      /** First KB of the answer as text, '' without an answer. */
      readonly responseStart: string;
    };

export interface WebhookSender {
  send(attempt: PreparedAttempt): Promise<AttemptOutcome>;
}
