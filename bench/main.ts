// npm run bench [-- --quick|--middle] [--only GROUP,GROUP] [--wait MINUTES] [--profile FOLDER]: the product beside its floors and
// what a user would pick instead, all in one run (docs/evidence.md).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureBulk } from './cases/bulk.ts';
import { measureDeliveries } from './cases/deliveries.ts';
import { measureFairness } from './cases/fairness.ts';
import { measureIdle } from './cases/idle.ts';
import { measureImageNeighbours } from './cases/image-neighbours.ts';
import { measureImages } from './cases/images.ts';
import { measureFirstWebhook, measureItems } from './cases/items.ts';
import { measurePut } from './cases/put.ts';
import { measureReceivers } from './cases/receivers.ts';
import { plans, type Mode } from './plans.ts';
import { besideOthers } from './support/cpu.ts';
import { describeMachine, describeVersions, isNoise, waitForQuiet } from './support/machine.ts';
import { storeResult, textTable, type BenchResult, type Row } from './support/report.ts';
import type { BenchCase } from './support/result.ts';
import { startServers, type BenchServers } from './support/servers.ts';

type Measure = (on: BenchServers) => Promise<BenchCase[]>;

/** In the order of measuring, which is that of the table. */
const groups = {
  items: ['new items, until the last one owes nothing', (on) => measureItems(on, plan.items)],
  'first-webhook': ['a new item until its webhook', (on) => measureFirstWebhook(on, plan.items)],
  fairness: ['a quiet account beside others', (on) => measureFairness(on, plan.fairness)],
  deliveries: ['deliveries beside the floor, BullMQ and Outpost', (on) => measureDeliveries(on, plan.deliveries)],
  receivers: ['receivers that are ill, dead or moody', (on) => measureReceivers(on, plan.receivers)],
  idle: ['a worker without work', (on) => measureIdle(on, plan.idle)],
  images: ['images beside sharp alone', (on) => measureImages(on, plan.images)],
  'image-neighbours': ['an image beside those of another account', (on) => measureImageNeighbours(on, plan.neighbours)],
  put: ['PUT beside a bare Express route', (on) => measurePut(on, plan.put)],
  bulk: ['bulk syncs beside a bare stream and bulkWrite', (on) => measureBulk(on, plan.bulk)],
} as const satisfies Record<string, readonly [says: string, measure: Measure]>;
type Group = keyof typeof groups;
const groupNames = Object.keys(groups) as Group[];
const usage = `npm run bench -- [--quick | --middle] [--only GROUP,GROUP] [--wait MINUTES] [--profile FOLDER]
groups: ${groupNames.join(', ')}`;

const { mode, chosen, waitMinutes, profileFolder } = readOptions();
const plan = plans[mode];
await waitForQuiet(waitMinutes);
const at = new Date().toISOString();
const machine = describeMachine();
const folder = mkdtempSync(join(tmpdir(), 'itembridge-bench-'));
let servers: BenchServers | undefined;
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (isInterrupted) return;
    isInterrupted = true;
    // What is being measured fails when its servers go, and the end of this file does the rest.
    servers?.stop().catch(() => undefined);
  });
}
try {
  say('starting MongoDB, Temporal and the simulators');
  servers = await startServers(folder, profileFolder);
  const cases = await measure(servers);
  const { notes } = servers;
  const result: BenchResult = { machine, versions: await describeVersions(servers), at, mode, cases, notes };
  console.log(
    `\n${textTable(cases)}\n\nOnly for "1/s" more is better. The ratio is value / floor. Load before the run: ${machine.loadBefore}.`,
  );
  for (const note of notes) console.log(note);
  if (chosen.length === groupNames.length && profileFolder === undefined) storeResult(result);
  else console.log('A part of the benchmark, or slowed down by the profiler: nothing was written.');
} catch (error) {
  console.error(isInterrupted ? 'interrupted' : error);
  process.exitCode = 1;
} finally {
  if (!isInterrupted) await servers?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function measure(on: BenchServers): Promise<Row[]> {
  const cases: Row[] = [];
  for (const name of chosen) {
    const startedAt = performance.now();
    const [says, measureGroup] = groups[name];
    say(says);
    const [measured, others] = await besideOthers(() => measureGroup(on));
    const rows = measured.map((one) => ({ ...one, isNoise: isNoise(machine, others) }));
    cases.push(...rows);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    // At once, for a run that is stopped after half an hour.
    console.error(
      `${textTable(rows)}\n· ${name}: ${seconds} s, others took ${(others * 100).toFixed(0)} % of the machine`,
    );
  }
  return cases;
}

interface Options {
  readonly mode: Mode;
  readonly chosen: readonly Group[];
  readonly waitMinutes: number;
  readonly profileFolder: string | undefined;
}

function readOptions(): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { quick: flag, middle: flag, only: text, wait: text, profile: text } as const;
  try {
    const { only, quick = false, middle = false, wait = '0', profile } = parseArgs({ options }).values;
    const unknown = (only?.split(',') ?? []).find((name) => !groupNames.some((group) => group === name));
    if (unknown !== undefined) throw new Error(`--only does not know ${unknown}`);
    const chosen = groupNames.filter((group) => only === undefined || only.split(',').includes(group));
    return {
      mode: modeOf({ quick, middle }),
      chosen,
      waitMinutes: Number(wait),
      profileFolder: profile === undefined ? undefined : resolve(profile),
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}

function modeOf({ quick, middle }: { quick: boolean; middle: boolean }): Mode {
  if (quick && middle) throw new Error('--quick and --middle are two plans');
  if (quick) return 'quick';
  return middle ? 'middle' : 'full';
}

function say(line: string): void {
  console.error(`· ${line} …`);
}
