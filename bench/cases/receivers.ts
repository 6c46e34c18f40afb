import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { play, startReceiver, untilCounted, type Receiver } from '../contenders/contender.ts';
import { outpostMissing, startOutpost } from '../contenders/outpost.ts';
import { sampleRows, startProductContender } from '../contenders/product.ts';
import type { Offer } from '../processes/serve-maker.ts';
import { shared, spend, untilQuiet } from '../support/cpu.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { untilDisabled } from '../support/observe-product.ts';
import { cpuCases, middle, spreadOf, toCase, type BenchCase, type Played } from '../support/result.ts';
import { pidOf, type BenchServers } from '../support/servers.ts';

export interface ReceiversPlan {
  readonly rounds: number;
  /** Events of one steady phase and of one burst, over all twenty accounts. */
  readonly fleet: { readonly steady: number; readonly burst: number };
  /** Accounts whose receiver is dead. */
  readonly dead: number;
  /** Events at once to one dead receiver. */
  readonly flood: number;
  readonly moodySeconds: number;
}

interface Stage {
  readonly servers: BenchServers;
  readonly receiver: Receiver;
  readonly plan: ReceiversPlan;
}

/** What receivers that don't take their events cost, and what those that do notice of it. */
export async function measureReceivers(servers: BenchServers, plan: ReceiversPlan): Promise<BenchCase[]> {
  await using receiver = await startReceiver(servers);
  const stage = { servers, receiver, plan };
  return [
    ...(await measureFleet(servers, plan)),
    ...(await measureDead(stage)),
    ...(await measureFlood(stage)),
    ...(await measureMoody(stage)),
  ];
}

const healthyCount = 16;
const perSecond = 50;
const health = ['well', 'ill'] as const;
type Pair = Readonly<Record<(typeof health)[number], Played[]>>;

type Load = Omit<Offer, 'accounts'>;

/** The same load with all twenty receivers well, and with four of them ill. Only the sixteen that are always well are looked at. */
async function measureFleet(servers: BenchServers, { rounds, fleet }: ReceiversPlan): Promise<BenchCase[]> {
  const loads: Readonly<Record<string, Load>> = {
    [`${perSecond}/s`]: { count: fleet.steady, together: 1, atOnce: 1, perSecond },
    // Events that one transaction stores, as when many items of an account settle at once, and accounts that do so.
    burst: { count: fleet.burst, together: 5, atOnce: 4 },
  };
  const cases: BenchCase[] = [];
  for (const [name, load] of Object.entries(loads)) {
    const pair: Pair = { well: [], ill: [] };
    for (let round = 0; round < rounds; round += 1) await fleetRound(servers, load, pair);
    cases.push(...fleetCases(`healthy receivers, one in five ill, ${name}`, pair));
  }
  return cases;
}

/** In fresh processes, as nothing makes a receiver well again for them at once. */
async function fleetRound(servers: BenchServers, load: Load, pair: Pair): Promise<void> {
  await using receiver = await startReceiver(servers);
  const { url, frail } = receiver.ready;
  const healthy = Array.from({ length: healthyCount }, (_, n) => `${url}/ok/${n}`);
  await using contender = await startProductContender(servers, [...healthy, ...frail]);
  const phase = (one: Load): Promise<Played> => {
    const count = healthyShare(one, contender.accounts.length);
    return play(contender, receiver, { ...one, until: () => untilCounted(receiver, { count }) });
  };
  await phase({ count: contender.accounts.length * 10, together: 5, atOnce: 4 });
  pair.well.push(await phase(load));
  await receiver.ask('fallIll');
  pair.ill.push(await phase(load));
}

/** How many of these events are for receivers that are always well: accounts take turns, and theirs come first. */
function healthyShare({ count, together }: Load, accounts: number): number {
  const turns = Array.from({ length: Math.ceil(count / together) }, (_, turn) => turn);
  return turns
    .filter((turn) => turn % accounts < healthyCount)
    .reduce((total, turn) => total + Math.min(together, count - turn * together), 0);
}

/** Value: four are ill; floor: all are well. */
function fleetCases(name: string, { well, ill }: Pair): BenchCase[] {
  const rate = (rounds: readonly Played[]): number => middle(rounds, ({ perSecond }) => perSecond);
  const spread = (percent: number) =>
    ({ value: spreadOf(ill, percent), unit: 'ms', floor: spreadOf(well, percent) }) as const;
  return [
    toCase({ name, value: rate(ill), unit: '1/s', floor: rate(well) }),
    toCase({ name: `${name}, p50`, ...spread(50) }),
    toCase({ name: `${name}, p99`, ...spread(99), goal: 1.1 }),
    ...cpuCases(name, { own: ill, floor: well }),
  ];
}

