import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../core/errors.ts';
import type { FileFacts } from './route.ts';

// Conditions and ranges of a GET or HEAD (RFC 9110, 13 and 14). Express has both: but its conditions give the whole file to callers
// that send `Cache-Control: no-cache` (as fetch does), and its ranges refuse a suffix that is longer than the file.

type Headers = Readonly<IncomingHttpHeaders>;

const names = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'range'] as const;

/** Whether the facts of the file decide what is sent. */
export const isConditional = (headers: Headers): boolean => names.some((name) => headers[name] !== undefined);

export const etagOf = ({ tag }: Pick<FileFacts, 'tag'>): string => `"${tag}"`;

/**
 * Throws {@link Refusal} PRECONDITION_FAILED when the caller means another version of the file. `If-Unmodified-Since` counts only
 * without `If-Match`, and a time that can't be read does not count.
 */
export function requireMatch(headers: Headers, facts: FileFacts): void {
  const wanted = headers['if-match'];
  const holds =
    wanted === undefined
      ? !(secondsOf(facts.storedAt) > Date.parse(headers['if-unmodified-since'] ?? ''))
      : tagsIn(wanted).some((tag) => tag === '*' || tag === etagOf(facts));
  if (!holds) throw new Refusal('PRECONDITION_FAILED', 'The file has changed');
}

/** Whether the caller has the file already. `If-Modified-Since` counts only without `If-None-Match`. */
export function isKnown(headers: Headers, facts: FileFacts): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return secondsOf(facts.storedAt) <= Date.parse(headers['if-modified-since'] ?? '');
  return tagsIn(known).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etagOf(facts));
}

/** Commas part the tags; ours have none. */
const tagsIn = (list: string): string[] => list.split(',').map((tag) => tag.trim());

/** HTTP dates have whole seconds. */
const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1_000) * 1_000;

/** Both ends belong to it. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The range to send, or undefined for the whole file: also for several ranges at once, for other units, for what can't be read,
 * and for an `If-Range` that is not exactly our ETag, all of which a server may answer so. `outside` has no byte of the file.
 */
export function rangeOf(headers: Headers, facts: FileFacts): Range | 'outside' | undefined {
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== etagOf(facts)) return undefined;
  const [, first, last, suffix] = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(headers.range?.trim() ?? '') ?? [];
  if (suffix !== undefined) return within({ start: Math.max(0, facts.bytes - Number(suffix)), end: Infinity }, facts);
  if (first === undefined) return undefined;
  const range = { start: Number(first), end: last === undefined || last === '' ? Infinity : Number(last) };
  return range.end < range.start ? undefined : within(range, facts);
}

const within = ({ start, end }: Range, { bytes }: FileFacts): Range | 'outside' =>
  start >= bytes ? 'outside' : { start, end: Math.min(end, bytes - 1) };
