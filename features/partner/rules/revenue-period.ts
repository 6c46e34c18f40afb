import { revenueOf, total, type Contribution, type Total } from './revenue.ts';
import { monthsUntil, stockholmMonth } from './months.ts';

/** Periods whose revenue can be asked for. Each ends now. */
export const revenuePeriods = ['last_12_months', 'this_year', 'last_90_days', 'last_30_days'] as const;
export type RevenuePeriod = (typeof revenuePeriods)[number];

/** A day in Europe/Stockholm, `YYYY-MM-DD`. Compares as text. */
type Day = string;

/** Both days are included. */
interface Days {
  readonly from: Day;
  readonly to: Day;
}

export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

export interface DaySums extends Total {
  readonly day: Day;
}

/** A period, the one that it is compared with, and the times whose orders are read by day. */
export interface PeriodPlan {
  readonly name: RevenuePeriod;
  readonly unit: 'month' | 'day';
  readonly days: Days;
  readonly before: Days;
  /** null: the sums by month say it. */
  readonly read: TimeRange | null;
  /** Of a comparison by months: its last month alone, which ends in the middle. */
  readonly readBefore: TimeRange;
}

/** The period before is as long, and ends at the same minute of its last day. */
export function planPeriod(name: RevenuePeriod, now: Date): PeriodPlan {
  switch (name) {
    case 'last_12_months':
      return { name, ...planMonths(12, now) };
    case 'this_year':
      return { name, ...planMonths(Number(stockholmMonth(now).slice(5)), now) };
    case 'last_90_days':
      return { name, ...planDays(90, now) };
    case 'last_30_days':
      return { name, ...planDays(30, now) };
  }
}

type UnnamedPlan = Omit<PeriodPlan, 'name'>;

function planDays(count: number, now: Date): UnnamedPlan {
  const today = stockholmDay(now);
  const days = { from: plusDays(today, 1 - count), to: today };
  const before = { from: plusDays(days.from, -count), to: plusDays(today, -count) };
  return {
    unit: 'day',
    days,
    before,
    // Up to midnight, so that all calls of a day ask for the same.
    read: { from: beginningOf(days.from), to: beginningOf(plusDays(today, 1)) },
    readBefore: { from: beginningOf(before.from), to: sameTimeOn(before.to, now) },
  };
}

/** Compared with the same months a year earlier. */
function planMonths(count: number, now: Date): UnnamedPlan {
  const today = stockholmDay(now);
  const [first = ''] = monthsUntil(stockholmMonth(now), count);
  const days = { from: `${first}-01`, to: today };
  const before = { from: yearBefore(days.from), to: yearBefore(today) };
  const lastMonth = beginningOf(`${before.to.slice(0, 7)}-01`);
  return { unit: 'month', days, before, read: null, readBefore: { from: lastMonth, to: sameTimeOn(before.to, now) } };
}

/** The revenue of a period and of the one before. Money in SEK. */
export type PeriodRevenue = ReturnType<typeof describePeriod>;

interface ReadSums {
  /** By month and category, of all time. */
  readonly sums: readonly Contribution[];
  /** Of {@link PeriodPlan.read}. */
  readonly days: readonly DaySums[];
  /** Of {@link PeriodPlan.readBefore}. */
  readonly daysBefore: readonly DaySums[];
}

export function describePeriod(plan: PeriodPlan, { sums, days, daysBefore }: ReadSums) {
  const { name, unit, before } = plan;
  const isByDay = unit === 'day';
  const parts = (isByDay ? daysOf(plan.days) : monthsOf(plan.days)).map((begins) => ({
    begins,
    sum: total(
      isByDay ? days.filter(({ day }) => day === begins) : sums.filter(({ month }) => month === begins.slice(0, 7)),
    ),
  }));
  const wholeMonths = isByDay ? [] : sums.filter(({ month }) => month !== null && isWholeMonthOf(before, month));
  return {
    name,
    unit,
    ...plan.days,
    parts: parts.map(({ begins, sum }) => ({ begins, ...revenueOf(sum) })),
    total: revenueOf(total(parts.map(({ sum }) => sum))),
    before: { ...before, ...revenueOf(total([...wholeMonths, ...daysBefore])) },
  };
}

const isWholeMonthOf = ({ from, to }: Days, month: string): boolean =>
  month >= from.slice(0, 7) && month < to.slice(0, 7);

function daysOf({ from, to }: Days): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = plusDays(day, 1)) days.push(day);
  return days;
}

/** The first day of each month. */
const monthsOf = (days: Days): Day[] => daysOf(days).filter((day) => day.endsWith('-01'));

const timeZone = 'Europe/Stockholm';
// Swedish dates are written as 2026-11-22.
const dates = new Intl.DateTimeFormat('sv-SE', {
  timeZone,
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
const offsets = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });

const stockholmDay = (at: Date): Day => dates.format(at);

const plusDays = (day: Day, count: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);

/** The same day a year earlier, February 28 for the 29th. */
const yearBefore = (day: Day): Day =>
  `${String(Number(day.slice(0, 4)) - 1).padStart(4, '0')}${day.slice(4).replace('-02-29', '-02-28')}`;

/** The month in Stockholm of this moment: from its beginning up to its end, which does not belong to it. */
export function monthAround(at: Date): TimeRange {
  const month = stockholmMonth(at);
  const next = plusDays(`${month}-28`, 4).slice(0, 7);
  return { from: beginningOf(`${month}-01`), to: beginningOf(`${next}-01`) };
}

/** The first moment of a day. Clocks change later in the night. */
function beginningOf(day: Day): Date {
  const midnight = new Date(`${day}T00:00:00Z`);
  const zone = offsets.formatToParts(midnight).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return new Date(`${day}T00:00:00${zone === 'GMT' ? 'Z' : zone.slice('GMT'.length)}`);
}

const minuteMs = 60_000;

/** To the minute, so that all calls of a minute ask for the same. */
function sameTimeOn(day: Day, now: Date): Date {
  const sinceMidnightMs = now.getTime() - beginningOf(stockholmDay(now)).getTime();
  return new Date(beginningOf(day).getTime() + Math.floor(sinceMidnightMs / minuteMs) * minuteMs);
}
