const timeZone = 'Europe/Stockholm';
const offsets = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/**
 * `2026-11-01` begins in Stockholm at `2026-11-01T00:00:00+01:00`; undefined for a text that is no day. Clocks change
 * later in the night.
 */
export function beginningOf(day: string): string | undefined {
  const midnight = instantOf(day);
  if (midnight === undefined) return undefined;
  const zone = offsets.formatToParts(midnight).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return `${day}T00:00:00${zone === 'GMT' ? 'Z' : zone.slice('GMT'.length)}`;
}

/** The beginning of the next day, up to which times belong to the day. */
export function endOf(day: string): string | undefined {
  const midnight = instantOf(day);
  if (midnight === undefined) return undefined;
  return beginningOf(new Date(midnight.getTime() + 86_400_000).toISOString().slice(0, 10));
}

function instantOf(day: string): Date | undefined {
  if (!dayForm.test(day)) return undefined;
  const midnight = new Date(`${day}T00:00:00Z`);
  // JavaScript reads February 30 as March 2.
  return Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day ? undefined : midnight;
}
