import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { ItemRow } from '../../features/items/store/item-row.ts';
import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { tlsSettings } from '../contenders/contender.ts';
import { itemBody, startPrice } from '../support/catalogue.ts';
import { untilQuiet } from '../support/cpu.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { putAll } from '../support/load.ts';
import { startProduct, type Product } from '../support/product.ts';
import { percentile, toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';

export interface NeighboursPlan {
  /** Images of the quiet account in each phase. */
  readonly images: number;
}

/** Images of the other account, ten of a kind in one item, and how much longer an image beside them may take. */
const neighbours = [
  { says: 'ten of 20 MB', kinds: ['20mb'], goal: 2 },
  // Last, because those that hang outlast it.
  { says: 'ten hanging and ten slow ones', kinds: ['hangs', 'slow'], goal: 1.25 },
] as const;
const [imagesEach, warmUp] = [10, 5];
/** The other account's are looked at seldom, because that costs MongoDB time. */
const [lookMs, lookSeldomMs] = [5, 100];

interface Stage {
  readonly product: Product;
  readonly imageHost: string;
  readonly quiet: ApiAccount;
}

/** One account's image of 2 megapixels, from its push until it is hosted, alone and beside what another account has under way. */
export async function measureImageNeighbours(servers: BenchServers, plan: NeighboursPlan): Promise<BenchCase[]> {
  await using product = await startProduct(servers, { withWorker: true });
  await using host = await ForkedProcess.start<{ url: string }>('image-host', tlsSettings(servers.certificates));
  const stage = { product, imageHost: host.ready.url, quiet: await setUpAccount(product.foundation) };
  for (const kind of ['2mp', '20mb']) await pushAndWait(stage, stage.quiet, { kinds: [kind] });
  await hostImages(stage, warmUp);
  const cases: BenchCase[] = [];
  for (const { says, kinds, goal } of neighbours) {
    await untilQuiet(product.pids());
    const floor = percentile(await hostImages(stage, plan.images), 50);
    const value = percentile(await hostBeside(stage, kinds, plan.images), 50);
    cases.push(
      toCase({ name: `an image of 2 MP beside ${says} of another account, p50`, value, unit: 'ms', floor, goal }),
    );
  }
  return cases;
}

/** The other account pushes its images again whenever all of them are decided. */
async function hostBeside(stage: Stage, kinds: readonly string[], count: number): Promise<number[]> {
  const other = await setUpAccount(stage.product.foundation);
  const over = new AbortController();
  const busy = kinds.map(async (kind) => {
    const images = { kinds: Array<string>(imagesEach).fill(kind), over: over.signal };
    while (!over.signal.aborted) await pushAndWait(stage, other, images);
  });
  try {
    return await hostImages(stage, count);
  } finally {
    over.abort();
    await Promise.all(busy);
  }
}

async function hostImages(stage: Stage, count: number): Promise<number[]> {
  const took: number[] = [];
  while (took.length < count) took.push(await pushAndWait(stage, stage.quiet, { kinds: ['2mp'] }));
  return took;
}

let pushed = 0;

/** Until every image is decided, or `over`; gives the time in ms. */
async function pushAndWait(
  { product, imageHost }: Stage,
  { id, headers }: ApiAccount,
  { kinds, over }: { readonly kinds: readonly string[]; readonly over?: AbortSignal },
): Promise<number> {
  const externalId = `neighbour-${(pushed += 1)}`;
  const imageUrls = kinds.map((kind, n) => `${imageHost}/${kind}/${pushed}-${n}`);
  const body = JSON.stringify({ ...itemBody(startPrice), imageUrls });
  const startedAt = performance.now();
  const push = { path: `/integration/v1/items/${externalId}`, body, expected: 'Item created' };
  await putAll({ origin: product.apiUrl, headers, connections: 1 }, [push]);
  const items = product.foundation.store.connection.collection<ItemRow>('items');
  const waiting = { accountId: id, externalId, 'imageSet.images.state': 'pending' };
  while (over?.aborted !== true && (await items.findOne(waiting, { projection: { _id: 1 } })) !== null)
    await pause(over === undefined ? lookMs : lookSeldomMs);
  return performance.now() - startedAt;
}
