import { loadavg } from 'node:os';
import { freePort } from '../../../embedded/choose-port.ts';
import { generousRateLimits } from '../../../test/support/generous-rate-limits.ts';
import { setUpAccount } from '../../../test/support/set-up-account.ts';
import { sharedNow } from '../../support/clock.ts';
import { cpuSince, readCoreWaits, readCpuTimes } from '../../support/cpu.ts';
import { ForkedProcess } from '../../support/forked-process.ts';
import { peakMemoryMb, resetPeakMemory } from '../../support/peak-memory.ts';
import { pidOf } from '../../support/pid-of.ts';
import { startProduct } from '../../support/product.ts';
import { toCase, type BenchCase } from '../../support/result.ts';
import type { BenchServers } from '../../support/servers.ts';
import { percentile } from '../../support/statistics.ts';
import { attacks, quiet, strangers, type Attack, type AttacksPlan, type Target } from './attacks.ts';
import { watchVictim, type Felt, type Victim } from './victim.ts';

/** What the containers may have (docker-compose.yml). */
const memoryMaxMb = { API: 1_024, worker: 2_048 } as const;
type ProcessName = keyof typeof memoryMaxMb;
const processNames: readonly ProcessName[] = ['API', 'worker'];
type ByProcess = Readonly<Record<ProcessName, number>>;

interface Stage extends Victim, Target {
  readonly servers: BenchServers;
  readonly metricsUrls: Readonly<Record<ProcessName, string>>;
}

interface Phase extends Felt {
  readonly memoryMb: ByProcess;
  /** Event loop delay, p99. */
  readonly lagMs: ByProcess;
  /** Of a second: CPU time that each process took, and how long its main thread stood in line for a core. */
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly waitMs: ByProcess;
}

/**
 * What another tenant notices of attacks that once stopped the service, beside the quiet before and after each. Last the same calls
 * with small bodies: what as many harmless strangers cost.
 */
export async function measureAttacks(servers: BenchServers, plan: AttacksPlan): Promise<BenchCase[]> {
  const { stage, close } = await setStage(servers, plan);
  try {
    await playPhase(stage, 'warm-up', strangers);
    let before = await playPhase(stage, 'quiet', quiet);
    const cases: BenchCase[] = [];
    for (const [name, attack] of Object.entries(attacks)) {
      const during = await playPhase(stage, name, attack);
      const after = await playPhase(stage, 'quiet', quiet);
      cases.push(...casesOf(name, during, [before, after]));
      before = after;
    }
    return cases;
  } finally {
    await close();
  }
}

async function setStage(
  servers: BenchServers,
  plan: AttacksPlan,
): Promise<{ stage: Stage; close: () => Promise<void> }> {
  const tls = {
    BENCH_TLS_KEY_FILE: servers.certificates.keyFile,
    BENCH_TLS_CERT_FILE: servers.certificates.certificateFile,
  };
  const ports = { api: await freePort(), worker: await freePort() };
  const [product, receiver, host] = await Promise.all([
    startProduct(servers, { withWorker: true, metricsPorts: ports, settings: asInProduction(servers) }),
    ForkedProcess.start<{ url: string }>('webhook-receiver', { ...tls, BENCH_RECEIVER_CLOSES: 'yes' }),
    ForkedProcess.start<{ url: string }>('hostile-image-host', tls),
  ]);
  const stranger = await ForkedProcess.start('json-attacker', { BENCH_API_URL: product.apiUrl });
  // By name: when the pool of threads is full no name is looked up.
  const webhookUrl = receiver.ready.url.replace('127.0.0.1', 'localhost');
  const account = await setUpAccount(product.foundation, { webhookUrl });
  const attacker = await setUpAccount(product.foundation);
  const urlOf = (port: number): string => `http://127.0.0.1:${port}/metrics`;
  const metricsUrls = { API: urlOf(ports.api), worker: urlOf(ports.worker) };
  return {
    stage: { servers, product, account, receiver, imageHost: host.ready.url, plan, attacker, stranger, metricsUrls },
    close: async () => {
      await Promise.all([product.discard(), receiver.stop(), host.stop(), stranger.stop()]);
    },
  };
}

/** Limits at their defaults, and a proxy that says who calls. */
const asInProduction = ({ simulators }: BenchServers): Record<string, string> => ({
  ...Object.fromEntries(Object.keys(generousRateLimits).map((name) => [name, ''])),
  TRUSTED_PROXIES: 'loopback',
  STRIPE_URL: simulators.payments.url,
  STRIPE_SECRET_KEY: 'sk_test_bench',
  STRIPE_WEBHOOK_SECRET: 'whsec_bench',
});

