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

/** What is compared differs by a few hundredths, so the variants take turns often. */
const turnsEach = 4;

/** Limits that never refuse, but count as the defaults do. */
export const measureRateLimit = (servers: BenchServers, plan: PutPlan): Promise<BenchCase[]> =>
  compare(servers, plan, {
    name: 'PUT unchanged, limited (beside no limits)',
    goal: 0.9,
    on: { RATE_LIMIT_KEY_PER_SECOND: '100', RATE_LIMIT_KEY_BURST: '1000000' },
    off: { RATE_LIMITS: 'off' },
  });

/** The log of each account's calls; without limits, which would refuse most of them. */
export const measureRequestLog = (servers: BenchServers, plan: PutPlan): Promise<BenchCase[]> =>
  compare(servers, plan, {
    name: 'PUT unchanged, with the log of calls (beside none)',
    goal: 0.95,
    on: { RATE_LIMITS: 'off', REQUEST_LOG: 'on' },
    off: { RATE_LIMITS: 'off', REQUEST_LOG: 'off' },
    prove: async ({ foundation: { store } }) => {
      const logged = await store.connection.collection('request_log').countDocuments();
      if (logged === 0) throw new Error('nothing was logged, so nothing was compared');
    },
  });

interface Comparison {
  readonly name: string;
  readonly goal: number;
  /** Settings of the API. */
  readonly on: Readonly<Record<string, string>>;
  readonly off: Readonly<Record<string, string>>;
  /** Throws when what is switched on did nothing. */
  readonly prove?: (on: Product) => Promise<void>;
}

/**
 * The cheapest PUT (nothing changes) on 8 keys, with something switched on and off. Both run from the beginning and are measured in short
 * turns, so that noise and warming up hit them alike.
 */
async function compare(servers: BenchServers, plan: PutPlan, wish: Comparison): Promise<BenchCase[]> {
  await using off = await startProduct(servers, { withWorker: false, settings: wish.off });
  await using on = await startProduct(servers, { withWorker: false, settings: wish.on });
  const [own, floor]: [LoadResult[], LoadResult[]] = [[], []];
  const targets: Target[] = [
    { product: off, accounts: await accountsWithItems(off), results: floor },
    { product: on, accounts: await accountsWithItems(on), results: own },
  ];
  for (const target of targets) await measureTurn(target, { ...plan, durationMs: plan.durationMs / 2 });
  for (let turn = 0; turn < plan.rounds * turnsEach; turn += 1) {
    for (const target of targets) target.results.push(await measureTurn(target, { ...plan, warmUpPushes: 64 }));
    // The one that comes second finds the database still busy with the other.
    targets.reverse();
  }
  await wish.prove?.(on);
  return roundCases(wish.name, { own, floor }, { rate: { goal: wish.goal } });
}

interface Target {
  readonly product: Product;
  readonly accounts: readonly ApiAccount[];
  readonly results: LoadResult[];
}

async function measureTurn({ product, accounts }: Target, plan: PutPlan): Promise<LoadResult> {
  const counts = Array.from({ length: connections }, () => 0);
  return measurePuts({
    origin: product.apiUrl,
    headers: {},
    connections,
    pids: product.pids(),
    warmUpPushes: plan.warmUpPushes,
    durationMs: plan.durationMs,
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
