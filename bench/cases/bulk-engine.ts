import { randomUUID } from 'node:crypto';
import { accountId, bulkSyncId, itemId, type AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { readItemRequest } from '../../schemas/items/read-item-request.ts';
import { createItemLineStore } from '../../store/items/item-lines.ts';
import { rowFromItem } from '../../store/items/item-row.ts';
import { applyLines } from '../../usecases/items/apply-lines.ts';
import { createKeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';
import { bareCollection, timedChunks } from '../support/bare-bulk-write.ts';
import { createdItem, itemBody, startPrice } from '../support/catalogue.ts';
import { startProduct, type Product } from '../support/product.ts';
import { toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { median } from '../support/statistics.ts';

export interface EnginePlan {
  readonly rounds: number;
  readonly lines: number;
}

/** As bulk syncs have them. */
const [chunkLines, atOnce] = [200, 4];

/**
 * New lines through the product's own engine, in this process, beside upserts of the same documents by bulkWrite into a collection
 * that has the same indexes. Both in chunks of 200, four at a time, journaled by a majority. They take turns, so that noise hits both.
 */
export async function measureBesideBulkWrite(
  servers: BenchServers,
  { rounds, lines }: EnginePlan,
): Promise<BenchCase[]> {
  const product = await startProduct(servers, { withWorker: false });
  try {
    const [own, bare]: [number[], number[]] = [[], []];
    // The first round of each is for warming up.
    for (let round = 0; round <= rounds; round += 1) {
      const [bareMs, ownMs] = [await writeBare(product, lines), await writeLines(product, lines)];
      if (round === 0) continue;
      bare.push((lines * 1000) / bareMs);
      own.push((lines * 1000) / ownMs);
    }
    const name = `${lines.toLocaleString('en')} new lines applied (beside bulkWrite upserts)`;
    return [toCase({ name, value: median(own), unit: '1/s', floor: median(bare), goal: 0.7 })];
  } finally {
    await product.discard();
  }
}

const chunksOf = (lines: number): number[] =>
  Array.from({ length: Math.ceil(lines / chunkLines) }, (_, chunk) => chunk);
const numbers = Array.from({ length: chunkLines }, (_, n) => n);

async function writeLines({ foundation }: Product, lines: number): Promise<number> {
  const dependencies = {
    lines: createItemLineStore(foundation.store),
    confirmCredential: () => Promise.resolve(),
    runExclusive: createKeyedMutex(),
    newItemId: () => itemId(randomUUID()),
    ring: () => undefined,
    now: () => new Date(),
  };
  const bulk = { bulkId: bulkSyncId(randomUUID()), chunk: 1, acceptedAt: new Date() };
  const chunks = chunksOf(lines).map(() => {
    const account: AccountId = accountId(randomUUID());
    const scope: Scope = { accountId: account, actingAccountId: account, credential: { kind: 'system' } };
    const requests = numbers.map((n) => ({
      line: n + 1,
      externalId: `line-${n}`,
      request: readItemRequest(itemBody(startPrice)),
    }));
    return async (): Promise<void> => {
      const results = await applyLines(dependencies, scope, { lines: requests, bulk });
      if (!results.every((result) => 'outcome' in result && result.outcome === 'created'))
        throw new Error('a line failed');
    };
  });
  return timedChunks(chunks, atOnce);
}

async function writeBare({ foundation }: Product, lines: number): Promise<number> {
  const bare = await bareCollection(foundation.store);
  const chunks = chunksOf(lines).map(() => {
    const account = accountId(randomUUID());
    return bare.upsert(numbers.map((n) => rowFromItem(createdItem(account, `line-${n}`))));
  });
  const ms = await timedChunks(chunks, atOnce);
  await bare.drop();
  return ms;
}
