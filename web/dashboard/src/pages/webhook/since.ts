const hourMs = 3_600_000;

/** Lengths of a recovery's period by the name of the choice. */
const lengths = {
  hour: hourMs,
  day: 24 * hourMs,
  days3: 72 * hourMs,
  week: 7 * 24 * hourMs,
  // The service accepts at most 30 days, and this computer's clock may be behind.
  month: 30 * 24 * hourMs - hourMs,
} as const;
export type SinceChoice = keyof typeof lengths;

export const sinceChoices: readonly SinceChoice[] = ['hour', 'day', 'days3', 'week', 'month'];

/** The beginning of the chosen period, ISO 8601; `now` in milliseconds since 1970. */
export const sinceOf = (choice: SinceChoice, now: number): string => new Date(now - lengths[choice]).toISOString();
