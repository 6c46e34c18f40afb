import { setTimeout as pause } from 'node:timers/promises';
import { setUpAccount } from '../../test/support/set-up-account.ts';
import { setUpReseller } from '../../test/support/set-up-reseller.ts';
import { uploadFile } from '../support/bulk-file.ts';
import { itemBody, startPrice } from '../support/catalogue.ts';
import { untilQuiet } from '../support/cpu.ts';
import { measurePuts } from '../support/load.ts';
import { memoryMb, resetPeaks } from '../support/peak-memory.ts';
import { startProduct, type Product } from '../support/product.ts';
import { toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';

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
  return [...(await underLoad(servers, plan)), ...(await duringBulkSync(servers, plan))];
}

function memoryCases(product: Product, when: string, field: 'VmRSS' | 'VmHWM'): BenchCase[] {
  return Object.entries(memoryMb(product, field)).map(([name, value]) =>
    toCase({ name: `memory of the ${name}, ${when}`, value, unit: 'MB' }),
  );
}

async function underLoad(servers: BenchServers, { restSeconds, loadSeconds }: MemoryPlan): Promise<BenchCase[]> {
  await using product = await startProduct(servers, { withWorker: true });
  await untilQuiet(product.pids());
  await pause(restSeconds * 1_000);
  const atRest = memoryCases(product, 'at rest', 'VmRSS');
  const { headers } = await setUpAccount(product.foundation);
  resetPeaks(product);
  let pushed = 0;
  await measurePuts({
    origin: product.apiUrl,
    headers,
    connections,
    warmUpPushes,
    durationMs: loadSeconds * 1_000,
    pids: {},
    next: () => {
      pushed += 1;
      return { path: `/integration/v1/items/load-${pushed}`, body: JSON.stringify(itemBody(startPrice)) };
    },
  });
  return [...atRest, ...memoryCases(product, 'peak at full load', 'VmHWM')];
}

async function duringBulkSync(servers: BenchServers, { lines, applySeconds }: MemoryPlan): Promise<BenchCase[]> {
  await using product = await startProduct(servers, { withWorker: true });
  const reseller = await setUpReseller(product.foundation, 20);
  await untilQuiet(product.pids());
  resetPeaks(product);
  const { id, ms } = await uploadFile(product, reseller, { lines, members: reseller.members, prefix: 'mass' });
  const name = `a bulk sync of ${lines.toLocaleString('en')} lines`;
  const accepted = toCase({ name: `${name}, accepted`, value: (lines * 1_000) / ms, unit: '1/s' });
  const applied = await applyFor(product, id, applySeconds);
  console.error(`· memory: ${applied} of ${lines} lines were applied in ${applySeconds} s at most`);
  return [accepted, ...memoryCases(product, `peak during ${name}`, 'VmHWM')];
}

/** Waits until all lines are applied, or the time is over; how many have made an item. */
async function applyFor({ foundation }: Product, id: string, seconds: number): Promise<number> {
  const bulks = foundation.store.connection.collection<{ _id: string; state: string }>('bulk_syncs');
  const deadline = performance.now() + seconds * 1_000;
  while (performance.now() < deadline && (await bulks.findOne({ _id: id }))?.state !== 'completed') await pause(1_000);
  return foundation.store.connection.collection('items').estimatedDocumentCount();
}
