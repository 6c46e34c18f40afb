import { Buffer } from 'node:buffer';

/** Of the reference of a member as a row or a line has it. No longer one names anybody. */
export const accountReferenceLengthMax = 255;
const shownMax = 100;

/** The reference in a row or line that was sent; undefined when it names none, or when `problem` says why it is not usable. */
export function readAccountReference(sent: unknown): {
  readonly account: string | undefined;
  readonly problem?: string;
} {
  if (sent === undefined || sent === null) return { account: undefined };
  if (typeof sent !== 'string') return { account: undefined, problem: 'must be a string' };
  if (!isTooLong(sent)) return { account: sent };
  return { account: undefined, problem: `must be at most ${accountReferenceLengthMax} characters` };
}

/** Characters are code points, as in other texts; the length in UTF-16 is never smaller, and quick to ask. */
const isTooLong = (text: string): boolean =>
  text.length > accountReferenceLengthMax &&
  [...text.slice(0, 2 * accountReferenceLengthMax + 2)].length > accountReferenceLengthMax;

/** As a refused row or line repeats it: one that is too long is cut, so that nothing of any length is held. */
export function shownReference(sent: unknown): string | undefined {
  if (typeof sent !== 'string') return undefined;
  // A copy: a part of a text would keep all of it in memory.
  return !isTooLong(sent) ? sent : Buffer.from(`${sent.slice(0, shownMax)}…`).toString();
}
