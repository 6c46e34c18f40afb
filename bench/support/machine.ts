import { readFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { outsideVersions } from '../contenders/outside-servers.ts';
import type { BenchServers } from './servers.ts';

/** What of the machine explains the numbers, and nothing that names it. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  /** Processes that wanted a core in the minute before the run: above {@link loadMax} others were at work. */
  readonly loadBefore: number;
}

const loadMax = 0.5;
/** Part of the machine that others may take while something is measured. */
const othersMax = 0.1;
const loadNow = (): number => loadavg()[0] ?? 0;

export const describeMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${arch()}`,
  loadBefore: Math.round(loadNow() * 100) / 100,
});

/** Waits until the load allows a measurement, but no longer than so many minutes. */
export async function waitForQuiet(minutes: number): Promise<void> {
  const deadline = performance.now() + minutes * 60_000;
  while (loadNow() > loadMax && performance.now() < deadline) await pause(5_000);
}

/** Whether figures say more of the machine than of what was measured: it was busy before the run, or others took of it meanwhile. */
export const isNoise = ({ loadBefore }: Machine, others: number): boolean => loadBefore > loadMax || others > othersMax;

const packages = ['express', 'mongoose', '@temporalio/worker', 'sharp', 'bullmq'] as const;

export async function describeVersions({ mongo, temporalClient }: BenchServers): Promise<Record<string, string>> {
  const [build, system, outside] = await Promise.all([
    mongo.db('admin').command({ buildInfo: 1 }),
    temporalClient.workflowService.getSystemInfo({}),
    outsideVersions(),
  ]);
  return {
    node: process.versions.node,
    MongoDB: String(build['version']),
    Temporal: system.serverVersion,
    ...outside,
    ...Object.fromEntries(packages.map((name) => [name, installedVersion(name)])),
  };
}

function installedVersion(name: string): string {
  const manifest = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { version: string };
  return manifest.version;
}
