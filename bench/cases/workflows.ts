import { setTimeout as pause } from 'node:timers/promises';
import { ForkedProcess } from '../support/forked-process.ts';
import { setUpAccount } from '../../test/support/set-up-account.ts';
import { startProduct, type Product } from '../support/product.ts';
import { pidOf } from '../support/pid-of.ts';
import { cpuParts, toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { measureBurst, type BurstResult } from '../support/burst.ts';
import { median, percentile } from '../support/statistics.ts';
import { trivialStarter, type TrivialType } from '../support/trivial-starter.ts';
import { untilNoWorkflow, untilQuiet } from '../support/until-idle.ts';
import { deliveryStarter, type DeliveryStarter } from './start-deliveries.ts';
import { itemPusher } from './push-items.ts';

export interface WorkflowPlan {
  readonly items: boolean;
  readonly deliveries: boolean;
  readonly rounds: number;
  /** Items, deliveries or trivial workflows in each round. */
  readonly count: number;
  readonly steadySeconds: number;
}

const warmUpCount = 40;
const steadyPerSecond = 10;

/** Everything that takes turns on the one Temporal server. */
interface Stage {
  readonly servers: BenchServers;
  readonly product: Product;
  readonly trivialWorker: ForkedProcess<unknown>;
  readonly trivial: ReturnType<typeof trivialStarter>;
  readonly receiver: ForkedProcess<{ url: string }>;
  readonly deliveries: DeliveryStarter;
  readonly pushItems: (count: number) => Promise<void>;
  readonly countSettled: () => Promise<number>;
}

interface TimedBurst extends BurstResult {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Rounds {
  readonly items: BurstResult[];
  readonly deliveries: TimedBurst[];
  readonly oneActivity: TimedBurst[];
  readonly oneLocalActivity: TimedBurst[];
}

/** Items and deliveries beside trivial workflows on the same Temporal server, in turns, each started while its worker runs. */
export async function measureWorkflows(servers: BenchServers, plan: WorkflowPlan): Promise<BenchCase[]> {
  const { stage, close } = await setStage(servers);
  try {
    await playRound(stage, { ...plan, count: warmUpCount }, noRounds());
    const rounds = noRounds();
    for (let round = 0; round < plan.rounds; round += 1) await playRound(stage, plan, rounds);
    const cases = plan.items ? itemCases(rounds) : [];
    if (plan.deliveries) cases.push(...deliveryCases(rounds), ...(await steadyCases(stage, plan.steadySeconds)));
    return cases;
  } finally {
    await close();
  }
}

const noRounds = (): Rounds => ({ items: [], deliveries: [], oneActivity: [], oneLocalActivity: [] });

async function setStage(servers: BenchServers): Promise<{ stage: Stage; close: () => Promise<void> }> {
  const { certificates, temporalAddress, temporalClient } = servers;
  const trivialQueue = 'bench-trivial';
  const [product, receiver, trivialWorker] = await Promise.all([
    startProduct(servers, { withWorker: true }),
    ForkedProcess.start<{ url: string }>('webhook-receiver', {
      BENCH_TLS_KEY_FILE: certificates.keyFile,
      BENCH_TLS_CERT_FILE: certificates.certificateFile,
    }),
    ForkedProcess.start('trivial-worker', { TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_TASK_QUEUE: trivialQueue }),
  ]);
  const { foundation } = product;
  const pushing = await setUpAccount(foundation);
  const hooked = await setUpAccount(foundation, { webhookUrl: receiver.ready.url });
  const stage: Stage = {
    servers,
    product,
    trivialWorker,
    receiver,
    trivial: trivialStarter(temporalClient, trivialQueue),
    deliveries: deliveryStarter(product, hooked.id, temporalClient),
    ...itemPusher(product, pushing),
  };
  const close = async (): Promise<void> => {
    await Promise.all([product.discard(), receiver.stop(), trivialWorker.stop()]);
  };
  return { stage, close };
}

async function playRound(stage: Stage, plan: WorkflowPlan, rounds: Rounds): Promise<void> {
  const { count } = plan;
  if (plan.items) rounds.items.push(await itemBurst(stage, count));
  rounds.oneActivity.push(await trivialBurst(stage, 'oneActivity', count));
  if (!plan.deliveries) return;
  rounds.deliveries.push(await deliveryBurst(stage, count));
  rounds.oneLocalActivity.push(await trivialBurst(stage, 'oneLocalActivity', count));
}

async function itemBurst(stage: Stage, count: number): Promise<BurstResult> {
  const { product, servers } = stage;
  await untilQuiet(serverPids(stage));
  const before = await stage.countSettled();
  return measureBurst({
    count,
    pids: { ...serverPids(stage), api: pidOf(product.api), worker: pidOf(product.worker) },
    start: () => stage.pushItems(count),
    countDone: async () => (await stage.countSettled()) - before,
    untilIdle: () => untilNoWorkflow(servers.temporalClient, `${product.taskQueue}.items`),
  });
}

async function deliveryBurst(stage: Stage, count: number): Promise<TimedBurst> {
  const { product, servers, receiver, deliveries } = stage;
  await untilQuiet(serverPids(stage));
  const before = await receiver.ask<number>('count');
  deliveries.occurredAt.clear();
  const result = await measureBurst({
    count,
    pids: { ...serverPids(stage), worker: pidOf(product.worker), starter: process.pid },
    start: () => deliveries.startMany(count),
    countDone: async () => {
      const arrived = (await receiver.ask<number>('count')) - before;
      // Arrived is not yet recorded; the database is asked only when it matters, because asking costs its CPU time.
      return arrived < count ? arrived : count - (await deliveries.countOpen());
    },
    untilIdle: () => untilNoWorkflow(servers.temporalClient, `${product.taskQueue}.deliveries`),
  });
  return { ...result, ...spread(deliveries.occurredAt, await receiver.ask<Times>('arrivals')) };
}

async function trivialBurst(stage: Stage, type: TrivialType, count: number): Promise<TimedBurst> {
  const { trivial, trivialWorker, servers } = stage;
  await untilQuiet(serverPids(stage));
  const before = await trivialWorker.ask<number>('count');
  trivial.askedAt.clear();
  const result = await measureBurst({
    count,
    pids: { temporal: pidOf(servers.temporal), worker: trivialWorker.pid, starter: process.pid },
    start: () => trivial.startMany(type, count),
    countDone: async () => (await trivialWorker.ask<number>('count')) - before,
    untilIdle: () => untilNoWorkflow(servers.temporalClient, trivial.taskQueue),
  });
  return { ...result, ...spread(trivial.askedAt, await trivialWorker.ask<Times>('noted')) };
}

const serverPids = ({ servers }: Stage): { temporal: number; mongod: number } => ({
  temporal: pidOf(servers.temporal),
  mongod: pidOf(servers.mongod),
});

type Times = readonly (readonly [string, number])[];

/** From the begin of each to its end, over those that have begun. */
function spread(begun: ReadonlyMap<string, number>, ended: Times): { p50Ms: number; p99Ms: number } {
  const durations = ended.flatMap(([id, at]) => {
    const startedAt = begun.get(id);
    return startedAt === undefined ? [] : [at - startedAt];
  });
  return { p50Ms: percentile(durations, 50), p99Ms: percentile(durations, 99) };
}

/** One at a time at a pace that the machine can hold, so that it is the way itself that is measured and not the line before it. */
async function steadyCases(stage: Stage, seconds: number): Promise<BenchCase[]> {
  const { trivial, deliveries, receiver, trivialWorker } = stage;
  await untilQuiet(serverPids(stage));
  trivial.askedAt.clear();
  await atSteadyPace(seconds, () => trivial.start('oneActivity'));
  await untilQuiet(serverPids(stage));
  const floor = spread(trivial.askedAt, await trivialWorker.ask<Times>('noted'));
  deliveries.occurredAt.clear();
  await atSteadyPace(seconds, () => deliveries.startMany(1));
  await untilQuiet(serverPids(stage));
  const value = spread(deliveries.occurredAt, await receiver.ask<Times>('arrivals'));
  const name = `event to receiver, ${steadyPerSecond}/s`;
  return [
    toCase({ name: `${name}, p50`, value: value.p50Ms, unit: 'ms', floor: floor.p50Ms }),
    toCase({ name: `${name}, p99`, value: value.p99Ms, unit: 'ms', floor: floor.p99Ms }),
  ];
}

async function atSteadyPace(seconds: number, start: () => Promise<void>): Promise<void> {
  const started: Promise<void>[] = [];
  const begunAt = performance.now();
  for (let count = 0; count < seconds * steadyPerSecond; count += 1) {
    await pause(Math.max(0, begunAt + (count * 1000) / steadyPerSecond - performance.now()));
    started.push(start());
  }
  await Promise.all(started);
}

type Numbers = { readonly perSecond: number; readonly cpuMsEach: number };

const middle = <Round extends Numbers>(rounds: readonly Round[], read: (round: Round) => number): number =>
  median(rounds.map(read));
const perSecond = (rounds: readonly Numbers[]): number => middle(rounds, (round) => round.perSecond);
const cpuMs = (rounds: readonly Numbers[]): number => middle(rounds, (round) => round.cpuMsEach);

const itemCases = ({ items, oneActivity }: Rounds): BenchCase[] => [
  toCase({ name: 'items processed', value: perSecond(items), unit: '1/s', floor: perSecond(oneActivity), goal: 0.8 }),
  toCase({ name: 'items processed, CPU each', value: cpuMs(items), unit: 'ms', floor: cpuMs(oneActivity) }),
  ...cpuParts('items processed, CPU each', items, oneActivity),
];

function deliveryCases({ deliveries, oneActivity, oneLocalActivity }: Rounds): BenchCase[] {
  const p50 = (rounds: readonly TimedBurst[]): number => middle(rounds, (round) => round.p50Ms);
  const p99 = (rounds: readonly TimedBurst[]): number => middle(rounds, (round) => round.p99Ms);
  const [rate, cpu] = [perSecond(deliveries), cpuMs(deliveries)];
  const [besideLocal, burst] = ['beside local activity', 'event to receiver, burst'];
  return [
    toCase({ name: 'deliveries', value: rate, unit: '1/s', floor: perSecond(oneActivity), goal: 0.9 }),
    toCase({ name: `deliveries, ${besideLocal}`, value: rate, unit: '1/s', floor: perSecond(oneLocalActivity) }),
    toCase({ name: 'deliveries, CPU each', value: cpu, unit: 'ms', floor: cpuMs(oneActivity) }),
    toCase({ name: `deliveries, CPU each, ${besideLocal}`, value: cpu, unit: 'ms', floor: cpuMs(oneLocalActivity) }),
    ...cpuParts(`deliveries, CPU each, ${besideLocal}`, deliveries, oneLocalActivity),
    toCase({ name: `${burst}, p50`, value: p50(deliveries), unit: 'ms', floor: p50(oneActivity) }),
    toCase({ name: `${burst}, p99`, value: p99(deliveries), unit: 'ms', floor: p99(oneActivity) }),
  ];
}
