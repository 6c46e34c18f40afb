import { asCode, plainTime } from './plain-words.ts';
import { textOfReason } from './reasons.ts';

export interface ExplainedWait {
  readonly reason: string;
  /** null when unknown. */
  readonly since: Date | null;
  /** Latest time of the next automatic check; null when there is none. */
  readonly until: Date | null;
  /** Failed tries in a row. */
  readonly attempts?: number | undefined;
  readonly lastError: string | null;
}

/** A wait in Markdown: what the item waits for, why, since when, the latest next check, and what to do. */
export function explainWait({ reason, since, until, attempts = 0, lastError }: ExplainedWait): string {
  const { what, why, whatToDo } = textOfReason(reason);
  return lines(`**Waiting for ${what}** (\`${reason}\`)`, [
    ['Why', why],
    ['Since', since === null ? null : plainTime(since)],
    [
      'Looked at again',
      until === null ? null : `${plainTime(until)} at the latest; any change of the item comes sooner`,
    ],
    ['Tries', attempts > 0 ? String(attempts) : null],
    ['Last error', lastError === null ? null : asCode(lastError)],
    ['What to do', whatToDo],
  ]);
}

/** The same for an item that is at rest with a problem, so that no further check comes. */
export function explainRest({ reason, lastError }: Pick<ExplainedWait, 'reason' | 'lastError'>): string {
  const { what, why, whatToDo } = textOfReason(reason);
  return lines(`**Came to rest, and needs ${what}** (\`${reason}\`)`, [
    ['Why', why],
    ['Last error', lastError === null ? null : asCode(lastError)],
    ['What to do', whatToDo],
  ]);
}

export interface ExplainedDelivery {
  readonly reason: string;
  /** Attempts that were made. */
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly endpoint: string;
  readonly until: Date;
  readonly lastError: string;
}

/** A delivery that has to wait before its next attempt. */
export function explainDelivery(wait: ExplainedDelivery): string {
  const { what, why, whatToDo } = textOfReason(wait.reason);
  return lines(`**Waiting for ${what}** (\`${wait.reason}\`)`, [
    ['Attempts', `${wait.attempts} of ${wait.attemptsMax} made`],
    ['Next look', `${plainTime(wait.until)} at the latest`],
    ['Endpoint', `\`${wait.endpoint}\``],
    ['Why', why],
    ['Last error', asCode(wait.lastError)],
    ['What to do', whatToDo],
  ]);
}

const lines = (heading: string, rows: readonly (readonly [name: string, text: string | null])[]): string =>
  [heading, '', ...rows.flatMap(([name, text]) => (text === null ? [] : [`- **${name}:** ${text}`]))].join('\n');
