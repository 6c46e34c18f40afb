import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Collection } from 'mongoose';
import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { setUpReseller } from '../../test/support/set-up-reseller.ts';
import { uploadFile } from '../support/bulk-file.ts';
import { itemBody, startPrice } from '../support/catalogue.ts';
import { startProduct, type Product } from '../support/product.ts';
import { toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { percentile } from '../support/statistics.ts';
import { untilQuiet } from '../support/until-idle.ts';
import { pidOf } from '../support/pid-of.ts';

export interface FairnessPlan {
  /** Of the file that another account has under way. */
  readonly lines: number;
  readonly puts: number;
}

const pauseMs = 50;
const lookMs = 5;
const patienceMs = 60_000;

/** A single PUT of a new item until it is settled: with nothing else to do, and while another account's file is applied and processed. */
export async function measureFairness(servers: BenchServers, { lines, puts }: FairnessPlan): Promise<BenchCase[]> {
  const product = await startProduct(servers, { withWorker: true });
  try {
    const [account, reseller] = [await setUpAccount(product.foundation), await setUpReseller(product.foundation, 1)];
    await putAndWait(product, account, { prefix: 'warm', puts: Math.min(puts, 20) });
    await untilQuiet({ worker: pidOf(product.worker), api: pidOf(product.api) });
    const idle = await putAndWait(product, account, { prefix: 'idle', puts });
    await uploadFile(product, reseller, { lines, members: reseller.members, prefix: 'other' });
    const busy = await putAndWait(product, account, { prefix: 'busy', puts });
    if (await isAllSettled(product)) throw new Error('the file was done before the last PUT: it has too few lines');
    const name = 'a PUT until it is settled';
    const during = `while another account has ${lines.toLocaleString('en')} lines under way (beside idle)`;
    return [50, 95].flatMap((percent) => [
      toCase({ name: `${name}, idle, p${percent}`, value: percentile(idle, percent), unit: 'ms' }),
      toCase({
        name: `${name}, ${during}, p${percent}`,
        ...{ value: percentile(busy, percent), unit: 'ms', floor: percentile(idle, percent) },
      }),
    ]);
  } finally {
    await product.discard();
  }
}

/** One after the other, each as soon as the one before is settled; gives the time of each. */
async function putAndWait(
  product: Product,
  { headers, id }: ApiAccount,
  { prefix, puts }: { prefix: string; puts: number },
): Promise<number[]> {
  const items = product.foundation.store.connection.collection('items');
  const body = JSON.stringify(itemBody(startPrice));
  const took: number[] = [];
  for (let n = 0; n < puts; n += 1) {
    const externalId = `${prefix}-${n}`;
    const startedAt = performance.now();
    const url = `${product.apiUrl}/integration/v1/items/${externalId}`;
    const answer = await fetch(url, { method: 'PUT', headers, body });
    if (answer.status !== 202) throw new Error(`a PUT was answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    while (!(await isSettled(items, { accountId: id, externalId, current: true }))) {
      if (performance.now() - startedAt > patienceMs) throw new Error(`${externalId} was not settled in a minute`);
      await pause(lookMs);
    }
    took.push(performance.now() - startedAt);
    await pause(pauseMs);
  }
  return took;
}

/** By the index of current items: looking must cost nothing beside what is measured. */
async function isSettled(items: Collection, current: Record<string, unknown>): Promise<boolean> {
  const row = await items.findOne(current, { projection: { _id: 0, revision: 1, settledRevision: 1 } });
  return row !== null && row['revision'] === row['settledRevision'];
}

const isAllSettled = async ({ foundation }: Product): Promise<boolean> =>
  (await foundation.store.connection
    .collection('items')
    .findOne({ $expr: { $ne: ['$revision', '$settledRevision'] } }, { projection: { _id: 1 } })) === null;
