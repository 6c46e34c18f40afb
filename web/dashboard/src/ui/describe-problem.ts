import { ItembridgeError, ItembridgeUnreachable, type FieldProblem } from '../../../../client/itembridge-error.ts';

/** Words for the kinds of trouble that need no explanation of the service. */
export interface ProblemWords {
  readonly unreachable: string;
  readonly rateLimited: string;
  readonly signedOut: string;
  readonly suspended: string;
  readonly notFound: string;
  readonly unavailable: string;
  readonly internal: string;
  readonly refused: string;
  readonly unexpected: string;
}

export interface Problem {
  /** A sentence in the person's language. */
  readonly message: string;
  /** What the service said, in English, when it says more. */
  readonly detail?: string;
  readonly fields: readonly FieldProblem[];
  /** Stable code, for those who ask support. */
  readonly code?: string;
  readonly requestId?: string;
}

/** What happened, for a person, from whatever was thrown. */
export function describeProblem(error: unknown, words: ProblemWords): Problem {
  if (error instanceof ItembridgeUnreachable) return { message: words.unreachable, fields: [] };
  if (!(error instanceof ItembridgeError)) return { message: words.unexpected, detail: textOf(error), fields: [] };
  const { code, requestId, details, reason } = error;
  const known = knownMessage(error, words);
  return {
    message: known ?? words.refused,
    ...(known === undefined && { detail: reason }),
    ...(code !== undefined && { code }),
    ...(requestId !== undefined && { requestId }),
    fields: details,
  };
}

function knownMessage({ status, code }: ItembridgeError, words: ProblemWords): string | undefined {
  if (code === 'ACCOUNT_SUSPENDED') return words.suspended;
  if (status === 401) return words.signedOut;
  if (status === 404) return words.notFound;
  if (status === 429) return words.rateLimited;
  if (status === 502 || status === 503 || status === 504) return words.unavailable;
  return status >= 500 ? words.internal : undefined;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What is wrong with one field of a refused request, for `problem` of its control. */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ItembridgeError)) return undefined;
  return error.details.find((detail) => detail.field === field)?.message;
}
