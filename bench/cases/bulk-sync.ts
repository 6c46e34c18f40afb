import { performance } from 'node:perf_hooks';
import { until } from '../../test/support/until.ts';
import { setUpReseller, type ApiReseller } from '../../test/support/set-up-reseller.ts';
import { sendFile, untilApplied, uploadFile, type BulkFile } from '../support/bulk-file.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { peakMemoryMb } from '../support/peak-memory.ts';
import { pidOf } from '../support/pid-of.ts';
import { startProduct, type Product } from '../support/product.ts';
import { toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { measureBesideBulkWrite, type EnginePlan } from './bulk-engine.ts';

export interface BulkPlan {
  readonly lines: number;
  readonly members: number;
  /** Lines of the smaller file whose items are waited for: a workflow takes 20 to 28 ms of CPU time each. */
  readonly settledLines: number;
  readonly engine: EnginePlan;
}

/** Accepting, applying and processing a file of a reseller's members, each beside what it can be compared with. */
export async function measureBulk(servers: BenchServers, plan: BulkPlan): Promise<BenchCase[]> {
  return [
    ...(await measureFile(servers, plan)),
    ...(await measureBesideBulkWrite(servers, plan.engine)),
    ...(await measureProcessing(servers, plan)),
  ];
}

/** The same file twice: the second time nothing has changed. */
async function measureFile(servers: BenchServers, { lines, members }: BulkPlan): Promise<BenchCase[]> {
  const product = await startProduct(servers, { withWorker: true });
  try {
    const reseller = await setUpReseller(product.foundation, members);
    const file: BulkFile = { lines, members: reseller.members, prefix: 'art' };
    const floor = await streamBare(file);
    const first = await runFile(product, reseller, file);
    if (first.created !== lines) throw new Error(`${first.created} of ${lines} lines have made an item`);
    await forgetWork(product);
    const second = await runFile(product, reseller, file);
    if (second.unchanged !== lines) throw new Error(`${second.unchanged} of ${lines} lines were unchanged`);
    const perSecond = (ms: number): number => (lines * 1000) / ms;
    const name = `bulk sync of ${lines.toLocaleString('en')} lines`;
    return [
      toCase({ name: `${name}, accepted`, value: perSecond(first.uploadMs), unit: '1/s', floor: perSecond(floor) }),
      toCase({ name: `${name}, applied`, value: perSecond(first.applyMs), unit: '1/s' }),
      toCase({
        name: `${name}, applied again unchanged (beside the first time)`,
        ...{ value: perSecond(second.applyMs), unit: '1/s', floor: perSecond(first.applyMs) },
      }),
      toCase({
        name: `${name}, time of the second run (beside the first)`,
        ...{ value: second.uploadMs + second.applyMs, unit: 'ms', floor: first.uploadMs + first.applyMs },
      }),
      toCase({ name: `${name}, peak memory of the API`, value: peakMemoryMb(pidOf(product.api)), unit: 'MB' }),
      toCase({ name: `${name}, peak memory of the worker`, value: peakMemoryMb(pidOf(product.worker)), unit: 'MB' }),
    ];
  } finally {
    await product.discard();
  }
}

/** Time that a bare server takes to read the same stream. */
async function streamBare(file: BulkFile): Promise<number> {
  const bare = await ForkedProcess.start<{ url: string }>('bare-stream', {});
  try {
    return (await sendFile(bare.ready.url, file)).ms;
  } finally {
    await bare.stop();
  }
}

async function runFile(product: Product, reseller: ApiReseller, file: BulkFile) {
  const sent = await uploadFile(product, reseller, file);
  const { ms: applyMs, ...counts } = await untilApplied(product, sent.id);
  return { uploadMs: sent.ms, applyMs, ...counts };
}

/** What the items still owe would take the better part of an hour; the second run is measured without it. */
const forgetWork = ({ foundation }: Product): Promise<unknown> =>
  foundation.store.connection.collection('items').updateMany({ 'due.by': 'backlog' }, { $set: { due: null } });

/** From acceptance until every item is settled: events stored, nothing owed any more. */
async function measureProcessing(servers: BenchServers, { settledLines, members }: BulkPlan): Promise<BenchCase[]> {
  const product = await startProduct(servers, { withWorker: true });
  try {
    const reseller = await setUpReseller(product.foundation, Math.min(members, 20));
    const { id } = await uploadFile(product, reseller, {
      lines: settledLines,
      members: reseller.members,
      prefix: 'own',
    });
    const startedAt = performance.now();
    await untilApplied(product, id);
    const items = product.foundation.store.connection.collection('items');
    const settled = { $expr: { $eq: ['$revision', '$settledRevision'] } };
    const isDone = async (): Promise<boolean> => (await items.countDocuments(settled)) >= settledLines;
    await until('every item is settled', isDone, 20 * 60_000);
    const value = (settledLines * 1000) / (performance.now() - startedAt);
    return [toCase({ name: `bulk sync of ${settledLines.toLocaleString('en')} lines, processed`, value, unit: '1/s' })];
  } finally {
    await product.discard();
  }
}
