import { groupBy } from '../../../features/rules/group-by.ts';
import type { EventRow, ItemRow, Observed, Violation } from '../observed.ts';

/** Every occurrence was told once: all that was created, went up, ended or was won has its event, numbered without a gap. */
export function checkEvents(observed: Observed): Violation[] {
  const { rows, events } = observed;
  const eventsOf = groupBy(events, ({ itemId }) => itemId);
  return [
    ...checkNumbers(events),
    ...rows.flatMap((row) => checkSequence(row, eventsOf.get(row.id) ?? [])),
    ...checkOccurrences(observed),
  ];
}

function checkNumbers(events: readonly EventRow[]): Violation[] {
  return [...groupBy(events, ({ account }) => account)].flatMap(([account, own]) => {
    const numbers = own.map(({ number }) => number).toSorted((one, two) => one - two);
    const wrong = numbers.findIndex((number, index) => number !== index + 1);
    if (wrong === -1) return [];
    const message = `the events of the account are numbered ${numbers
      .slice(0, wrong + 1)
      .slice(-3)
      .join(', ')} …`;
    return [{ kind: 'event-numbers', id: account, message }];
  });
}

function checkSequence(row: ItemRow, events: readonly EventRow[]): Violation[] {
  const numbers = events.map(({ sequence }) => sequence).toSorted((one, two) => one - two);
  const [first = 0] = numbers;
  const isWhole = numbers.every((number, index) => number === first + index);
  if (isWhole && numbers.at(-1) === row.sequence) return [];
  const message = `the events of item ${row.id} (${row.externalId}) are numbered ${numbers.join(', ')}, its last is ${row.sequence}`;
  return [{ kind: 'sequence', id: row.id, message }];
}

function checkOccurrences({ rows, ads, events }: Observed): Violation[] {
  const adsIn = (state: string): string[] => ads.filter((ad) => ad.wasUp && ad.state === state).map(({ adId }) => adId);
  // One that ended at the moment at which its owner took it down is told as neither.
  const takenDown = new Set(rows.flatMap((row) => row.takenDown));
  const endedByThemselves = adsIn('ended').filter((adId) => !takenDown.has(adId));
  const up = ads.filter(({ wasUp }) => wasUp).map(({ adId }) => adId);
  return [
    ...compare(
      'item.created',
      events.filter(({ type }) => type === 'item.created').map(({ itemId }) => itemId),
      rows.map(({ id }) => id),
    ),
    ...compare('listing.created', adIdsOf(events, 'listing.created'), up),
    ...compare('listing.ended', adIdsOf(events, 'listing.ended'), endedByThemselves),
    ...compare('item.sold', adIdsOf(events, 'item.sold'), adsIn('sold')),
  ];
}

const adIdsOf = (events: readonly EventRow[], type: string): string[] =>
  events.filter((event) => event.type === type).map(({ adId }) => adId ?? 'no auction');

function compare(type: string, told: readonly string[], wanted: readonly string[]): Violation[] {
  const counts = new Map<string, number>();
  for (const id of told) counts.set(id, (counts.get(id) ?? 0) + 1);
  const missing = wanted.filter((id) => !counts.has(id));
  const known = new Set(wanted);
  const twice = [...counts].filter(([id, count]) => count > 1 || !known.has(id));
  return [
    ...missing.map((id): Violation => ({ kind: 'event-missing', id, message: `there is no ${type} of it` })),
    ...twice.map(([id, count]): Violation => ({
      kind: 'event-missing',
      id,
      message: known.has(id) ? `${count} times ${type}` : `${type} of what nobody knows`,
    })),
  ];
}
