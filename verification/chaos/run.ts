import { setTimeout as pause } from 'node:timers/promises';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from './check/check.ts';
import { collect } from './collect.ts';
import { planFaults } from './faults/plan-faults.ts';
import { playFaults, type PlayedFault } from './faults/play-faults.ts';
import { openJournal, type Journal } from './load/journal.ts';
import { playBulk } from './load/play-bulk.ts';
import { playBuyers } from './load/play-buyers.ts';
import { playErp, playRival } from './load/play-erp.ts';
import { playOwner } from './load/play-owner.ts';
import type { Observed, Violation } from './observed.ts';
import { createRandom, type Random } from './random.ts';
import { untilAtRest } from './rest.ts';
import { watchAds } from './watch-ads.ts';
import type { Account } from './world/account.ts';
import { startWorld, type World } from './world/world.ts';

export interface RunOptions {
  readonly seed: number;
  readonly durationMs: number;
  /** For data and logs. */
  readonly folder: string;
  readonly productFolder: string;
  readonly log: (line: string) => void;
}

export interface RunResult {
  readonly seed: number;
  readonly journal: Journal;
  readonly faults: readonly PlayedFault[];
  readonly observed: Observed;
  readonly violations: readonly Violation[];
  readonly looks: number;
  readonly buyersMoves: number;
  /** null: something was owed still when the time was over. */
  readonly restMs: number | null;
}

/** How long nothing may move at the end while something is owed, and at most it may take until nothing is. */
const [patienceMs, longestMs] = [180_000, 30 * 60_000];

/** One run: load and faults side by side, then peace, then the comparison. */
export async function run(options: RunOptions): Promise<RunResult> {
  const startedAt = Date.now();
  const log = (line: string): void => {
    options.log(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
  };
  mkdirSync(options.folder, { recursive: true });
  const random = createRandom(options.seed);
  const { folder, productFolder } = options;
  const world = await startWorld({ folder, productFolder, random });
  try {
    log('the world is up');
    const accounts = await openAccounts(world);
    const journal = openJournal();
    log('load and faults begin');
    const played = await play({ ...options, log }, { world, accounts, journal, random });
    log('faults are over');
    world.receivers.calm();
    const restMs = await untilAtRest({ world, accounts, patienceMs, longestMs, log });
    if (restMs !== null) log(`at rest after ${(restMs / 1_000).toFixed(1)} s`);
    const observed = await collect({ world, accounts, journal, doubles: played.doubles });
    const violations = check(observed);
    // For whoever has to find out: with --keep the folder stays.
    writeFileSync(join(folder, 'observed.json'), JSON.stringify({ observed, violations, faults: played.faults }));
    return { seed: options.seed, journal, observed, violations, restMs, ...played };
  } finally {
    await world.stop();
  }
}

type Accounts = readonly [shop: Account, catalogue: Account, stall: Account];

async function openAccounts(world: World): Promise<Accounts> {
  const shop = await world.openAccount('shop', { sells: true });
  const catalogue = await world.openAccount('catalogue', { sells: false });
  for (const temper of ['steady', 'flaky', 'moody'] as const) await shop.addEndpoint(`shop-${temper}`, temper);
  await catalogue.addEndpoint('catalogue-steady', 'steady');
  await catalogue.addEndpoint('catalogue-gone', 'gone');
  const stall = await world.openAccount('stall', { sells: false });
  await stall.addEndpoint('stall-steady', 'steady');
  return [shop, catalogue, stall];
}

interface Stage {
  readonly world: World;
  readonly accounts: Accounts;
  readonly journal: Journal;
  readonly random: Random;
}

const numbered = (name: string, from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${String(from + index).padStart(3, '0')}`);

/**
 * Two ERP programs with 18 items each, of which the last six of each may meet buyers; a catalogue of 30 lines; and a stall without
 * pictures, whose items owe nothing but records: 24 of them written at once, and 6 that two programs fight for.
 */
async function play(
  options: Pick<RunOptions, 'durationMs' | 'log'>,
  { world, accounts: [shop, catalogue, stall], journal, random }: Stage,
) {
  const endsAt = Date.now() + options.durationMs;
  const isOver = (): boolean => Date.now() > endsAt;
  const { marketplaceAdminUrl: adminUrl } = world;
  const pictures = readdirSync('examples/catalogue/images')
    .filter((name) => name.endsWith('.jpg'))
    .map((name) => `${world.imagesUrl}/${name}`);
  // Each try may meet the other API.
  const ways = random.fork('apis');
  const shared = { nextApi: () => ways.pick(world.apiUrls), journal, isOver };
  const erp = (name: string, from: number): Promise<void> =>
    playErp({
      ...shared,
      random: random.fork(name),
      account: shop,
      pictures,
      pauseMs: [300, 2_000],
      externalIds: [...numbered('still', from, 12), ...numbered('auction', from, 6)],
    });
  const catalogueLines = { account: catalogue, externalIds: numbered('line', 0, 30) };
  const crowd = { ...shared, account: stall, pictures: [] };
  const rival = (name: string): Promise<void> =>
    playRival({ ...crowd, random: random.fork(name), pauseMs: [1_000, 5_000], externalIds: numbered('rival', 0, 6) });
  const load = Promise.all([
    erp('erp-1', 0),
    erp('erp-2', 20),
    playBulk({ ...shared, ...catalogueLines, random: random.fork('bulk') }),
    playOwner({ random: random.fork('owner'), account: shop, isOver }),
    playErp({
      ...crowd,
      random: random.fork('crowd'),
      pauseMs: [2_000, 6_000],
      atOnce: 24,
      externalIds: numbered('crowd', 0, 30),
    }),
    rival('rival-1'),
    rival('rival-2'),
  ]);
  let isLoadOver = false;
  const isDone = (): boolean => isLoadOver;
  const buyers = playBuyers({
    random: random.fork('buyers'),
    adminUrl,
    isOver,
    isForThem: (externalId) => externalId.startsWith('auction-'),
  });
  const watcher = watchAds(adminUrl, { isOver: isDone });
  const abort = new AbortController();
  const plan = planFaults(random.fork('faults'), options.durationMs);
  const faults = playFaults({ world, plan, log: options.log, signal: abort.signal });
  const stop = (): void => {
    isLoadOver = true;
    abort.abort();
  };
  try {
    // Faults end with the time; the load then has peace to hear the answers that it waits for.
    const [, played, { moves }] = await Promise.all([load, faults, buyers]);
    await pause(1_000);
    isLoadOver = true;
    return { faults: played, buyersMoves: moves, ...(await watcher) };
  } finally {
    stop();
    await Promise.allSettled([load, faults, buyers, watcher]);
  }
}
