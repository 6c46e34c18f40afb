import { performance } from 'node:perf_hooks';
import { accountId } from '../../features/rules/ids.ts';
import { rowFromItem } from '../../features/items/store/item-row.ts';
import { setUpReseller, type ApiReseller } from '../../test/support/set-up-reseller.ts';
import { bareCollection, timedChunks } from '../support/bare-collection.ts';
import { sendFile, untilApplied, uploadFile, type BulkFile } from '../support/bulk-file.ts';
import { createdItem } from '../support/catalogue.ts';
import { untilQuiet } from '../support/cpu.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { untilAllSettled } from '../support/observe-product.ts';
import { startProduct, type Product } from '../support/product.ts';
import { toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';

export interface BulkPlan {
  readonly lines: number;
  readonly members: number;
}

const warmUpLines = 1_000;

/** Accepting, applying and processing a file of a reseller's members, then the same file again, in which nothing has changed. */
export async function measureBulk(servers: BenchServers, { lines, members }: BulkPlan): Promise<BenchCase[]> {
  await using product = await startProduct(servers, { withWorker: true });
  const reseller = await setUpReseller(product.foundation, members);
  const file: BulkFile = { lines, members: reseller.members, prefix: 'art' };
  // The processes are fresh: without it the first file would pay for compiling their code.
  await runBulkFile(product, reseller, { ...file, lines: warmUpLines, prefix: 'warm' });
  await untilQuiet(product.pids());
  const [streamMs, writeMs] = [await streamBare(file), await writeBare(product, file)];
  const startedAt = performance.now();
  const first = await runBulkFile(product, reseller, file);
  if (first.created !== lines) throw new Error(`${first.created} of ${lines} lines have made an item`);
  await untilAllSettled(product, { accountId: reseller.members[0]?.id ?? '', externalId: 'art-0' });
  const processedMs = performance.now() - startedAt - first.uploadMs;
  const second = await runBulkFile(product, reseller, file);
  if (second.unchanged !== lines) throw new Error(`${second.unchanged} of ${lines} lines were unchanged`);
  const rate = (ms: number): number => (lines * 1_000) / ms;
  const row = (what: string, ms: number, beside: { floor?: number; target?: number } = {}): BenchCase =>
    toCase({
      ...beside,
      name: `bulk sync of ${lines.toLocaleString('en')} lines, ${what}`,
      value: rate(ms),
      unit: '1/s',
    });
  return [
    row('accepted (beside a bare stream)', first.uploadMs, { floor: rate(streamMs) }),
    row('applied (beside bulkWrite upserts)', first.applyMs, { floor: rate(writeMs), target: 1_500 }),
    row('processed', processedMs),
    row('applied again unchanged (beside the first time)', second.applyMs, {
      floor: rate(first.applyMs),
      target: 5_000,
    }),
  ];
}

/** Time that a bare server takes to read the same stream. */
async function streamBare(file: BulkFile): Promise<number> {
  await using bare = await ForkedProcess.start<{ url: string }>('bare-stream', {});
  return (await sendFile(bare.ready.url, file)).ms;
}

/** As many lines together, and as many of these pieces under way, as bulk syncs have. */
const [chunkLines, atOnce] = [200, 4];

/** Time that upserts of the same documents take, into a collection with the same indexes, journaled by a majority. */
async function writeBare({ foundation }: Product, { lines, members }: BulkFile): Promise<number> {
  const bare = await bareCollection(foundation.store);
  const ids = members.map(({ id }) => accountId(id));
  const rows = Array.from({ length: lines }, (_, n) =>
    rowFromItem(createdItem(ids[n % ids.length] ?? accountId(''), `art-${Math.floor(n / ids.length)}`)),
  );
  const starts = Array.from({ length: Math.ceil(lines / chunkLines) }, (_, chunk) => chunk * chunkLines);
  const chunks = starts.map((from) => bare.upsert(rows.slice(from, from + chunkLines)));
  const ms = await timedChunks(chunks, atOnce);
  await bare.drop();
  return ms;
}

/** Sends the file and waits until each line is applied. */
export async function runBulkFile(product: Product, reseller: ApiReseller, file: BulkFile) {
  const sent = await uploadFile(product, reseller, file);
  const { ms: applyMs, ...counts } = await untilApplied(product, sent.id);
  return { uploadMs: sent.ms, applyMs, ...counts };
}
