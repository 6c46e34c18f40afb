import { refusalStatus, type FieldProblem, type Refusal, type RefusalCode } from '../errors.ts';

/** A line that was refused, as it is reported. */
export interface LineError {
  /** From 1. */
  readonly line: number;
  readonly externalId: string | null;
  /** As the line has it; left out when it has none. */
  readonly account?: string;
  readonly status: number;
  readonly error: string;
  readonly code: RefusalCode;
  readonly details?: readonly FieldProblem[];
}

/** Which line of the file, as far as it can be told. */
export interface LineName {
  readonly line: number;
  readonly externalId: string | null;
  readonly account?: string | undefined;
}

export const lineError = (
  { line, externalId, account }: LineName,
  { code, message, details }: Pick<Refusal, 'code' | 'message' | 'details'>,
): LineError => ({
  line,
  externalId,
  ...(account !== undefined && { account }),
  status: refusalStatus[code],
  error: message,
  code,
  ...(details !== undefined && { details }),
});
