// Reading the marketplace's answers, whatever they are about. Tolerant: a row that can't be read is left out and reported, unknown names
// and null lists are no matter, ids and amounts may be digits in a text, and a field that nothing depends on may have any form.
import { Type, type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** The answer does not have the known form of the marketplace. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

/** An id, as a number or as a text of digits. */
export const id = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: String.raw`^[1-9]\d*$` })]);
/** A field that may be missing or null. */
export const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));
export const maybeText = maybe(Type.String());
const digits = Type.String({ pattern: String.raw`^\d+$` });
/** Read with `Number`, like {@link kronor}. */
export const count = Type.Union([Type.Integer({ minimum: 0 }), digits]);
export const kronor = Type.Union([Type.Number({ minimum: 0 }), digits]);
/** A field that only {@link told} or {@link textsOf} reads: in another form it counts as missing, and its row stays readable. */
export const anything = Type.Optional(Type.Unknown());

/** Compiles once; the returned function throws {@link UnreadableAnswer}. */
export function reader<Schema extends TSchema>(schema: Schema): (body: unknown) => Static<Schema> {
  const validator = Compile(schema);
  return (body) => {
    if (!validator.Check(body)) throw new UnreadableAnswer('the answer has not the agreed form');
    return body;
  };
}

/** Told of rows that could not be read, so that the operator hears of a change of the marketplace. */
export type ReportRows = (skipped: { readonly rows: number; readonly of: number }) => void;

/**
 * Reads the rows of an answer: a bare list, or a list under one of the usual names. Throws {@link UnreadableAnswer} when there is no
 * list, or when not one of its rows can be read.
 */
export function rowsReader<Schema extends TSchema>(
  schema: Schema,
): (body: unknown, report: ReportRows) => Static<Schema>[] {
  const validator = Compile(schema);
  return (body, report) => {
    const list = listIn(body);
    const rows = list.filter((row): row is Static<Schema> => validator.Check(row));
    if (rows.length === 0 && list.length > 0) throw new UnreadableAnswer('no row of the answer has the agreed form');
    if (rows.length < list.length) report({ rows: list.length - rows.length, of: list.length });
    return rows;
  };
}

const listNames = ['items', 'results', 'transactions', 'orders'] as const;

export function listIn(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  if (typeof body === 'object' && body !== null)
    for (const name of listNames) {
      const list: unknown = Reflect.get(body, name);
      if (Array.isArray(list)) return list;
    }
  throw new UnreadableAnswer('the answer is no list');
}

const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i;
const form = /^(\d{4})-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?/;

/** A time of the marketplace. null: none, which is also what year 1 means. Throws {@link UnreadableAnswer}. */
export function timeOf(text: string | null | undefined): Date | null {
  if (text == null || text.trim() === '') return null;
  const year = form.exec(text)?.[1];
  if (year !== undefined && Number(year) < 1900) return null;
  const at = year === undefined ? undefined : hasZone.test(text) ? new Date(text) : inStockholm(text);
  if (at === undefined || Number.isNaN(at.getTime())) throw new UnreadableAnswer('a time in the answer cannot be read');
  return at;
}

/** A time that the row can't do without. */
export function requiredTimeOf(text: string | null | undefined): Date {
  const at = timeOf(text);
  if (at === null) throw new UnreadableAnswer('a time is missing in the answer');
  return at;
}

/** The marketplace's own clock, in which it gives times without a zone. */
function inStockholm(text: string): Date {
  const asUtc = new Date(/T/.test(text) ? `${text}Z` : `${text}T00:00:00Z`);
  if (Number.isNaN(asUtc.getTime())) return asUtc;
  // The offset of that moment, taken at the time that an hour's error can't move over a change of clocks twice.
  const guess = new Date(asUtc.getTime() - offsetMs(asUtc));
  return new Date(asUtc.getTime() - offsetMs(guess));
}

const clock = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Stockholm', timeZoneName: 'longOffset' });

function offsetMs(at: Date): number {
  const name = clock.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** null for a missing text, for blanks, and for what is no text. */
export function told(text: unknown): string | null {
  if (typeof text === 'number') return String(text);
  return typeof text !== 'string' || text.trim() === '' ? null : text.trim();
}

/** The texts of a list; none when it is no list. */
export const textsOf = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [];

/** HTTPS, or HTTP on this machine. */
export function isSafeUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isOnLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isOnLoopback);
}

const messageLengthMax = 300;
export const shortened = (text: string): string =>
  text.length > messageLengthMax ? `${text.slice(0, messageLengthMax)}…` : text;
