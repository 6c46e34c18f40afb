// npm run bench [-- --quick] [--only put|items|deliveries|fleet|analytics|rate-limit|bulk] [--profile FOLDER]: the product beside its floors, all in one run (docs/benchmarks.md).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAnalytics } from './cases/analytics.ts';
import { measureBulk } from './cases/bulk-sync.ts';
import { measurePut } from './cases/put.ts';
import { measureRateLimit } from './cases/rate-limit.ts';
import { measureFleet } from './cases/webhook-fleet.ts';
import { measureWorkflows } from './cases/workflows.ts';
import { describeMachine, describeVersions } from './support/describe-run.ts';
import { storeResult, textTable } from './support/report.ts';
import type { BenchCase, BenchResult } from './support/result.ts';
import { startServers, type BenchServers } from './support/servers.ts';

const groups = ['items', 'deliveries', 'fleet', 'put', 'analytics', 'rate-limit', 'bulk'] as const;
type Group = (typeof groups)[number];

const plans = {
  quick: {
    put: { rounds: 1, warmUpPushes: 600, durationMs: 1_500 },
    workflows: { rounds: 1, count: 120, steadySeconds: 3 },
    fleet: { rounds: 1, perSecond: 10, steadyCount: 100, burstCount: 100 },
    analytics: { sizes: [2_000, 20_000], reads: 50 },
    bulk: {
      ...{ lines: 5_000, members: 20, settledLines: 300 },
      engine: { rounds: 1, lines: 4_000 },
      fairness: { lines: 2_000, puts: 20 },
    },
  },
  full: {
    put: { rounds: 3, warmUpPushes: 2_000, durationMs: 3_000 },
    workflows: { rounds: 3, count: 334, steadySeconds: 10 },
    fleet: { rounds: 2, perSecond: 12, steadyCount: 500, burstCount: 500 },
    analytics: { sizes: [2_000, 20_000, 200_000], reads: 300 },
    bulk: {
      ...{ lines: 100_000, members: 200, settledLines: 2_000 },
      engine: { rounds: 3, lines: 20_000 },
      fairness: { lines: 50_000, puts: 200 },
    },
  },
} as const;

const { mode, chosen, profileFolder } = readOptions();
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
  const result: BenchResult = { machine, versions: await describeVersions(servers), at, mode, cases };
  console.log(
    `\n${textTable(cases)}\n\n"1/s": more is better; "ms", "MB": less is better. The ratio is value / floor.`,
  );
  if (chosen.length === groups.length && profileFolder === undefined) storeResult(result);
  else console.log('A part of the benchmark, or slowed down by the profiler: nothing was written.');
} catch (error) {
  console.error(isInterrupted ? 'interrupted' : error);
  process.exitCode = 1;
} finally {
  if (!isInterrupted) await servers?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

/** Workflows first: PUT leaves thousands of them behind that nobody works on. */
async function measure(on: BenchServers): Promise<BenchCase[]> {
  const [items, deliveries] = [chosen.includes('items'), chosen.includes('deliveries')];
  const cases: BenchCase[] = [];
  if (items || deliveries) {
    say('items and deliveries beside trivial workflows');
    cases.push(...(await measureWorkflows(on, { ...plans[mode].workflows, items, deliveries })));
  }
  if (chosen.includes('rate-limit')) {
    say('PUT with and without limits');
    cases.push(...(await measureRateLimit(on, plans[mode].put)));
  }
  if (chosen.includes('bulk')) {
    say('bulk syncs beside a bare stream and bulkWrite');
    cases.push(...(await measureBulk(on, plans[mode].bulk)));
  }
  if (chosen.includes('fleet')) {
    say('twenty receivers, all well and four ill');
    cases.push(...(await measureFleet(on, plans[mode].fleet)));
  }
  if (chosen.includes('put')) {
    say('PUT beside a bare Express route');
    cases.unshift(...(await measurePut(on, plans[mode].put)));
  }
  if (chosen.includes('analytics')) {
    say('the analytics of accounts of several sizes');
    cases.push(...(await measureAnalytics(on, plans[mode].analytics)));
  }
  return cases;
}

interface Options {
  readonly mode: 'quick' | 'full';
  readonly chosen: readonly Group[];
  readonly profileFolder: string | undefined;
}

function readOptions(): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: text, profile: text } });
  const only = groups.filter((group) => values.only === undefined || values.only === group);
  if (only.length === 0) throw new Error(`--only takes one of ${groups.join(', ')}`);
  return {
    mode: values.quick === true ? 'quick' : 'full',
    chosen: only,
    profileFolder: values.profile === undefined ? undefined : resolve(values.profile),
  };
}

function say(line: string): void {
  console.error(`· ${line} …`);
}
