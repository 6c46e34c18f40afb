import { Buffer } from 'node:buffer';
import { Refusal } from '../../features/rules/errors.ts';
import { problem, type FieldProblem } from '../../features/rules/field-problems.ts';
import { readExternalId } from './external-id.ts';

/** Fields of a row of a batch, or of a line of a bulk sync, beside those of the item. */
export const rowNames = ['externalId', 'account'] as const;

/** Whose item a row is, and what is wrong with that. */
export interface RowNames {
  /** null when a problem says why. */
  readonly externalId: string | null;
  /** The member's reference; undefined when there is none. One that is too long is cut, so that memory stays bounded. */
  readonly account: string | undefined;
  readonly problems: readonly FieldProblem[];
}

export function readRowNames(row: object): RowNames {
  // No rest pattern, which would copy the other fields: there may be a hundred thousand.
  const [sentId, sentAccount] = rowNames.map((name): unknown =>
    Object.hasOwn(row, name) ? Reflect.get(row, name) : undefined,
  );
  const id = readId(sentId);
  const account = readAccount(sentAccount);
  return {
    externalId: 'value' in id ? id.value : null,
    account: account.value,
    problems: [...('value' in id ? [] : [id.problem]), ...(account.problem === undefined ? [] : [account.problem])],
  };
}

function readId(sent: unknown): { readonly value: string } | { readonly problem: FieldProblem } {
  const field = 'externalId';
  if (sent === undefined) return { problem: problem(field, 'required') };
  try {
    return { value: readExternalId(sent) };
  } catch (error) {
    const [refused] = error instanceof Refusal ? (error.details ?? []) : [];
    if (refused === undefined) throw error;
    return { problem: { ...refused, field } };
  }
}

/** Longest reference of a member in a row or a line: no member has a longer one. */
export const accountReferenceLengthMax = 255;
const shownMax = 100;

function readAccount(sent: unknown): { readonly value: string | undefined; readonly problem?: FieldProblem } {
  const field = 'account';
  if (sent === undefined || sent === null) return { value: undefined };
  if (typeof sent !== 'string') return { value: undefined, problem: problem(field, 'wrong_type', { type: 'string' }) };
  if (!isTooLong(sent)) return { value: sent };
  // A copy, because a slice would keep the whole text in memory.
  const value = Buffer.from(`${sent.slice(0, shownMax)}…`).toString();
  return { value, problem: problem(field, 'too_long', { max: accountReferenceLengthMax }) };
}

/** Characters are code points, as in other texts. The UTF-16 length is never smaller and is cheap, so it is checked first. */
const isTooLong = (text: string): boolean =>
  text.length > accountReferenceLengthMax &&
  [...text.slice(0, 2 * accountReferenceLengthMax + 2)].length > accountReferenceLengthMax;
