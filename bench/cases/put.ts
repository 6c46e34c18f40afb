import { randomBytes } from 'node:crypto';
import { itemBody, paddingBytes, settledItem, startPrice } from '../support/catalogue.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { measurePuts, putAll, type LoadOptions, type LoadResult, type Push } from '../support/load.ts';
import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { startProduct, type Product } from '../support/product.ts';
import { pidOf } from '../support/pid-of.ts';
import { cpuParts, toCase, type BenchCase, type Measured } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { median } from '../support/statistics.ts';
import { untilQuiet } from '../support/until-idle.ts';
import { rowFromItem, type ItemRow } from '../../store/items/item-row.ts';

export interface PutPlan {
  readonly rounds: number;
  /** Before the first case of a process; what the later ones share with it is compiled by then, so a third is enough for them. */
  readonly warmUpPushes: number;
  readonly durationMs: number;
}

const connections = 32;
/** Items that each connection pushes again and again; nobody else touches them. */
const itemsEach = 20;
const writes = ['unchanged', 'new', 'changed'] as const;
type Write = (typeof writes)[number];
type Figure = 'perSecond' | 'p50Ms' | 'p99Ms';
type Round = Readonly<Record<Write, LoadResult>>;

/** Goals of the comparison with the bare route; an unchanged push writes nothing, so it has to be faster. */
const goals: Readonly<Record<Write, number>> = { unchanged: 1, new: 0.8, changed: 0.8 };

/**
 * PUT over HTTP with kept connections, beside a bare Express route on the same MongoDB. The bare route, the API alone (its
 * nudges reach Temporal, nobody works on them) and the API beside a working worker take turns, so that noise hits all.
 */
export async function measurePut(servers: BenchServers, plan: PutPlan): Promise<BenchCase[]> {
  const floor: Round[] = [];
  const alone: Round[] = [];
  const withWorker: Round[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    floor.push(await floorRound(servers, plan));
    alone.push(await productRound(servers, plan, { withWorker: false }));
    withWorker.push(await productRound(servers, plan, { withWorker: true }));
  }
  return writes.flatMap((write) => [
    ...casesOf(`PUT ${write}`, goals[write], { product: withWorker, floor, write }),
    ...casesOf(`PUT ${write}, worker stopped`, goals[write], { product: alone, floor, write }),
  ]);
}

function casesOf(
  name: string,
  goal: number,
  { product, floor, write }: { product: readonly Round[]; floor: readonly Round[]; write: Write },
): BenchCase[] {
  const [own, bare] = [product.map((round) => round[write]), floor.map((round) => round[write])];
  const measured = (key: Figure, suffix: string, unit: Measured['unit']): Measured => ({
    name: `${name}${suffix}`,
    value: median(own.map((round) => round[key])),
    unit,
    floor: median(bare.map((round) => round[key])),
  });
  return [
    toCase({ ...measured('perSecond', '', '1/s'), goal }),
    toCase(measured('p50Ms', ', p50', 'ms')),
    toCase(measured('p99Ms', ', p99', 'ms')),
    ...cpuParts(`${name}, CPU each`, own, bare),
  ];
}

async function floorRound(servers: BenchServers, plan: PutPlan): Promise<Round> {
  const database = `floor${randomBytes(5).toString('hex')}`;
  const bare = await ForkedProcess.start<{ url: string }>('bare-express', {
    NODE_ENV: 'production',
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: database,
    BENCH_PADDING_BYTES: String(paddingBytes()),
  });
  try {
    const target = {
      origin: bare.ready.url,
      headers: { 'content-type': 'application/json' },
      connections,
      pids: { api: bare.pid, mongod: pidOf(servers.mongod) },
    };
    await putAll(
      target,
      knownIds.map((id) => push(`/items/${id}`, startPrice)),
    );
    await untilQuiet(serverPids(servers));
    return await measureAll(target, plan, (id, price) => push(`/items/${id}`, price));
  } finally {
    await bare.stop();
    await servers.mongo.db(database).dropDatabase();
  }
}

async function productRound(
  servers: BenchServers,
  plan: PutPlan,
  { withWorker }: { withWorker: boolean },
): Promise<Round> {
  const product = await startProduct(servers, { withWorker });
  try {
    const account = await setUpAccount(product.foundation);
    await storeKnownItems(product, account);
    const pids = { api: pidOf(product.api), ...serverPids(servers) };
    await untilQuiet(pids);
    const target = {
      origin: product.apiUrl,
      headers: account.headers,
      connections,
      pids: withWorker ? { ...pids, worker: pidOf(product.worker) } : pids,
    };
    return await measureAll(target, plan, (id, price, write) =>
      push(`/integration/v1/items/${id}`, price, answers[write]),
    );
  } finally {
    await product.discard();
  }
}

const serverPids = ({ mongod, temporal }: BenchServers): Record<string, number> => ({
  mongod: pidOf(mongod),
  temporal: pidOf(temporal),
});

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

/** Straight into the database and settled, so that no workflow is owed before the measurement begins. */
async function storeKnownItems(product: Product, account: ApiAccount): Promise<void> {
  const rows = knownIds.map((id) => rowFromItem(settledItem(account.id, id)));
  await product.foundation.store.connection.collection<ItemRow>('items').insertMany(rows);
}

/** Unchanged first: it leaves no work behind that would be done during the next one. */
async function measureAll(
  target: Omit<LoadOptions, 'warmUpPushes' | 'durationMs' | 'next'>,
  { warmUpPushes, durationMs }: PutPlan,
  make: (id: string, price: number, write: Write) => Push,
): Promise<Round> {
  const counts = Array.from({ length: connections }, () => 0);
  const measure = (write: Write, priceAt: (count: number) => number): Promise<LoadResult> =>
    measurePuts({
      ...target,
      warmUpPushes: write === 'unchanged' ? warmUpPushes : Math.round(warmUpPushes / 3),
      durationMs,
      next: (connection) => {
        const count = (counts[connection] ?? 0) + 1;
        counts[connection] = count;
        const known = `known-${connection * itemsEach + (count % itemsEach)}`;
        return make(write === 'new' ? `new-${connection}-${count}` : known, priceAt(count), write);
      },
    });
  return {
    unchanged: await measure('unchanged', () => startPrice),
    new: await measure('new', () => startPrice),
    // Never the price that the item has now.
    changed: await measure('changed', (count) => startPrice + count),
  };
}