/** Fewer than disable an endpoint, so that each event gets all its attempts. */
const eventsEach = 12;
const attemptsMax = 5;
/** Some of Outpost's retries come half a minute late and some never, so it is watched no longer. */
const outpostPatienceMs = 45_000;

/** Events that are refused five times, beside workflows that wait as often and do nothing, and beside Outpost. */
async function measureDead({ servers, receiver, plan: { dead } }: Stage): Promise<BenchCase[]> {
  const { url } = receiver.ready;
  const urls = Array.from({ length: dead }, (_, n) => `${url}/broken/${n}`);
  const count = dead * eventsEach;
  const rowsFile = join(servers.folder, 'rows-for-dead.json');
  const calls = { count: count * attemptsMax, what: 'calls' } as const;
  const load = { count, together: eventsEach, atOnce: 4 };
  const playOwn = async (): Promise<Played> => {
    await using contender = await startProductContender(servers, [...urls, `${url}/pausing`]);
    writeFileSync(rowsFile, await sampleRows(contender));
    const until = () => untilCounted(receiver, calls).then(contender.untilRecorded);
    return await play(contender, receiver, { ...load, accounts: contender.accounts.slice(0, dead), until });
  };
  const own = [await playOwn()];
  const name = 'an event to a dead receiver, all five attempts';
  const cases = cpuCases(name, { own, floor: [await bareWorkflows(servers, count)] }, { target: 80 });
  const missing = outpostMissing();
  if (missing !== null) {
    servers.notes.push(`Left out: dead receivers ${missing}.`);
    return cases;
  }
  await using outpost = await startOutpost(servers, { urls, rowsFile });
  const until = () => untilCounted(receiver, { ...calls, patienceMs: outpostPatienceMs }).catch(() => undefined);
  const floor = [await play(outpost, receiver, { ...load, until })];
  const made = await receiver.ask<number>('calls');
  servers.notes.push(`Outpost made ${made} of ${calls.count} attempts for dead receivers.`);
  return [...cases, ...cpuCases(`${name}, beside Outpost`, { own, floor, parts: false })];
}

/** Workflows with as many waits and tries, which do nothing. */
async function bareWorkflows(servers: BenchServers, count: number) {
  await using worker = await ForkedProcess.start('bare-workflows', { TEMPORAL_ADDRESS: servers.temporalAddress });
  const pids = { temporal: pidOf(servers.temporal), worker: worker.pid };
  await worker.ask('run', Math.min(count, 20));
  await untilQuiet(pids);
  const { cpuMsOf } = await spend(pids, () => worker.ask('run', count));
  return { cpuMsEachOf: shared(cpuMsOf, count) };
}

async function measureFlood({ servers, receiver, plan: { flood } }: Stage): Promise<BenchCase[]> {
  await using contender = await startProductContender(servers, [`${receiver.ready.url}/broken`]);
  const { product, accounts, pids } = contender;
  const until = () => untilDisabled(product, accounts[0] ?? '').then(() => untilQuiet(pids));
  const own = await play(contender, receiver, { count: flood, together: 100, atOnce: 1, until });
  return cpuCases(`${flood} events at once to a dead receiver, until it is disabled`, { own: [own] }, { target: 10 });
}

/** One call in twenty is refused, beside a receiver that refuses none. */
async function measureMoody({ servers, receiver, plan: { rounds, moodySeconds } }: Stage): Promise<BenchCase[]> {
  const urls = ['ok', 'moody'].map((path) => `${receiver.ready.url}/${path}`);
  await using contender = await startProductContender(servers, urls);
  const phase = (account: string | undefined, seconds: number): Promise<Played> => {
    const load = { count: 100 * seconds, together: 1, atOnce: 1, perSecond: 100 };
    return play(contender, receiver, { ...load, accounts: [account ?? ''] });
  };
  const [well, moody] = contender.accounts;
  const [own, floor]: [Played[], Played[]] = [[], []];
  await phase(well, 2);
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await phase(well, moodySeconds));
    own.push(await phase(moody, moodySeconds));
  }
  return cpuCases('a receiver that refuses one call in twenty, 100/s', { own, floor }, { goal: 1.5 });
}
