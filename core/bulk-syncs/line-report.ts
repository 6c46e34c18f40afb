import { refusalStatus, type FieldProblem, type Refusal, type RefusalCode } from '../errors.ts';
import type { RequestWarning } from '../items/item-content.ts';

/** Report on one line: an error when it was refused, a warning when it was taken all the same. */
export type LineReport = LineError | LineWarning;
export type Severity = LineReport['severity'];

interface Reported {
  /** From 1. */
  readonly line: number;
  readonly externalId: string | null;
  /** As written in the line; left out when the line has none. */
  readonly account?: string;
  /** Message for people. */
  readonly error: string;
}

export interface LineError extends Reported {
  readonly severity: 'error';
  readonly status: number;
  readonly code: RefusalCode;
  readonly details?: readonly FieldProblem[];
}

export interface LineWarning extends Reported {
  readonly severity: 'warning';
  readonly status: 202;
  readonly details: readonly FieldProblem[];
}

/** Identifies a line of the file, as far as the line could be read. */
export interface LineName {
  readonly line: number;
  readonly externalId: string | null;
  readonly account?: string | undefined;
}

export const lineError = (
  name: LineName,
  { code, message, details }: Pick<Refusal, 'code' | 'message' | 'details'>,
): LineError => ({
  ...named(name),
  severity: 'error',
  status: refusalStatus[code],
  error: message,
  code,
  ...(details !== undefined && { details }),
});

export const lineWarning = (name: LineName, warnings: readonly RequestWarning[]): LineWarning => ({
  ...named(name),
  severity: 'warning',
  status: 202,
  error: `The line was taken, with ${warnings.length === 1 ? 'a warning' : `${warnings.length} warnings`}`,
  details: warnings,
});

const named = ({ line, externalId, account }: LineName) => ({
  line,
  externalId,
  ...(account !== undefined && { account }),
});
