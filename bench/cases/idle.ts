import { setTimeout as pause } from 'node:timers/promises';
import { spend, untilQuiet, type CpuTimes } from '../support/cpu.ts';
import { countCommands } from '../support/count-work.ts';
import { startProduct, type Product } from '../support/product.ts';
import { toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';

export interface IdlePlan {
  /** After its start, before anything counts. */
  readonly restSeconds: number;
  readonly seconds: number;
}

interface Rest {
  readonly commandsPerSecond: number;
  /** Of a second. */
  readonly cpuMsOf: CpuTimes;
}

/** What a worker without work takes, of its own core and of the servers': with it, less what they take once it has gone. */
export async function measureIdle(servers: BenchServers, plan: IdlePlan): Promise<BenchCase[]> {
  await using product = await startProduct(servers, { withWorker: true });
  const withWorker = await rest(servers, product, plan);
  await product.worker.stop();
  const without = await rest(servers, product, plan);
  const extra = (name: string): number => (withWorker.cpuMsOf[name] ?? 0) - (without.cpuMsOf[name] ?? 0);
  const share = (ms: number): number => Math.max(0, ms / 10);
  const commands = withWorker.commandsPerSecond - without.commandsPerSecond;
  const [own, mongod, temporal] = [withWorker.cpuMsOf['worker'] ?? 0, extra('mongod'), extra('temporal')];
  return [
    toCase({ name: 'an idle worker', value: share(own), unit: '% of a core', target: 1 }),
    toCase({ name: 'an idle worker, mongod for it', value: share(mongod), unit: '% of a core' }),
    toCase({ name: 'an idle worker, Temporal for it', value: share(temporal), unit: '% of a core' }),
    toCase({ name: 'an idle worker, commands of mongod', value: commands, unit: 'commands/s', target: 8 }),
  ];
}

async function rest(servers: BenchServers, product: Product, { restSeconds, seconds }: IdlePlan): Promise<Rest> {
  await pause(restSeconds * 1_000);
  await untilQuiet(product.pids());
  const before = await countCommands(servers.mongo);
  const { cpuMsOf } = await spend(product.pids(), () => pause(seconds * 1_000));
  const perSecond = Object.entries(cpuMsOf).map(([name, ms]) => [name, ms / seconds] as const);
  return {
    commandsPerSecond: ((await countCommands(servers.mongo)) - before) / seconds,
    cpuMsOf: Object.fromEntries(perSecond),
  };
}
