import type { Item } from './item.ts';

/** Place of an item in the list: by its last update, never shared by two items. Compares as text. */
export const listKey = ({ id, updatedAt }: Pick<Item, 'id' | 'updatedAt'>): string =>
  `${updatedAt.toISOString()}~${id}`;

/** Where items updated at `time` or later begin. */
export const listKeyAt = (time: Date): string => time.toISOString();

export const isListKey = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(~[0-9a-f-]{36})?$/.test(value);

/**
 * Where a reader stands. `down` goes from the newest update to the oldest. What is updated meanwhile moves above the reader, so
 * then a second lap goes `up` through everything updated since the reading began: whatever was there at the start is met in
 * one lap or the other.
 */
export interface ListCursor {
  readonly lap: 'down' | 'up';
  /** The list key behind which it goes on. */
  readonly from: string;
  readonly startedAt: Date;
}

/** The clocks of processes differ, and a write takes its time from the clock some moments before it is stored. */
const overlapMs = 10_000;

export const secondLapFrom = (startedAt: Date): string => listKeyAt(new Date(startedAt.getTime() - overlapMs));
