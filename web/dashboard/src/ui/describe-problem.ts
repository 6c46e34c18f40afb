import { ItembridgeError, ItembridgeUnreachable } from '../../../../client/itembridge-error.ts';
import { currentLanguage } from '../i18n/language.ts';
import { tellFieldProblem } from '../words/field-problems.ts';
import { refusalTexts, tellRefusal } from '../words/refusals.ts';
import { uiTexts } from './texts.ts';

export interface Problem {
  /** A sentence in the person's language. */
  readonly message: string;
  /** The problem of each field, in that language. */
  readonly fields: readonly { readonly field: string; readonly message: string }[];
  /** Stable code, for questions to support. */
  readonly code?: string;
  readonly requestId?: string;
}

/** An error as text for people. The sentence comes from the code, because the service's own sentences are English. */
export function describeProblem(error: unknown): Problem {
  const language = currentLanguage();
  const t = uiTexts[language];
  if (error instanceof ItembridgeUnreachable) return { message: t.unreachable, fields: [] };
  if (!(error instanceof ItembridgeError)) return { message: t.unexpected, fields: [] };
  const { code, requestId, details, status } = error;
  const words = refusalTexts[language];
  return {
    message: tellRefusal(words, code) ?? (status >= 500 ? words.UNAVAILABLE : t.refused),
    ...(code !== undefined && { code }),
    ...(requestId !== undefined && { requestId }),
    fields: details.map((problem) => ({ field: problem.field, message: tellFieldProblem(problem, language) })),
  };
}

/** The problem of one field in a refused request, for `problem` of its control. */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ItembridgeError)) return undefined;
  const problem = error.details.find((detail) => detail.field === field);
  if (problem === undefined) return undefined;
  const told = tellFieldProblem(problem, currentLanguage());
  return `${told.charAt(0).toUpperCase()}${told.slice(1)}.`;
}
