import { plateAlone } from '../../items/rules/enrich-item.ts';
import { allImagesFailed } from '../../images/rules/image-set.ts';
import { isUnwanted, newestListing, type Item } from '../../items/rules/item.ts';
import { isTrouble, textOfReason, type BlockedReason } from './reasons.ts';
import { counted } from '../../rules/counted.ts';

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

/** The same for an item that rests with a problem, which no further check follows. */
export function explainRest({
  reason,
  lastError,
  isRetryInVain = false,
}: Pick<ExplainedWait, 'reason' | 'lastError'> & {
  /** An operator asked for a retry, and nothing could be retried. */
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
  /** An operator asked for a retry, and nothing could be retried. */
  readonly isRetryInVain?: boolean;
}

/** A webhook target in trouble: what waits, the last error, and what to do. */
export function explainReceiver(receiver: ExplainedReceiver): string {
  const { what, why, whatToDo } = textOfReason(receiver.reason);
  const { target, origin, since, waiting, oldestAt, retrying, nextAttemptAt } = receiver;
  const { failCount, disabledAt, missed, lastError } = receiver;
  const at = (time: string): string => plainTime(new Date(time));
  return lines(`**Waiting for ${what}** (\`${receiver.reason}\`)`, [
    ['Receiver', `\`${target}\` at ${asCode(origin)}`],
    ['Since', at(since)],
    ['In the queue, untried', `${waiting}${oldestAt === null ? '' : `, the oldest since ${at(oldestAt)}`}`],
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

const lengthMax = 300;
/** Most characters of a message that are examined, because it may be a server's whole error page. */
const lookedAtMax = 2_000;

/**
 * A foreign text, such as an error message, made safe to show to an operator inside Markdown. The result is one line of at most
 * 300 characters. It has no user, password or query of a URL, no key or token, and no characters that Markdown interprets.
 */
export function plainWords(text: string): string {
  const line = beginning(text)
    .replace(/\s+/g, ' ')
    .replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/?#@]*@)?([^\s?#]*)([?#]\S*)?/gi, '$1$3')
    .replace(/\b(sk_live_|sk_test_|whsec_|Bearer )[\w+/=.-]+/g, '$1…')
    .replace(/[`*[\]<>|\\#]/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length <= lengthMax ? line : `${line.slice(0, lengthMax - 1)}…`;
}

/** Cuts at the end of a word if possible: in a URL that is cut in the middle, a password would not be recognised. */
function beginning(text: string): string {
  if (text.length <= lookedAtMax) return text;
  const start = text.slice(0, lookedAtMax);
  const lastSpace = start.lastIndexOf(' ');
  return lastSpace > 0 ? start.slice(0, lastSpace) : start;
}

/** {@link plainWords} as a code span: outside one, Markdown turns every URL into a link that an operator might follow. */
export function asCode(text: string): string {
  const words = plainWords(text);
  return words === '' ? '' : `\`${words}\``;
}

/** `2026-11-22 07:10:03 UTC` */
export const plainTime = (time: Date): string => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const units = [
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1_000 },
] as const;

/** A duration in its largest unit: `3 hours`. */
export function plainDuration(durationMs: number): string {
  const unit = units.find(({ ms }) => durationMs >= ms) ?? units[3];
  const count = Math.max(0, Math.floor(durationMs / unit.ms));
  return counted(count, unit.name);
}

/** Why an item is blocked, or what problem it came to rest with. */
export interface Blocked {
  /** A {@link BlockedReason}, or a reason that only a newer version knows. */
  readonly reason: string;
  readonly since: Date;
}

/** The blocked reason that matters most to an operator; null when there is none. */
export function blockedReasonOf(item: Item): Blocked | null {
  const { processing } = item;
  if (processing.waitingFor !== null && !isTrouble(processing.waitingFor)) return null;
  if (processing.waitingFor !== null && !(processing.waitingFor === 'images' && isUnwanted(item)))
    return { reason: processing.waitingFor, since: processing.since ?? processing.updatedAt };
  const reason = item.removedAt === null ? restingReason(item) : null;
  return reason === null ? null : { reason, since: processing.updatedAt };
}

function restingReason(item: Item): BlockedReason | null {
  if (item.processing.stage === 'given_up') return 'given_up';
  if (isChangeRefused(item)) return 'change_refused';
  if (isUnwanted(item)) return null;
  // The failed images of a running auction: it keeps its pictures, and no other sign shows the failure.
  return allImagesFailed(item) ? 'images' : unanswered(item);
}

/** The refusal ends with the auction, or with the next accepted write. */
function isChangeRefused(item: Item): boolean {
  const newest = newestListing(item);
  return newest?.state === 'live' && newest.hasBids && newest.refusedRevision === item.revision;
}

/** Facts that could not be found out; the item continued without them. */
function unanswered({ content, enrichment: { vehicle, text } }: Item): BlockedReason | null {
  const isWanting = vehicle !== null && vehicle.found === null && vehicle.isOff !== true;
  if (isWanting && vehicle.plate === plateAlone(content))
    return vehicle.unansweredAtRevision === null ? 'plate_unknown' : 'registry_silent';
  return content.useAiEnhancement && text !== null && text.unansweredAtRevision !== null ? 'text_model_silent' : null;
}
