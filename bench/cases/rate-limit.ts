import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { rowFromItem, type ItemRow } from '../../store/items/item-row.ts';
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

/** Never refused, but counted as the defaults are: a key's share is a quarter of what comes back in a second. */
const variants = {
  off: { RATE_LIMITS: 'off' },
  shares: { RATE_LIMIT_KEY_PER_SECOND: '100', RATE_LIMIT_KEY_BURST: '1000000' },
  // So slow that no share is taken: each call asks the database.
  each: { RATE_LIMIT_KEY_PER_SECOND: '1', RATE_LIMIT_KEY_BURST: '1000000' },
} as const;
type Variant = keyof typeof variants;
const names = ['off', 'shares', 'each'] as const;
/** What is compared differs by a few hundredths, so the variants take turns often. */
const turnsEach = 4;

/**
 * The cheapest PUT (nothing changes) on 8 keys, with limits and without, and for comparison with a round trip for each call.
 * All three run from the beginning and are measured in short turns, so that noise and warming up hit them alike.
 * Goal: limits cost less than a tenth of it.
 */
export async function measureRateLimit(servers: BenchServers, plan: PutPlan): Promise<BenchCase[]> {
  const results: Record<Variant, LoadResult[]> = { off: [], shares: [], each: [] };
  const targets: Target[] = [];
  try {
    for (const variant of names) targets.push(await startTarget(servers, variant));
    for (const target of targets) await measureTurn(target, { ...plan, durationMs: plan.durationMs / 2 });
    for (let turn = 0; turn < plan.rounds * turnsEach; turn += 1) {
      for (const target of targets)
        results[target.variant].push(await measureTurn(target, { ...plan, warmUpPushes: 64 }));
      // Whoever comes after another finds the database still busy with it, so that place goes round too.
      if (turn % 2 === 1) targets.reverse();
      targets.push(...targets.splice(0, 1));
    }
  } finally {
    for (const { product } of targets) await product.discard();
  }
  return [
    ...casesOf('PUT unchanged, limited', results.shares, results.off),
    ...casesOf('PUT unchanged, limited by a round trip each', results.each, results.off),
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

interface Target {
  readonly variant: Variant;
  readonly product: Product;
  readonly accounts: readonly ApiAccount[];
  /** Of processes that spend CPU on it. */
  readonly pids: { readonly api: number; readonly mongod: number };
}

async function startTarget(servers: BenchServers, variant: Variant): Promise<Target> {
  const product = await startProduct(servers, { withWorker: false, settings: variants[variant] });
  const accounts: ApiAccount[] = [];
  for (let key = 0; key < keys; key += 1) accounts.push(await accountWithItems(product));
  return { variant, product, accounts, pids: { api: pidOf(product.api), mongod: pidOf(servers.mongod) } };
}

async function measureTurn({ product, accounts, pids }: Target, plan: PutPlan): Promise<LoadResult> {
  const counts = Array.from({ length: connections }, () => 0);
  return measurePuts({
    origin: product.apiUrl,
    headers: {},
    connections,
    pids,
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
}

async function accountWithItems(product: Product): Promise<ApiAccount> {
  const account = await setUpAccount(product.foundation);
  const externalIds = Array.from(
    { length: connections * itemsEach },
    (_, n) => `known-${n % connections}-${Math.floor(n / connections)}`,
  );
  const rows = externalIds.map((name) => rowFromItem(settledItem(account.id, name)));
  await product.foundation.store.connection.collection<ItemRow>('items').insertMany(rows);
  return account;
}
