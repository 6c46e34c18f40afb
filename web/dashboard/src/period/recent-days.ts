const timeZone = 'Europe/Stockholm';
// Swedish dates are written as 2026-11-22.
const days = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
const dayMs = 86_400_000;

/** Numbers of recent days that one choice selects. */
export const recentDays = ['1', '7', '30', '365'] as const;
export type RecentDays = (typeof recentDays)[number];

/** All times, recent days, or the two dates. */
export type Period = '' | RecentDays | 'own';

/**
 * The first of the last `count` Swedish days, today included: `2026-11-16` for 7 on November 22. `now` in ms since
 * 1970.
 */
export function firstDayOf(count: RecentDays, now: number): string {
  const today = Date.parse(`${days.format(now)}T00:00:00Z`);
  return new Date(today - (Number(count) - 1) * dayMs).toISOString().slice(0, 10);
}

/** The period of two days in the address; either may be empty. */
export function periodOf(from: string, to: string, now: number): Period {
  if (from === '' && to === '') return '';
  return (to === '' ? recentDays.find((count) => firstDayOf(count, now) === from) : undefined) ?? 'own';
}
