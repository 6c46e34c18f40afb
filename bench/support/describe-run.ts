import { readFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import type { Machine } from './result.ts';
import { redisVersion } from './redis.ts';
import type { BenchServers } from './servers.ts';

/** What of the machine explains the numbers, and nothing that names it. */
export const describeMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${arch()}`,
  loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
});

const packages = ['express', 'mongoose', '@temporalio/worker', 'sharp', 'bullmq', 'agenda'] as const;

export async function describeVersions({ mongo, temporalClient }: BenchServers): Promise<Record<string, string>> {
  const [build, system, redis] = await Promise.all([
    mongo.db('admin').command({ buildInfo: 1 }),
    temporalClient.workflowService.getSystemInfo({}),
    redisVersion(),
  ]);
  return {
    node: process.versions.node,
    MongoDB: String(build['version']),
    Temporal: system.serverVersion,
    ...(redis !== null && { Redis: redis }),
    ...Object.fromEntries(packages.map((name) => [name, installedVersion(name)])),
  };
}

function installedVersion(name: string): string {
  const manifest = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { version: string };
  return manifest.version;
}
