import { Buffer } from 'node:buffer';

/** Longest reference of a member in a row or a line: no member has a longer one. */
export const accountReferenceLengthMax = 255;
const shownMax = 100;

/** The member's reference in a row or line; undefined when there is none, or when `problem` says why it is not usable. */
export function readAccountReference(sent: unknown): {
  readonly account: string | undefined;
  readonly problem?: string;
} {
  if (sent === undefined || sent === null) return { account: undefined };
  if (typeof sent !== 'string') return { account: undefined, problem: 'must be a string' };
  if (!isTooLong(sent)) return { account: sent };
  return { account: undefined, problem: `must be at most ${accountReferenceLengthMax} characters` };
}

/** Characters are code points, as in other texts. The UTF-16 length is never smaller and is cheap, so it is checked first. */
const isTooLong = (text: string): boolean =>
  text.length > accountReferenceLengthMax &&
  [...text.slice(0, 2 * accountReferenceLengthMax + 2)].length > accountReferenceLengthMax;

/** The reference as a refused row or line repeats it. A too long one is cut, so that memory stays bounded. */
export function shownReference(sent: unknown): string | undefined {
  if (typeof sent !== 'string') return undefined;
  // A copy, because a slice would keep the whole text in memory.
  return !isTooLong(sent) ? sent : Buffer.from(`${sent.slice(0, shownMax)}…`).toString();
}
