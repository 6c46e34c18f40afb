import type { SwitchBoard } from '../switches.ts';

const inSweden = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Stockholm',
  hourCycle: 'h23',
  fractionalSecondDigits: 3,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Milliseconds as the marketplace writes them: with `Z`, or as the time in Sweden without a zone. */
export function wireTime(ms: number, switches: SwitchBoard): string {
  return switches.is('timeZone', 'Z') ? new Date(ms).toISOString() : swedishTime(ms);
}

/** Milliseconds of a time in ISO 8601; without a zone it is the time in Sweden. Undefined when it is no time. */
export function parseWireTime(text: string): number | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  if (parts === null) return undefined;
  const [, day, time = '00:00', zone] = parts;
  const read = Date.parse(`${day}T${time}${zone ?? 'Z'}`);
  if (Number.isNaN(read)) return undefined;
  return zone === undefined ? fromSweden(read) : read;
}

/** The second look is for the hours around a change between summer and winter time. */
function fromSweden(asIfUtc: number): number {
  return asIfUtc - offsetAt(asIfUtc - offsetAt(asIfUtc));
}

/** Before 1970, where the year 1 stands for no time, Sweden is not looked up. */
const offsetAt = (ms: number): number => (ms < 0 ? 0 : Date.parse(`${swedishTime(ms)}Z`) - ms);

const swedishTime = (ms: number): string => inSweden.format(ms).replace(' ', 'T').replace(',', '.');
