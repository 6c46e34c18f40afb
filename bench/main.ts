// npm run bench [-- --quick] [--only GROUP,GROUP] [--profile FOLDER]: the product beside its floors, all in one run (docs/evidence/benchmarks.md).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAnalytics } from './cases/analytics.ts';
import { measureAttacks } from './cases/attacks/measure-attacks.ts';
import { measureBatch } from './cases/batch.ts';
import { measureFairness } from './cases/bulk-fairness.ts';
import { measureBulk } from './cases/bulk-sync.ts';
import { measureDeliveries } from './cases/deliveries/measure-deliveries.ts';
import { measureGrowth } from './cases/growth.ts';
import { measureImages } from './cases/images.ts';
import { measureItems } from './cases/items.ts';
import { measureMemory } from './cases/memory.ts';
import { measurePut } from './cases/put.ts';
import { measureRateLimit } from './cases/rate-limit.ts';
import { measureFleet } from './cases/webhook-fleet.ts';
import { plans, type Mode } from './plans.ts';
import { describeMachine, describeVersions } from './support/describe-run.ts';
import { storeResult, textTable } from './support/report.ts';
import type { BenchCase, BenchResult } from './support/result.ts';
import { startServers, type BenchServers } from './support/servers.ts';

type Measure = (on: BenchServers, note: (text: string) => void) => Promise<BenchCase[]>;

/** In the order of measuring, which is that of the table. PUT after those that wait for workflows: it leaves thousands behind that nobody works on. */
const groups = {
  items: { says: 'items beside trivial workflows', measure: (on) => measureItems(on, plan.items) },
  deliveries: {
    says: 'deliveries beside trivial workflows, BullMQ and Agenda',
    measure: (on, note) => measureDeliveries(on, plan.deliveries, note),
  },
  fleet: {
    says: 'twenty receivers, all well and four ill',
    measure: (on) => measureFleet(on, plan.fleet),
  },
  images: { says: 'images beside sharp alone', measure: (on) => measureImages(on, plan.images) },
  batch: { says: 'batches beside bulkWrite', measure: (on) => measureBatch(on, plan.batch) },
  put: { says: 'PUT beside a bare Express route', measure: (on) => measurePut(on, plan.put) },
  'rate-limit': { says: 'PUT with and without limits', measure: (on) => measureRateLimit(on, plan.put) },
  analytics: {
    says: 'the analytics of accounts of several sizes',
    measure: (on) => measureAnalytics(on, plan.analytics),
  },
  growth: { says: 'accounts of several sizes', measure: (on) => measureGrowth(on, plan.growth) },
  bulk: { says: 'bulk syncs beside a bare stream and bulkWrite', measure: (on) => measureBulk(on, plan.bulk) },
  fairness: {
    says: 'a PUT while another account has a file under way',
    measure: (on) => measureFairness(on, plan.fairness),
  },
  attacks: {
    says: 'another tenant while the service is attacked',
    measure: (on) => measureAttacks(on, plan.attacks),
  },
  memory: { says: 'the memory of API and worker', measure: (on) => measureMemory(on, plan.memory) },
} as const satisfies Record<string, { readonly says: string; readonly measure: Measure }>;
type Group = keyof typeof groups;
const groupNames = Object.keys(groups) as Group[];

const { mode, chosen, profileFolder } = readOptions();
const plan = plans[mode];
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
  const { cases, notes } = await measure(servers);
  const result: BenchResult = { machine, versions: await describeVersions(servers), at, mode, cases, notes };
  console.log(
    `\n${textTable(cases)}\n\n"1/s": more is better; "ms", "MB": less is better. The ratio is value / floor.`,
  );
  for (const note of notes) console.log(`Left out: ${note}`);
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

async function measure(on: BenchServers): Promise<Pick<BenchResult, 'cases' | 'notes'>> {
  const [cases, notes]: [BenchCase[], string[]] = [[], []];
  for (const name of chosen) {
    const startedAt = performance.now();
    say(groups[name].says);
    const measured = await groups[name].measure(on, (text) => notes.push(text));
    cases.push(...measured);
    // At once too: who stops the run after half an hour has seen what was measured by then.
    console.error(`${textTable(measured)}\n· ${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  }
  return { cases, notes };
}

interface Options {
  readonly mode: Mode;
  readonly chosen: readonly Group[];
  readonly profileFolder: string | undefined;
}

function readOptions(): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: text, profile: text } });
  const only = groupNames.filter((group) => values.only === undefined || values.only.split(',').includes(group));
  if (only.length === 0) throw new Error(`--only takes some of ${groupNames.join(',')}`);
  return {
    mode: values.quick === true ? 'quick' : 'full',
    chosen: only,
    profileFolder: values.profile === undefined ? undefined : resolve(values.profile),
  };
}

function say(line: string): void {
  console.error(`· ${line} …`);
}
