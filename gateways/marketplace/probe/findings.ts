import { statusAndCode, type ProbeAnswer } from './look-for-probe.ts';

/** What the probe says of one assumption. It holds no person's data: numbers, names of fields and states alone. */
export interface Finding {
  readonly assumption: string;
  readonly verdict: 'as assumed' | 'differs' | 'could not see';
  /** What was seen, or why not. */
  readonly seen: string;
}
export type Judgement = Omit<Finding, 'assumption'>;

export const judge = (isSo: boolean, seen: string): Judgement => ({ verdict: isSo ? 'as assumed' : 'differs', seen });
export const unseen = (why: string): Judgement => ({ verdict: 'could not see', seen: why });

/** Judges the body of a success; what was refused or not asked could not be seen. */
export function ofBody(answer: ProbeAnswer | undefined, judgeBody: (body: unknown) => Judgement): Judgement {
  if (answer === undefined) return unseen('not asked, or no answer');
  return answer.status === 200 ? judgeBody(answer.body) : unseen(`refused: ${statusAndCode(answer)}`);
}

/** Judges by the status alone. */
export const ofStatus = (answer: ProbeAnswer | undefined, statuses: readonly number[]): Judgement =>
  answer === undefined
    ? unseen('not asked, or no answer')
    : judge(statuses.includes(answer.status), statusAndCode(answer));

const namesMax = 8;
/** Names in one line, the first few of them. */
export const some = (names: readonly (string | number)[]): string =>
  names.length > namesMax
    ? `${names.slice(0, namesMax).join(', ')} and ${names.length - namesMax} more`
    : names.join(', ');

/** Nothing is missing: as assumed. */
export const noneOf = (
  found: readonly (string | number)[],
  { none, label }: { none: string; label: string },
): Judgement => (found.length === 0 ? judge(true, none) : judge(false, `${label}: ${some(found)}`));
