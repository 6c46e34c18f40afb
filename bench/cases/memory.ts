import { setTimeout as pause } from 'node:timers/promises';
import { setUpAccount } from '../../test/support/set-up-account.ts';
import { setUpReseller } from '../../test/support/set-up-reseller.ts';
import { uploadFile } from '../support/bulk-file.ts';
import { itemBody, startPrice } from '../support/catalogue.ts';
import { measurePuts } from '../support/load.ts';
import { memoryMb, peakMemoryMb, resetPeakMemory } from '../support/peak-memory.ts';
import { pidOf } from '../support/pid-of.ts';
import { startProduct, type Product } from '../support/product.ts';
import { toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { untilQuiet } from '../support/until-idle.ts';

export interface MemoryPlan {
  readonly restSeconds: number;
  readonly loadSeconds: number;
  readonly lines: number;
  /** Lines are applied for so long at most: how many there still are makes no difference to what is held of them. */
  readonly applySeconds: number;
}

const connections = 32;
const warmUpPushes = 300;

/**
 * What API and worker hold: at rest, while 32 connections push new items that the worker works on, and while a file of a million lines
 * is taken and applied. Each in fresh processes. Of the peaks the most that was ever resident, which is what a container needs.
 */
export async function measureMemory(servers: BenchServers, plan: MemoryPlan): Promise<BenchCase[]> {
  return [
    ...(await inFreshProcesses(servers, (product) => underLoad(product, plan))),
    ...(await inFreshProcesses(servers, (product) => duringBulkSync(product, plan))),
  ];
}

async function inFreshProcesses(
  servers: BenchServers,
  measure: (product: Product) => Promise<BenchCase[]>,
): Promise<BenchCase[]> {
  const product = await startProduct(servers, { withWorker: true });
  try {
    return await measure(product);
  } finally {
    await product.discard();
  }
}

const pidsOf = ({ api, worker }: Product) => ({ API: pidOf(api), worker: pidOf(worker) });

function memoryCases(product: Product, when: string, read: (pid: number) => number): BenchCase[] {
  return Object.entries(pidsOf(product)).map(([name, pid]) =>
    toCase({ name: `memory of the ${name}, ${when}`, value: read(pid), unit: 'MB' }),
  );
}

function resetPeaks(product: Product): void {
  for (const pid of Object.values(pidsOf(product))) resetPeakMemory(pid);
}

async function underLoad(product: Product, { restSeconds, loadSeconds }: MemoryPlan): Promise<BenchCase[]> {
  await untilQuiet(pidsOf(product));
  await pause(restSeconds * 1_000);
  const atRest = memoryCases(product, 'at rest', memoryMb);
  const { headers } = await setUpAccount(product.foundation);
  resetPeaks(product);
  let pushed = 0;
  await measurePuts({
    ...{ origin: product.apiUrl, headers, connections, warmUpPushes, durationMs: loadSeconds * 1_000, pids: {} },
    next: () => {
      pushed += 1;
      return { path: `/integration/v1/items/load-${pushed}`, body: JSON.stringify(itemBody(startPrice)) };
    },
  });
  return [...atRest, ...memoryCases(product, 'peak at full load', peakMemoryMb)];
}

async function duringBulkSync(product: Product, { lines, applySeconds }: MemoryPlan): Promise<BenchCase[]> {
  const reseller = await setUpReseller(product.foundation, 20);
  await untilQuiet(pidsOf(product));
  resetPeaks(product);
  const { id, ms } = await uploadFile(product, reseller, { lines, members: reseller.members, prefix: 'mass' });
  const name = `a bulk sync of ${lines.toLocaleString('en')} lines`;
  const accepted = toCase({ name: `${name}, accepted`, value: (lines * 1_000) / ms, unit: '1/s' });
  const applied = await applyFor(product, id, applySeconds);
  console.error(`· memory: ${applied} of ${lines} lines were applied in ${applySeconds} s at most`);
  return [accepted, ...memoryCases(product, `peak during ${name}`, peakMemoryMb)];
}

/** Waits until all lines are applied, or the time is over; how many have made an item. */
async function applyFor({ foundation }: Product, id: string, seconds: number): Promise<number> {
  const bulks = foundation.store.connection.collection<{ _id: string; state: string }>('bulk_syncs');
  const deadline = performance.now() + seconds * 1_000;
  while (performance.now() < deadline && (await bulks.findOne({ _id: id }))?.state !== 'completed') await pause(1_000);
  return foundation.store.connection.collection('items').estimatedDocumentCount();
}
