import type { ForkedProcess } from '../../support/forked-process.ts';
import type { Offer, Times } from '../../support/serve-maker.ts';
import { percentile } from '../../support/statistics.ts';

/** What delivers events, with everything it needs running. */
export interface Contender {
  /** Whose events; each has one receiver. */
  readonly accounts: readonly string[];
  /** The processes whose CPU time counts, by name: the receiver is none of them. */
  readonly pids: Readonly<Record<string, number>>;
  /** Answers {@link Offer}s. */
  readonly maker: ForkedProcess<unknown>;
  /** Where events arrive: answers `count`, `arrivals` and `clear`. */
  readonly receiver: ForkedProcess<unknown>;
  /** Events that have arrived and whose outcome is not recorded yet. */
  readonly countOpen: () => Promise<number>;
  /** Resolves when what trails behind the last one has ended too. */
  readonly untilIdle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Spread {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export const offer = ({ maker, accounts }: Contender, wish: Omit<Offer, 'accounts'>): Promise<void> =>
  maker.ask('offer', { ...wish, accounts });

/** Forgets what was begun and what has arrived. */
export async function forget({ maker, receiver }: Contender): Promise<void> {
  await Promise.all([maker.ask('clear'), receiver.ask('clear')]);
}

/** From just before each event was stored until it arrived. Throws when one of them did not. */
export async function spreadOf({ maker, receiver }: Contender): Promise<Spread> {
  const [begun, arrived] = await Promise.all([maker.ask<Times>('begun'), receiver.ask<Times>('arrivals')]);
  const arrivedAt = new Map(arrived);
  const durations = begun.map(([eventId, at]) => (arrivedAt.get(eventId) ?? Number.NaN) - at);
  const missing = durations.filter(Number.isNaN).length;
  if (missing > 0) throw new Error(`${missing} of ${begun.length} events have not arrived`);
  return { p50Ms: percentile(durations, 50), p99Ms: percentile(durations, 99) };
}
