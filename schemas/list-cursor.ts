import Type from 'typebox';
import { badQuery } from './query.ts';

/** Parameter of a list. */
export const cursorParameter = {
  component: 'ListCursor',
  description: '`nextCursor` of the page before; the other parameters stay the same',
  schema: Type.String({ minLength: 1, maxLength: 2_000 }),
};

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
  if (position === undefined)
    throw badQuery([{ field: 'cursor', message: 'must be the nextCursor of an earlier answer' }]);
  if (filteredBy === filter) return position;
  throw badQuery([{ field: 'cursor', message: 'belongs to other filters: they must stay the same from page to page' }]);
}

/** Reads a time in a cursor: ISO 8601, or ms since 1970. */
export function cursorTime(part: unknown): Date | undefined {
  const time = new Date(typeof part === 'string' || typeof part === 'number' ? part : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function partsOf(raw: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(raw, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
