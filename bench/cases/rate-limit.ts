import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { itemBody, startPrice, storeItems } from '../support/catalogue.ts';
import { measurePuts, type LoadResult } from '../support/load.ts';
import { startProduct, type Product } from '../support/product.ts';
import { roundCases, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import type { PutPlan } from './put.ts';

const connections = 32;
const keys = 8;
const itemsEach = 20;

/** Never refused, but counted as the defaults are: a key's share is a quarter of what comes back in a second. */
const variants = {
  off: { RATE_LIMITS: 'off' },
  shares: { RATE_LIMIT_KEY_PER_SECOND: '100', RATE_LIMIT_KEY_BURST: '1000000' },
} as const;
/** What is compared differs by a few hundredths, so the variants take turns often. */
const turnsEach = 4;

/**
 * The cheapest PUT (nothing changes) on 8 keys, with limits and without. Both run from the beginning and are measured in short turns, so
 * that noise and warming up hit them alike.
 */
export async function measureRateLimit(servers: BenchServers, plan: PutPlan): Promise<BenchCase[]> {
  await using off = await startProduct(servers, { withWorker: false, settings: variants.off });
  await using shares = await startProduct(servers, { withWorker: false, settings: variants.shares });
  const [own, floor]: [LoadResult[], LoadResult[]] = [[], []];
  const targets: Target[] = [
    { product: off, accounts: await accountsWithItems(off), results: floor },
    { product: shares, accounts: await accountsWithItems(shares), results: own },
  ];
  for (const target of targets) await measureTurn(target, { ...plan, durationMs: plan.durationMs / 2 });
  for (let turn = 0; turn < plan.rounds * turnsEach; turn += 1) {
    for (const target of targets) target.results.push(await measureTurn(target, { ...plan, warmUpPushes: 64 }));
    // The one that comes second finds the database still busy with the other.
    targets.reverse();
  }
  return roundCases('PUT unchanged, limited (beside no limits)', { own, floor }, { rate: { goal: 0.9 } });
}

interface Target {
  readonly product: Product;
  readonly accounts: readonly ApiAccount[];
  readonly results: LoadResult[];
}

async function measureTurn({ product, accounts }: Target, plan: PutPlan): Promise<LoadResult> {
  const counts = Array.from({ length: connections }, () => 0);
  return measurePuts({
    ...{ origin: product.apiUrl, headers: {}, connections, pids: product.pids() },
    ...{ warmUpPushes: plan.warmUpPushes, durationMs: plan.durationMs },
    next: (connection) => {
      const count = (counts[connection] = (counts[connection] ?? 0) + 1);
      return {
        path: `/integration/v1/items/${nameOf(connection, count * connections)}`,
        body: JSON.stringify(itemBody(startPrice)),
        expected: 'Item updated (unchanged)',
        headers: accounts[connection % keys]?.headers ?? {},
      };
    },
  });
}

async function accountsWithItems({ foundation }: Product): Promise<ApiAccount[]> {
  const names = Array.from({ length: connections * itemsEach }, (_, n) => nameOf(n % connections, n));
  const accounts: ApiAccount[] = [];
  while (accounts.length < keys) {
    const account = await setUpAccount(foundation);
    await storeItems(foundation.store, account.id, { names, as: 'settled' });
    accounts.push(account);
  }
  return accounts;
}

/** Each connection has the same few items again and again. */
const nameOf = (connection: number, n: number): string =>
  `known-${connection}-${Math.floor(n / connections) % itemsEach}`;
