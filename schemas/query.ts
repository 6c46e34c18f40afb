import Type from 'typebox';
import { Refusal } from '../features/rules/errors.ts';
import { problem, told, type FieldProblem, type Told } from '../features/rules/field-problems.ts';

/** Result of a parameter reader for an invalid value. */
export class BadValue {
  readonly told: Told;
  constructor(problem: Told) {
    this.told = problem;
  }
}

export type ParameterReader<Value> = (raw: string) => Value | BadValue;
type Readers = Readonly<Record<string, ParameterReader<unknown>>>;
type ReadQuery<Of extends Readers> = { readonly [Name in keyof Of]?: Exclude<ReturnType<Of[Name]>, BadValue> };

/**
 * Reads a query, each parameter with its reader; absent parameters are left out. Throws Refusal BAD_REQUEST that names every bad
 * or unknown parameter, because a typing error in a filter must not return the unfiltered list.
 */
export function readQuery<Of extends Readers>(query: Readonly<Record<string, string>>, readers: Of): ReadQuery<Of> {
  const read: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const [name, raw] of Object.entries(query)) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    const value = reader === undefined ? new BadValue(told('unknown_parameter')) : reader(raw);
    if (value instanceof BadValue) problems.push({ field: name.slice(0, 200), ...value.told });
    else read[name] = value;
  }
  if (problems.length > 0) throw badQuery(problems);
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- each value came from the reader of its name
  return read as ReadQuery<Of>;
}

const detailsMax = 100;

/** The refusal that names every bad parameter. */
export function badQuery(problems: readonly FieldProblem[]): Refusal {
  const summary = problems.slice(0, 3).map(({ field, message }) => `${field} ${message}`);
  return new Refusal('BAD_REQUEST', `Invalid parameters: ${summary.join('; ')}`, {
    details: problems.slice(0, detailsMax),
  });
}

/** A reader of whole numbers; the bounds are included. */
export const wholeNumber =
  ({ min, max }: { min: number; max: number }): ParameterReader<number> =>
  (raw) => {
    const value = /^\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN;
    return value >= min && value <= max ? value : new BadValue(told('not_whole_number', { min, max }));
  };

/** A reader that accepts only the given values. */
export const oneOf =
  <Value extends string>(allowed: readonly Value[]): ParameterReader<Value> =>
  (raw) =>
    allowed.find((value) => value === raw) ?? new BadValue(told('not_one_of', { allowed: allowed.join(', ') }));

const timeForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d))?$/;

/** ISO 8601: a day (its midnight in UTC), or a time with its offset. A `+` that URL decoding turned into a space is accepted. */
export const isoTime: ParameterReader<Date> = (raw) => {
  const text = raw.replace(/ (?=\d\d:?\d\d$)/, '+').toUpperCase();
  const time = new Date(timeForm.test(text) ? text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : Number.NaN);
  const isTime = !Number.isNaN(time.getTime()) && time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= 9999;
  return isTime && isDayOfCalendar(text) ? time : new BadValue(told('not_time'));
};

/** Needed because JavaScript reads February 30 as March 2. */
function isDayOfCalendar(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
}

/** Values of `sort` for lists that are by creation. */
export const createdSorts = ['created', '-created'] as const;
export type CreatedSort = (typeof createdSorts)[number];

/** Parameter of lists whose indexes are by creation: read backwards they cost the same. */
export const createdSortParameter = {
  component: 'CreatedSort',
  description: 'By creation; a minus puts the latest first, as it is when not given',
  schema: Type.Enum([...createdSorts], {
    $id: 'CreatedSort',
    // Generators that drop the minus would have two values of one name.
    'x-enum-varnames': ['CREATED', 'CREATED_LATEST_FIRST'],
  }),
};

/** Parameter of a list. */
export const cursorParameter = {
  component: 'ListCursor',
  description: '`nextCursor` of the page before; the other parameters stay the same',
  schema: Type.String({ minLength: 1, maxLength: 2_000 }),
};

/** `since` and `until` of a list. `rows` begins their descriptions: `Only calls`. */
export const periodParameters = (rows: string) => ({
  since: {
    description: `${rows} at or after this time (ISO 8601)`,
    schema: Type.String({ minLength: 1, examples: ['2026-11-21T12:00:00Z'] }),
  },
  until: {
    description: `${rows} before this time (ISO 8601)`,
    schema: Type.String({ minLength: 1, examples: ['2026-11-22'] }),
  },
});

/**
 * `nextCursor` of a list: a position and its filters. The credential alone decides which account's rows are shown, so an invented
 * cursor shows no further data.
 */
export const writeListCursor = (position: readonly (string | number)[], filter: string): string =>
  Buffer.from(JSON.stringify([...position, filter])).toString('base64url');

/**
 * The position in a cursor. `positionOf` makes it from the cursor's parts, and returns undefined for a cursor of another list.
 * Throws Refusal BAD_REQUEST, also for a cursor that was issued for other filters.
 */
export function readListCursor<Position>(
  raw: string,
  filter: string,
  positionOf: (parts: readonly unknown[]) => Position | undefined,
): Position {
  const parts = partsOf(raw);
  const filteredBy = parts.pop();
  const position = typeof filteredBy === 'string' ? positionOf(parts) : undefined;
  if (position === undefined) throw badQuery([problem('cursor', 'unknown_cursor')]);
  if (filteredBy === filter) return position;
  throw badQuery([problem('cursor', 'cursor_of_other_filters')]);
}

/** Reads a time in a cursor: ISO 8601, or ms since 1970. */
export function cursorTime(part: unknown): Date | undefined {
  const time = new Date(typeof part === 'string' || typeof part === 'number' ? part : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** A position that is a time and an id, for {@link readListCursor}. */
export function timeAndId([time, id, ...rest]: readonly unknown[]): { at: Date; id: string } | undefined {
  const at = cursorTime(time);
  return at === undefined || typeof id !== 'string' || rest.length > 0 ? undefined : { at, id };
}

function partsOf(raw: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(raw, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
