/** Where a row stands in an account's log. No two rows of a log have the same, and none ever changes. */
export interface LogPosition {
  readonly at: Date;
  /** Orders what happened in the same millisecond. */
  readonly number: number;
  readonly id: string;
}

/** Negative when `one` comes first: the newest does. */
export function newestFirst(one: LogPosition, other: LogPosition): number {
  const byTime = other.at.getTime() - one.at.getTime() || other.number - one.number;
  if (byTime !== 0 || one.id === other.id) return byTime;
  return one.id > other.id ? -1 : 1;
}
