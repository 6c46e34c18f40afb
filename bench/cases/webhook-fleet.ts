import { setTimeout as pause } from 'node:timers/promises';
import type { Delivery } from '../../store/deliveries/deliveries.ts';
import { sharedNow } from '../support/clock.ts';
import { cpuSince, readCpuTimes, sum } from '../support/cpu.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { cpuParts, toCase, type BenchCase } from '../support/result.ts';
import type { Offer, Times } from '../support/serve-maker.ts';
import type { BenchServers } from '../support/servers.ts';
import { median, percentile } from '../support/statistics.ts';
import { untilQuiet } from '../support/until-idle.ts';
import { startProductContender, type ProductContender } from './deliveries/product-contender.ts';

export interface FleetPlan {
  readonly rounds: number;
  readonly perSecond: number;
  /** Events of one steady phase, and of one burst, over all twenty accounts. */
  readonly steadyCount: number;
  readonly burstCount: number;
}

interface Stage {
  readonly contender: ProductContender;
  readonly receivers: ForkedProcess<FleetAddresses>;
  readonly healthyCount: number;
}

interface FleetAddresses {
  readonly healthy: readonly string[];
  /** Those that fall ill: two refuse connections, one answers after 9 s, one drips its body. */
  readonly frail: readonly string[];
}

interface Phase {
  /** From just before the event is stored to its arrival, for the receivers that are always well. */
  readonly durations: readonly number[];
  readonly perSecond: number;
  readonly cpuMsEach: number;
  readonly cpuMsEachOf: Readonly<Record<string, number>>;
}

/** All well, and four of them ill. */
type Pair = Readonly<Record<'well' | 'ill', Phase[]>>;

/** What sixteen healthy receivers notice when four others are dead, slow or dripping: the same load with and without, in turns. */
export async function measureFleet(servers: BenchServers, plan: FleetPlan): Promise<BenchCase[]> {
  const stage = await setStage(servers);
  const [steady, burst]: [Pair, Pair] = [
    { well: [], ill: [] },
    { well: [], ill: [] },
  ];
  const { steadyCount, burstCount, perSecond } = plan;
  const [paced, atOnce] = [
    { count: steadyCount, perSecond, together: 1, atOnce: 1 },
    { count: burstCount, ...burstOffer },
  ];
  try {
    await playPhase(stage, 'well', { ...atOnce, count: stage.contender.accounts.length * 4 });
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const health of ['well', 'ill'] as const) steady[health].push(await playPhase(stage, health, paced));
      for (const health of ['well', 'ill'] as const) burst[health].push(await playPhase(stage, health, atOnce));
    }
  } finally {
    await stage.contender.close();
    await stage.receivers.stop();
  }
  const name = 'healthy of a fleet';
  return [...spreadCases(`${name}, ${plan.perSecond}/s`, steady), ...spreadCases(`${name}, burst`, burst)];
}

/** Events that one transaction stores, as when many items of an account settle at once, and accounts that do so. */
const burstOffer = { together: 5, atOnce: 4 } as const;

async function setStage(servers: BenchServers): Promise<Stage> {
  const { certificates } = servers;
  const receivers = await ForkedProcess.start<FleetAddresses>('fleet-receivers', {
    BENCH_TLS_KEY_FILE: certificates.keyFile,
    BENCH_TLS_CERT_FILE: certificates.certificateFile,
  });
  const { healthy, frail } = receivers.ready;
  const urls = [...healthy, ...frail];
  const contender = await startProductContender(servers, { urls, receiver: receivers });
  return { contender, receivers, healthyCount: healthy.length };
}

async function playPhase(stage: Stage, health: keyof Pair, wish: Omit<Offer, 'accounts'>): Promise<Phase> {
  const { receivers, contender } = stage;
  const { pids, maker, accounts } = contender;
  await forgetLast(contender);
  if (health === 'ill') await receivers.ask('fallIll');
  const before = readCpuTimes(pids);
  const startedAt = sharedNow();
  await maker.ask('offer', { ...wish, accounts });
  const { durations, lastAt } = await untilArrived(stage, wish);
  const used = cpuSince(before, pids);
  if (health === 'ill') await receivers.ask('recover');
  return {
    durations,
    perSecond: (durations.length * 1000) / (lastAt - startedAt),
    cpuMsEach: sum(used) / wish.count,
    cpuMsEachOf: Object.fromEntries(Object.entries(used).map(([name, ms]) => [name, ms / wish.count])),
  };
}

