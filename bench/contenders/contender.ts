import { setTimeout as pause } from 'node:timers/promises';
import type { Arrival, Receivers } from '../processes/receiver.ts';
import type { Begun, Offer } from '../processes/serve-maker.ts';
import { shared, spend, untilQuiet, type Pids } from '../support/cpu.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import type { Played } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';

/** What delivers events, with everything it needs running. */
export interface Contender extends AsyncDisposable {
  /** Whose events; each has one receiver. */
  readonly accounts: readonly string[];
  /** The processes whose CPU time counts: the receiver is none of them. */
  readonly pids: Pids;
  /** Answers {@link Offer}s. */
  readonly maker: ForkedProcess<unknown>;
  /** How it takes a burst best; by default one event for each publisher. */
  readonly burst?: Pick<Offer, 'together' | 'atOnce'>;
  /** Resolves when the outcome of each event that was offered is recorded, and what trails behind has ended too. */
  readonly untilRecorded: () => Promise<void>;
}

/** Disposes of one after the other. */
export async function disposeAll(...all: readonly AsyncDisposable[]): Promise<void> {
  for (const one of all) await one[Symbol.asyncDispose]();
}

/** Answers `arrivals`, `count`, `calls`, `clear` and `fallIll`. */
export type Receiver = ForkedProcess<Receivers>;

export const startReceiver = ({ certificates }: BenchServers): Promise<Receiver> =>
  ForkedProcess.start('receiver', tlsSettings(certificates));

/** Of a process that serves HTTPS. */
export const tlsSettings = ({ keyFile, certificateFile }: BenchServers['certificates']) => ({
  BENCH_TLS_KEY_FILE: keyFile,
  BENCH_TLS_CERT_FILE: certificateFile,
});

export interface Wish extends Omit<Offer, 'accounts'> {
  /** Those of the contender unless given. */
  readonly accounts?: readonly string[];
  /** What to wait for; by default until all have arrived and are recorded. CPU time counts until then. */
  readonly until?: () => Promise<unknown>;
}

/** Offers events and waits for them. The rate counts from the first event's beginning to the last one's arrival. */
export async function play(contender: Contender, receiver: Receiver, wish: Wish): Promise<Played> {
  const { pids, maker, accounts, untilRecorded } = contender;
  const { until, ...offer } = wish;
  await untilQuiet(pids);
  await Promise.all([maker.ask('clear'), receiver.ask('clear')]);
  const { cpuMsOf } = await spend(pids, async () => {
    await maker.ask('offer', { accounts, ...offer });
    if (until !== undefined) return until();
    await untilCounted(receiver, { count: wish.count });
    return untilRecorded();
  });
  const [begun, arrived] = await Promise.all([maker.ask<Begun>('begun'), receiver.ask<Arrival[]>('arrivals')]);
  const begunAt = new Map(begun);
  const durations = arrived.map(([eventId, at]) => at - (begunAt.get(eventId) ?? Number.NaN));
  const [first, last] = [begun[0]?.[1] ?? Number.NaN, Math.max(...arrived.map(([, at]) => at))];
  return { durations, perSecond: (arrived.length * 1_000) / (last - first), cpuMsEachOf: shared(cpuMsOf, wish.count) };
}

interface Counted {
  readonly count: number;
  /** First calls for an event, or all calls. */
  readonly what?: 'count' | 'calls';
  readonly patienceMs?: number;
}

/** Waits until so many have come. Asks rarely, because asking costs the receiver CPU time. */
export async function untilCounted(
  receiver: Receiver,
  { count, what = 'count', patienceMs = 300_000 }: Counted,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let known = 0; known < count; known = await receiver.ask<number>(what)) {
    if (performance.now() > deadline) throw new Error(`only ${known} of ${count} have arrived`);
    await pause(20);
  }
}
