import { asCode, plainTime } from './plain-words.ts';
import { textOfReason, type BlockedReason } from './reasons.ts';

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
export function explainRest({
  reason,
  lastError,
  isRetryInVain = false,
}: Pick<ExplainedWait, 'reason' | 'lastError'> & {
  /** An operator asked for a retry, and there was nothing to try again. */
  readonly isRetryInVain?: boolean;
}): string {
  const { what, why, whatToDo } = textOfReason(reason);
  return lines(`**Came to rest, and needs ${what}** (\`${reason}\`)`, [
    ['Why', why],
    ['Last error', lastError === null ? null : asCode(lastError)],
    ['Retry', isRetryInVain ? 'there was nothing that this service could try again' : null],
    ['What to do', whatToDo],
  ]);
}

/** What holds up the deliveries to one webhook target. Times are ISO 8601. */
export interface ExplainedReceiver {
  readonly reason: BlockedReason;
  /** Key of the target: endpoint id, or `account-<id>` for the account-level URL. */
  readonly target: string;
  /** Scheme, host and port: the rest of the address may be secret. */
  readonly origin: string;
  readonly since: string;
  /** Deliveries that wait untried. */
  readonly waiting: number;
  readonly oldestAt: string | null;
  /** Deliveries between two attempts. */
  readonly retrying: number;
  readonly nextAttemptAt: string | null;
  /** Deliveries given up in a row. */
  readonly failCount: number;
  readonly disabledAt: number;
  readonly missed: number;
  readonly lastError: string | null;
  /** An operator asked for a retry, and there was nothing to try again. */
  readonly isRetryInVain?: boolean;
}

/** A webhook target in trouble: its line, the last error, and what to do. */
export function explainReceiver(receiver: ExplainedReceiver): string {
  const { what, why, whatToDo } = textOfReason(receiver.reason);
  const { target, origin, since, waiting, oldestAt, retrying, nextAttemptAt } = receiver;
  const { failCount, disabledAt, missed, lastError } = receiver;
  const at = (time: string): string => plainTime(new Date(time));
  return lines(`**Waiting for ${what}** (\`${receiver.reason}\`)`, [
    ['Receiver', `\`${target}\` at ${asCode(origin)}`],
    ['Since', at(since)],
    ['In line, untried', `${waiting}${oldestAt === null ? '' : `, the oldest since ${at(oldestAt)}`}`],
    [
      'Between two attempts',
      `${retrying}${nextAttemptAt === null ? '' : `, the next attempt at ${at(nextAttemptAt)}`}`,
    ],
    ['Given up in a row', `${failCount}; an endpoint is disabled at ${disabledAt}`],
    ['Missed', missed === 0 ? null : `${missed} events`],
    ['Last error', lastError === null ? null : asCode(lastError)],
    ['Why', why],
    [
      'Retry',
      receiver.isRetryInVain === true
        ? 'nothing to try again: its owner disabled it, a recovery runs already, or nothing was missed'
        : null,
    ],
    ['What to do', whatToDo],
  ]);
}

const lines = (heading: string, rows: readonly (readonly [name: string, text: string | null])[]): string =>
  [heading, '', ...rows.flatMap(([name, text]) => (text === null ? [] : [`- **${name}:** ${text}`]))].join('\n');