const patienceMs = 300_000;

/** What receivers that were ill still owe is dropped, and whoever was disabled is switched on again: each phase begins well. */
async function forgetLast({ product, receiver, maker, pids }: ProductContender): Promise<void> {
  const { connection } = product.foundation.store;
  const deliveries = connection.collection<Delivery>('deliveries');
  const stopped = { state: 'stopped' as const, nextAttemptAt: null };
  await deliveries.updateMany({ state: 'pending', inFlightSince: null }, { $set: stopped });
  const inFlight = { state: 'pending' as const };
  for (let waitedMs = 0; (await deliveries.countDocuments(inFlight)) > 0; waitedMs += 500) {
    if (waitedMs > patienceMs) throw new Error('deliveries are still under way');
    await pause(500);
    await deliveries.updateMany({ state: 'pending', inFlightSince: null }, { $set: stopped });
  }
  await connection.collection('webhook_endpoints').updateMany({}, { $set: { active: true, failCount: 0 } });
  await Promise.all([maker.ask('clear'), receiver.ask('clear')]);
  await untilQuiet(pids);
}

/** The time from event to arrival of everything that was offered to the healthy ones; asked rarely, because asking costs CPU time. */
async function untilArrived(
  { contender: { maker, accounts }, receivers, healthyCount }: Stage,
  { count, together }: Omit<Offer, 'accounts'>,
): Promise<{ durations: number[]; lastAt: number }> {
  // Accounts take turns, the healthy ones first.
  const turns = Array.from({ length: Math.ceil(count / together) }, (_, turn) => turn);
  const offered = turns
    .filter((turn) => turn % accounts.length < healthyCount)
    .reduce((total, turn) => total + Math.min(together, count - turn * together), 0);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const arrived = await receivers.ask<number>('count');
    if (arrived >= offered) break;
    if (performance.now() > deadline) throw new Error(`only ${arrived} of ${offered} events arrived`);
    await pause(100);
  }
  const [begun, arrivals] = await Promise.all([maker.ask<Times>('begun'), receivers.ask<Times>('arrivals')]);
  const begunAt = new Map(begun);
  return {
    durations: arrivals.map(([eventId, at]) => at - (begunAt.get(eventId) ?? Number.NaN)),
    lastAt: Math.max(...arrivals.map(([, at]) => at)),
  };
}

/** As without the ill ones, but for what two runs differ by anyway. */
const p99Max = 1.25;

/** Value: four are ill; floor: all are well. */
function spreadCases(name: string, { well, ill }: Pair): BenchCase[] {
  const pooled = (phases: readonly Phase[], percent: number): number =>
    percentile(
      phases.flatMap(({ durations }) => durations),
      percent,
    );
  const middle = (phases: readonly Phase[], read: (phase: Phase) => number): number => median(phases.map(read));
  const rate = (phases: readonly Phase[]): number => middle(phases, ({ perSecond }) => perSecond);
  const cpu = (phases: readonly Phase[]): number => middle(phases, ({ cpuMsEach }) => cpuMsEach);
  return [
    toCase({ name, value: rate(ill), unit: '1/s', floor: rate(well) }),
    toCase({ name: `${name}, p50`, value: pooled(ill, 50), unit: 'ms', floor: pooled(well, 50) }),
    toCase({ name: `${name}, p99`, value: pooled(ill, 99), unit: 'ms', floor: pooled(well, 99), goal: p99Max }),
    toCase({ name: `${name}, CPU each`, value: cpu(ill), unit: 'ms', floor: cpu(well) }),
    ...cpuParts(`${name}, CPU each`, ill, well),
  ];
}
