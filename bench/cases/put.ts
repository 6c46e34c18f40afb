import { randomBytes } from 'node:crypto';
import { setUpAccount } from '../../test/support/set-up-account.ts';
import { itemBody, paddingBytes, startPrice, storeItems } from '../support/catalogue.ts';
import { untilQuiet, type Pids } from '../support/cpu.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { measurePuts, putAll, type LoadOptions, type LoadResult, type Push } from '../support/load.ts';
import { startProduct } from '../support/product.ts';
import { middle, roundCases, toCase, type BenchCase } from '../support/result.ts';
import { pidOf, serverPids, type BenchServers } from '../support/servers.ts';

export interface PutPlan {
  readonly rounds: number;
  /** Before the first case of a process; what the later ones share with it is compiled by then, so a third is enough for them. */
  readonly warmUpPushes: number;
  readonly durationMs: number;
}

const connections = 32;
/** Items that each connection pushes again and again; no other connection touches them. */
const itemsEach = 20;
const writes = ['unchanged', 'new', 'changed'] as const;
type Write = (typeof writes)[number];
type Round = Readonly<Record<Write, LoadResult>>;

/** Goals of the comparison with the bare route; an unchanged push writes nothing, so it has to be faster. */
const goals: Readonly<Record<Write, number>> = { unchanged: 1, new: 0.8, changed: 0.9 };

/**
 * PUT over HTTP with kept connections, beside a bare Express route on the same MongoDB. The bare route, the API alone and the API beside
 * a working worker take turns, so that noise hits all.
 */
export async function measurePut(servers: BenchServers, plan: PutPlan): Promise<BenchCase[]> {
  const [floor, alone, withWorker]: [Round[], Round[], Round[]] = [[], [], []];
  for (let round = 0; round < plan.rounds; round += 1) {
    floor.push(await floorRound(servers, plan));
    alone.push(await productRound(servers, plan, { withWorker: false }));
    withWorker.push(await productRound(servers, plan, { withWorker: true }));
  }
  return writes.flatMap((write) => {
    const of = (rounds: readonly Round[]): LoadResult[] => rounds.map((round) => round[write]);
    const both = (read: (result: LoadResult) => number) => ({
      value: middle(of(withWorker), read),
      floor: middle(of(floor), read),
      unit: 'ms' as const,
    });
    const name = `PUT ${write}`;
    const wanted = { rate: { goal: goals[write] } };
    return [
      ...roundCases(name, { own: of(withWorker), floor: of(floor) }, wanted),
      toCase({ name: `${name}, p50`, ...both(({ p50Ms }) => p50Ms) }),
      toCase({ name: `${name}, p99`, ...both(({ p99Ms }) => p99Ms) }),
      ...roundCases(`${name}, worker stopped`, { own: of(alone), floor: of(floor), parts: false }, wanted),
    ];
  });
}

/** What is pushed to, and the processes whose CPU time counts. */
export interface PutTarget {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pids: Pids;
}

/** The bare route on a database of its own. */
export async function startBareExpress(servers: BenchServers): Promise<PutTarget & AsyncDisposable> {
  const database = `floor${randomBytes(5).toString('hex')}`;
  const bare = await ForkedProcess.start<{ url: string }>('bare-express', {
    NODE_ENV: 'production',
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: database,
    BENCH_PADDING_BYTES: String(paddingBytes()),
  });
  return {
    origin: bare.ready.url,
    headers: { 'content-type': 'application/json' },
    pids: { api: bare.pid, mongod: pidOf(servers.mongod) },
    [Symbol.asyncDispose]: async () => {
      await bare[Symbol.asyncDispose]();
      await servers.mongo.db(database).dropDatabase();
    },
  };
}

async function floorRound(servers: BenchServers, plan: PutPlan): Promise<Round> {
  await using bare = await startBareExpress(servers);
  const known = knownIds.map((id) => push(`/items/${id}`, startPrice));
  await putAll({ ...bare, connections }, known);
  await untilQuiet(serverPids(servers));
  return await measureAll(bare, plan, (id, price) => push(`/items/${id}`, price));
}

async function productRound(servers: BenchServers, plan: PutPlan, wish: { withWorker: boolean }): Promise<Round> {
  await using product = await startProduct(servers, wish);
  const account = await setUpAccount(product.foundation);
  await storeItems(product.foundation.store, account.id, { names: knownIds, as: 'settled' });
  const target = { origin: product.apiUrl, headers: account.headers, pids: product.pids() };
  await untilQuiet(target.pids);
  return await measureAll(target, plan, (id, price, write) =>
    push(`/integration/v1/items/${id}`, price, answers[write]),
  );
}

/** What the product's answer must say, as a proof that the case is the one that its name promises. */
const answers: Readonly<Record<Write, string>> = {
  unchanged: 'Item updated (unchanged)',
  new: 'Item created',
  changed: 'Item updated"',
};

const push = (path: string, price: number, expected?: string): Push => ({
  path,
  body: JSON.stringify(itemBody(price)),
  ...(expected !== undefined && { expected }),
});

const knownIds = Array.from({ length: connections * itemsEach }, (_, index) => `known-${index}`);

/** Unchanged first: it leaves no work behind that would be done during the next one. */
async function measureAll(
  target: PutTarget,
  { warmUpPushes, durationMs }: PutPlan,
  make: (id: string, price: number, write: Write) => Push,
): Promise<Round> {
  const counts = Array.from({ length: connections }, () => 0);
  const measure = (write: Write, priceAt: (count: number) => number): Promise<LoadResult> =>
    measurePuts({
      ...target,
      connections,
      durationMs,
      warmUpPushes: write === 'unchanged' ? warmUpPushes : Math.round(warmUpPushes / 3),
      next: (connection) => {
        const count = (counts[connection] ?? 0) + 1;
        counts[connection] = count;
        const known = `known-${connection * itemsEach + (count % itemsEach)}`;
        return make(write === 'new' ? `new-${connection}-${count}` : known, priceAt(count), write);
      },
    } satisfies LoadOptions);
  return {
    unchanged: await measure('unchanged', () => startPrice),
    new: await measure('new', () => startPrice),
    // Never the price that the item has now.
    changed: await measure('changed', (count) => startPrice + count),
  };
}
