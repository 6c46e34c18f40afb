import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { rowFromItem, type ItemRow } from '../../store/item-row.ts';
import { itemBody, settledItem, startPrice } from '../support/catalogue.ts';
import { sum } from '../support/cpu.ts';
import { measurePuts, type LoadResult } from '../support/load.ts';
import { pidOf } from '../support/pid-of.ts';
import { startProduct, type Product } from '../support/product.ts';
import { cpuParts, toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { median } from '../support/statistics.ts';
import type { PutPlan } from './put.ts';

const connections = 32;
const keys = 8;
const itemsEach = 20;

/** Never refused, but counted as the defaults are: a key's share is a tenth of what comes back in a second. */
const variants = {
  off: { RATE_LIMITS: 'off' },
  shares: { RATE_LIMIT_KEY_PER_SECOND: '100', RATE_LIMIT_KEY_BURST: '1000000' },
  // So slow that no share is taken: each call asks the database.
  each: { RATE_LIMIT_KEY_PER_SECOND: '1', RATE_LIMIT_KEY_BURST: '1000000' },
} as const;
type Variant = keyof typeof variants;

/**
 * The cheapest PUT (nothing changes) on 8 keys, with limits and without, and for comparison with a round trip for each call.
 * Goal: limits cost less than a tenth of it.
 */
export async function measureRateLimit(servers: BenchServers, plan: PutPlan): Promise<BenchCase[]> {
  const rounds: Record<Variant, LoadResult[]> = { off: [], shares: [], each: [] };
  for (let round = 0; round < plan.rounds; round += 1)
    for (const variant of ['off', 'shares', 'each'] as const)
      rounds[variant].push(await measureVariant(servers, plan, variant));
  return [
    ...casesOf('PUT unchanged, limited', rounds.shares, rounds.off),
    ...casesOf('PUT unchanged, limited by a round trip each', rounds.each, rounds.off),
  ];
}

function casesOf(name: string, own: readonly LoadResult[], off: readonly LoadResult[]): BenchCase[] {
  const both = (read: (result: LoadResult) => number) => ({
    value: median(own.map(read)),
    floor: median(off.map(read)),
  });
  const cpu = both(({ cpuMsEachOf }) => sum(cpuMsEachOf));
  return [
    toCase({ name, unit: '1/s', ...both(({ perSecond }) => perSecond), goal: 0.9 }),
    toCase({ name: `${name}, p50`, unit: 'ms', ...both(({ p50Ms }) => p50Ms) }),
    toCase({ name: `${name}, p99`, unit: 'ms', ...both(({ p99Ms }) => p99Ms) }),
    toCase({ name: `${name}, CPU each`, unit: 'ms', ...cpu }),
    // Its ratio is what the limit costs as a part of the PUT.
    toCase({
      name: `${name}: the limit alone, CPU each, beside the whole PUT's`,
      unit: 'ms',
      value: cpu.value - cpu.floor,
      floor: cpu.floor,
    }),
    ...cpuParts(`${name}, CPU each`, own, off),
  ];
}

async function measureVariant(servers: BenchServers, plan: PutPlan, variant: Variant): Promise<LoadResult> {
  const product = await startProduct(servers, { withWorker: false, settings: variants[variant] });
  try {
    const accounts: ApiAccount[] = [];
    for (let key = 0; key < keys; key += 1) accounts.push(await accountWithItems(product));
    const counts = Array.from({ length: connections }, () => 0);
    return await measurePuts({
      origin: product.apiUrl,
      headers: {},
      connections,
      pids: { api: pidOf(product.api), mongod: pidOf(servers.mongod) },
      warmUpPushes: plan.warmUpPushes,
      durationMs: plan.durationMs,
      next: (connection) => {
        const count = (counts[connection] = (counts[connection] ?? 0) + 1);
        return {
          path: `/integration/v1/items/known-${connection}-${count % itemsEach}`,
          body: JSON.stringify(itemBody(startPrice)),
          expected: 'Item updated (unchanged)',
          headers: accounts[connection % keys]?.headers ?? {},
        };
      },
    });
  } finally {
    await product.discard();
  }
}

async function accountWithItems(product: Product): Promise<ApiAccount> {
  const account = await setUpAccount(product.foundation);
  const names = Array.from(
    { length: connections * itemsEach },
    (_, n) => `known-${n % connections}-${Math.floor(n / connections)}`,
  );
  const rows = names.map((name) => rowFromItem(settledItem(account.id, name)));
  await product.foundation.store.connection.collection<ItemRow>('items').insertMany(rows);
  return account;
}
