/** An expected "no": answered with its status, code and public message, never logged as an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  /** Sent with the answer, such as Retry-After. */
  headers: Readonly<Record<string, string>> = {};

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
