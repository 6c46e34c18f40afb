import { groupBy } from '../../features/rules/group-by.ts';
import type { RunResult } from './run.ts';

/** What a run did and found, as lines for a terminal. */
export function report(result: RunResult): string[] {
  const { journal, observed, violations, restMs } = result;
  const { accepted, refused, unknown } = journal.tries;
  const counts: [string, string | number][] = [
    ['seed', result.seed],
    ['calls accepted / refused / without a known outcome', `${accepted} / ${refused} / ${unknown}`],
    ['writes (a file counts each line)', journal.writes.length],
    ['bulk syncs', journal.bulks.length],
    ["buyers' bids and ends", result.buyersMoves],
    ['auctions that were up / won', `${upOf(result)} / ${wonOf(result)}`],
    ['looks at the marketplace', result.looks],
    ['events', observed.events.length],
    ['deliveries (all states)', byState(result)],
    ['requests that reached a receiver', observed.arrivals.length],
    ['taken twice by a receiver', duplicatesOf(result)],
    ['attempts interrupted', observed.attempts.filter(({ interrupted }) => interrupted).length],
    ['at rest after', restMs === null ? 'never' : seconds(restMs)],
    ['violations', violations.length],
  ];
  return [
    ...table(
      ['what', 'how many'],
      counts.map(([name, value]) => [name, String(value)]),
    ),
    '',
    ...table(
      ['fault', 'times', 'until a write was accepted, worst', 'until an event arrived, worst'],
      faultRows(result),
    ),
    ...(violations.length === 0
      ? []
      : ['', ...violations.map(({ kind, id, message }) => `✗ ${kind} ${id}: ${message}`)]),
  ];
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);

const upOf = ({ observed }: RunResult): number => observed.ads.filter(({ wasUp }) => wasUp).length;
const wonOf = ({ observed }: RunResult): number => observed.ads.filter(({ state }) => state === 'sold').length;

const byState = ({ observed }: RunResult): string =>
  [...groupBy(observed.deliveries, ({ state }) => state)].map(([state, own]) => `${own.length} ${state}`).join(', ');

/** Requests beyond the first that a receiver said yes to, of one event: at least once, so a receiver looks at the eventId. */
function duplicatesOf({ observed }: RunResult): number {
  const taken = observed.arrivals.filter(({ answered }) => answered === 200);
  return taken.length - new Set(taken.map(({ receiver, eventId }) => `${receiver} ${eventId}`)).size;
}

/** Counted from the moment when the fault was taken back; what was never stopped by it comes out as a short time. */
function faultRows({ faults, journal, observed }: RunResult): string[][] {
  const arrivedAt = observed.arrivals.map(({ at }) => at);
  const kinds = groupBy(faults, ({ what }) => kindOf(what));
  return [...kinds]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([kind, own]) => [
      kind,
      String(own.length),
      worst(own.map(({ endedAt }) => untilNext(journal.acceptedAt, endedAt))),
      worst(own.map(({ endedAt }) => untilNext(arrivedAt, endedAt))),
    ]);
}

/** Without the numbers of this one. */
const kindOf = (what: string): string =>
  what.replace(/^delay \d+ ms /, 'delay ').replace(/^(marketplace \S+) .*/, '$1');

const untilNext = (times: readonly number[], at: number): number | undefined => {
  const next = times.find((time) => time >= at);
  return next === undefined ? undefined : next - at;
};

function worst(gaps: readonly (number | undefined)[]): string {
  const known = gaps.filter((gap) => gap !== undefined);
  return known.length === 0 ? '-' : seconds(Math.max(...known));
}
