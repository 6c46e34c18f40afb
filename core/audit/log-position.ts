/** Position of a row in an account's log. It is unique within the log and never changes. */
export interface LogPosition {
  readonly at: Date;
  /** Orders rows of the same millisecond. */
  readonly number: number;
  readonly id: string;
}

/** Comparator that sorts the newest row first. */
export function newestFirst(one: LogPosition, other: LogPosition): number {
  const byTime = other.at.getTime() - one.at.getTime() || other.number - one.number;
  if (byTime !== 0 || one.id === other.id) return byTime;
  return one.id > other.id ? -1 : 1;
}
