import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Delivery } from '../../store/deliveries.ts';
import { setUpAccount } from '../../test/support/set-up-account.ts';
import { cpuSince, readCpuTimes, sum } from '../support/cpu.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { pidOf } from '../support/pid-of.ts';
import { startProduct, type Product } from '../support/product.ts';
import { cpuParts, toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { median, percentile } from '../support/statistics.ts';
import { untilQuiet } from '../support/until-idle.ts';
import { deliveryStarter, type DeliveryStarter } from './start-deliveries.ts';

export interface FleetPlan {
  readonly rounds: number;
  readonly perSecond: number;
  /** Events of one steady phase, and of one burst, over all twenty accounts. */
  readonly steadyCount: number;
  readonly burstCount: number;
}

interface Stage {
  readonly product: Product;
  readonly receivers: ForkedProcess<FleetAddresses>;
  /** One for each account; the healthy ones first. */
  readonly healthy: readonly DeliveryStarter[];
  readonly all: readonly DeliveryStarter[];
  readonly pids: Readonly<Record<string, number>>;
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
  const { stage, close } = await setStage(servers);
  const [steady, burst]: [Pair, Pair] = [
    { well: [], ill: [] },
    { well: [], ill: [] },
  ];
  try {
    await playPhase(stage, 'well', () => offerAtOnce(stage, stage.all.length * 4));
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const health of ['well', 'ill'] as const) {
        steady[health].push(await playPhase(stage, health, () => offerSteadily(stage, plan)));
      }
      for (const health of ['well', 'ill'] as const) {
        burst[health].push(await playPhase(stage, health, () => offerAtOnce(stage, plan.burstCount)));
      }
    }
  } finally {
    await close();
  }
  return [
    ...spreadCases(`healthy of a fleet, ${plan.perSecond}/s`, steady),
    ...spreadCases('healthy of a fleet, burst', burst),
  ];
}

async function setStage(servers: BenchServers): Promise<{ stage: Stage; close: () => Promise<void> }> {
  const { certificates, temporalClient } = servers;
  const [product, receivers] = await Promise.all([
    startProduct(servers, { withWorker: true }),
    ForkedProcess.start<FleetAddresses>('fleet-receivers', {
      BENCH_TLS_KEY_FILE: certificates.keyFile,
      BENCH_TLS_CERT_FILE: certificates.certificateFile,
    }),
  ]);
  const starterFor = async (webhookUrl: string): Promise<DeliveryStarter> => {
    const { id } = await setUpAccount(product.foundation, { webhookUrl });
    return deliveryStarter(product, id, temporalClient);
  };
  const healthy = await Promise.all(receivers.ready.healthy.map(starterFor));
  const frail = await Promise.all(receivers.ready.frail.map(starterFor));
  const pids = {
    ...{ temporal: pidOf(servers.temporal), mongod: pidOf(servers.mongod) },
    ...{ worker: pidOf(product.worker), starter: process.pid },
  };
  const close = async (): Promise<void> => {
    await Promise.all([product.discard(), receivers.stop()]);
  };
  return { stage: { product, receivers, healthy, all: [...healthy, ...frail], pids }, close };
}

async function playPhase(stage: Stage, health: keyof Pair, offer: () => Promise<void>): Promise<Phase> {
  const { receivers, pids } = stage;
  await forgetLast(stage);
  if (health === 'ill') await receivers.ask('fallIll');
  const before = readCpuTimes(pids);
  const startedAt = performance.now();
  await offer();
  const durations = await untilArrived(stage);
  const seconds = (performance.now() - startedAt) / 1000;
  const used = cpuSince(before, pids);
  if (health === 'ill') await receivers.ask('recover');
  const count = stage.all.reduce((total, { occurredAt }) => total + occurredAt.size, 0);
  return {
    durations,
    perSecond: durations.length / seconds,
    cpuMsEach: sum(used) / count,
    cpuMsEachOf: Object.fromEntries(Object.entries(used).map(([name, ms]) => [name, ms / count])),
  };
}

const patienceMs = 300_000;

/** What receivers that were ill still owe is dropped, and whoever was disabled is switched on again: each phase begins well. */
async function forgetLast({ product, receivers, all, pids }: Stage): Promise<void> {
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
  for (const { occurredAt } of all) occurredAt.clear();
  await receivers.ask('clear');
  await untilQuiet(pids);
}

async function offerSteadily({ all }: Stage, { steadyCount, perSecond }: FleetPlan): Promise<void> {
  const started: Promise<void>[] = [];
  const begunAt = performance.now();
  for (let count = 0; count < steadyCount; count += 1) {
    await pause(Math.max(0, begunAt + (count * 1000) / perSecond - performance.now()));
    started.push(inTurn(all, count).startMany(1));
  }
  await Promise.all(started);
}

/** Events that one transaction stores, as when many items of an account settle at once. */
const eventsAtOnce = 5;
const accountsAtOnce = 4;

async function offerAtOnce({ all }: Stage, count: number): Promise<void> {
  const limit = pLimit(accountsAtOnce);
  const batches = Array.from({ length: Math.ceil(count / eventsAtOnce) }, (_, index) => inTurn(all, index));
  await Promise.all(batches.map((starter) => limit(() => starter.startMany(eventsAtOnce))));
}

function inTurn(starters: readonly DeliveryStarter[], count: number): DeliveryStarter {
  const starter = starters[count % starters.length];
  if (starter === undefined) throw new Error('there is no account');
  return starter;
}

/** The time from event to arrival of everything that was offered to the healthy ones; asked rarely, because asking costs CPU time. */
async function untilArrived({ healthy, receivers }: Stage): Promise<number[]> {
  const occurred = new Map(healthy.flatMap(({ occurredAt }) => [...occurredAt]));
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const count = await receivers.ask<number>('count');
    if (count >= occurred.size) break;
    if (performance.now() > deadline) throw new Error(`only ${count} of ${occurred.size} events arrived`);
    await pause(100);
  }
  const arrivals = await receivers.ask<readonly (readonly [string, number])[]>('arrivals');
  return arrivals.map(([eventId, at]) => at - (occurred.get(eventId) ?? Number.NaN));
}

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
    toCase({ name: `${name}, p99`, value: pooled(ill, 99), unit: 'ms', floor: pooled(well, 99) }),
    toCase({ name: `${name}, CPU each`, value: cpu(ill), unit: 'ms', floor: cpu(well) }),
    ...cpuParts(`${name}, CPU each`, ill, well),
  ];
}
