import { performance } from 'node:perf_hooks';
import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { setUpReseller } from '../../test/support/set-up-reseller.ts';
import { isBeingApplied, uploadFile } from '../support/bulk-file.ts';
import { itemBody, startPrice, storeItems } from '../support/catalogue.ts';
import { untilQuiet } from '../support/cpu.ts';
import { putAll } from '../support/load.ts';
import { isAnyUnsettled, untilAllSettled, untilSettled } from '../support/observe-product.ts';
import { startProduct, type Product } from '../support/product.ts';
import { percentile, toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';

export interface FairnessPlan {
  readonly rounds: number;
  /** Items that the busy accounts have due together. */
  readonly due: number;
  /** Of the file that another account has under way. */
  readonly lines: number;
  readonly puts: number;
}

const busyCounts = [1, 2, 4, 8] as const;

/** What a quiet account notices of others: of single items that they have due, and of a file. */
export async function measureFairness(servers: BenchServers, plan: FairnessPlan): Promise<BenchCase[]> {
  await using product = await startProduct(servers, { withWorker: true });
  const quiet = await setUpAccount(product.foundation);
  await putAndWait(product, quiet, { prefix: 'warm', puts: Math.min(plan.puts, 20) });
  return [...(await besideBusy(product, quiet, plan)), ...(await besideFile(product, quiet, plan))];
}

/** As when the worker was away for a while: it hears of all that is due at once, and then of the quiet account. */
async function besideBusy(product: Product, quiet: ApiAccount, { rounds, due }: FairnessPlan): Promise<BenchCase[]> {
  const { store } = product.foundation;
  const cases: BenchCase[] = [];
  for (const count of busyCounts) {
    const busy: ApiAccount[] = [];
    while (busy.length < count) busy.push(await setUpAccount(product.foundation));
    const took: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const prefix = `due-${count}-${round}`;
      const names = Array.from({ length: due / count }, (_, n) => `${prefix}-${n}`);
      await untilQuiet(product.pids());
      await Promise.all(busy.map(({ id }) => storeItems(store, id, { names, as: 'due' })));
      await Promise.all(busy.map((account) => put(product, account, `${prefix}-last`)));
      took.push(...(await putAndWait(product, quiet, { prefix: `${prefix}-quiet`, puts: 1 })));
      if (!(await isAnyUnsettled(product))) throw new Error('the others were done before the quiet account');
      await untilAllSettled(product, { accountId: busy[0]?.id ?? '', externalId: `${prefix}-last` });
    }
    const name = `an item of a quiet account beside ${count} busy with ${due.toLocaleString('en')} due, settled after`;
    cases.push(toCase({ name, value: Math.max(...took) / 1_000, unit: 's', target: 0.3 }));
  }
  return cases;
}

async function besideFile(product: Product, quiet: ApiAccount, { lines, puts }: FairnessPlan): Promise<BenchCase[]> {
  const reseller = await setUpReseller(product.foundation, 1);
  await untilQuiet(product.pids());
  const idle = await putAndWait(product, quiet, { prefix: 'idle', puts });
  const { id } = await uploadFile(product, reseller, { lines, members: reseller.members, prefix: 'other' });
  const busy = await putAndWait(product, quiet, { prefix: 'beside', puts });
  if (!(await isBeingApplied(product, id)))
    throw new Error('the file was done before the last PUT: it has too few lines');
  const during = `beside another account's file of ${lines.toLocaleString('en')} lines`;
  return [50, 95].map((percent) =>
    toCase({
      name: `a PUT until it is settled, ${during}, p${percent}`,
      value: percentile(busy, percent),
      unit: 'ms',
      floor: percentile(idle, percent),
    }),
  );
}

interface Wish {
  readonly prefix: string;
  readonly puts: number;
}

/** One after the other, each as soon as the one before is settled; gives the time of each in ms. */
async function putAndWait(product: Product, account: ApiAccount, wish: Wish): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < wish.puts; n += 1) {
    const externalId = `${wish.prefix}-${n}`;
    const startedAt = performance.now();
    await put(product, account, externalId);
    await untilSettled(product, { accountId: account.id, externalId }, 5);
    took.push(performance.now() - startedAt);
  }
  return took;
}

function put({ apiUrl }: Product, { headers }: ApiAccount, externalId: string): Promise<void> {
  const body = JSON.stringify(itemBody(startPrice));
  const push = { path: `/integration/v1/items/${externalId}`, body, expected: 'Item created' };
  return putAll({ origin: apiUrl, headers, connections: 1 }, [push]);
}
