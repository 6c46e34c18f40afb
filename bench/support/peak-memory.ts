import { readFileSync, writeFileSync } from 'node:fs';
import type { Product } from './product.ts';
import { pidOf } from './servers.ts';

const pidsOf = ({ api, worker }: Product) => ({ api: pidOf(api), worker: pidOf(worker) });

/**
 * The memory that API and worker have resident, in MB: now (`VmRSS`), or at most since their start or {@link resetPeaks} (`VmHWM`).
 * Needs /proc (Linux).
 */
export function memoryMb(product: Product, field: 'VmRSS' | 'VmHWM'): Readonly<Record<'api' | 'worker', number>> {
  const { api, worker } = pidsOf(product);
  return { api: readMb(api, field), worker: readMb(worker, field) };
}

/** From now on the peaks are counted anew. */
export function resetPeaks(product: Product): void {
  for (const pid of Object.values(pidsOf(product))) writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function readMb(pid: number, field: string): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory`);
  return Number(kilobytes) / 1_024;
}