async function playPhase(stage: Stage, name: string, attack: Attack): Promise<Phase> {
  const { servers, product, metricsUrls, stranger } = stage;
  const pids = { API: pidOf(product.api), worker: pidOf(product.worker) };
  const all = { ...pids, mongod: pidOf(servers.mongod), temporal: pidOf(servers.temporal), attacker: stranger.pid };
  for (const pid of Object.values(pids)) resetPeakMemory(pid);
  // Each reading begins anew.
  await readLags(metricsUrls);
  const [cpuBefore, waitsBefore, startedAt] = [readCpuTimes(all), readCoreWaits(pids), sharedNow()];
  const over = new AbortController();
  const [felt, outcome] = await Promise.all([
    watchVictim(stage, over.signal),
    attack(stage).finally(() => over.abort()),
  ]);
  const seconds = (sharedNow() - startedAt) / 1_000;
  const waits = readCoreWaits(pids);
  const waited = (one: ProcessName): number => ((waits[one] ?? 0) - (waitsBefore[one] ?? 0)) / seconds;
  const used = Object.entries(cpuSince(cpuBefore, all)).map(([one, ms]) => [one, ms / seconds] as const);
  const phase = {
    ...{ ...felt, lagMs: await readLags(metricsUrls), cpuMs: Object.fromEntries(used) },
    waitMs: { API: waited('API'), worker: waited('worker') },
    memoryMb: { API: peakMemoryMb(pids.API), worker: peakMemoryMb(pids.worker) },
  };
  console.error(`· ${name}, load ${loadavg()[0]?.toFixed(1)}: ${outcome}\n    ${describe(phase)}`);
  return phase;
}

async function readLags({ API, worker }: Stage['metricsUrls']): Promise<ByProcess> {
  const read = async (url: string): Promise<number> => {
    const text = await (await fetch(url)).text();
    return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1_000;
  };
  return { API: await read(API), worker: await read(worker) };
}

function describe({ seconds, puts, deliveries, images, health, owed, arrived, ...rest }: Phase): string {
  const ms = (values: readonly number[]): string =>
    `${[50, 95].map((p) => percentile(values, p).toFixed(0)).join('/')} ms`;
  const all = (one: Readonly<Record<string, number>>): string =>
    Object.entries(one)
      .map(([name, value]) => `${name} ${value.toFixed(0)}`)
      .join(', ');
  return [
    `${seconds.toFixed(0)} s; PUT ${ms(puts)}, delivery ${ms(deliveries)}, image ${ms(images)}, /healthz ${ms(health)}`,
    `${arrived} of ${owed} events; MB: ${all(rest.memoryMb)}; loop, ms: ${all(rest.lagMs)}; CPU, ms/s: ${all(rest.cpuMs)}; in line, ms/s: ${all(rest.waitMs)}`,
  ].join('; ');
}

/** A neighbour is to notice no more of an attack than that. */
const ratioMax = 2;

function casesOf(attack: string, during: Phase, beside: readonly Phase[]): BenchCase[] {
  const pair = (read: (phase: Phase) => readonly number[], percent: number) => ({
    ...{ value: percentile(read(during), percent), floor: percentile(beside.flatMap(read), percent) },
    unit: 'ms' as const,
  });
  const felt = (name: string, read: (phase: Phase) => readonly number[]): BenchCase[] =>
    [50, 95].map((percent) =>
      toCase({ name: `${attack}: ${name}, p${percent}`, ...pair(read, percent), goal: ratioMax }),
    );
  return [
    ...felt('PUT', ({ puts }) => puts),
    ...felt('delivery', ({ deliveries }) => deliveries),
    toCase({ name: `${attack}: an image until it is hosted, p50`, ...pair(({ images }) => images, 50) }),
    toCase({ name: `${attack}: /healthz, p95`, ...pair(({ health }) => health, 95) }),
    toCase({
      name: `${attack}: events that arrived, of those owed`,
      ...{ value: during.arrived / during.seconds, floor: during.owed / during.seconds, unit: '1/s', goal: 1 },
    }),
    ...processNames.flatMap((name) => [
      toCase({ name: `${attack}: event loop of the ${name}, p99`, ...pair(({ lagMs }) => [lagMs[name]], 100) }),
      toCase({ name: `${attack}: CPU of the ${name}, each second`, ...pair(({ cpuMs }) => [cpuMs[name] ?? 0], 100) }),
      toCase({
        name: `${attack}: the ${name} in line for a core, each second`,
        ...pair(({ waitMs }) => [waitMs[name]], 100),
      }),
      toCase({
        name: `${attack}: memory of the ${name}, peak`,
        ...{ value: during.memoryMb[name], unit: 'MB', target: memoryMaxMb[name] },
      }),
    ]),
  ];
}
