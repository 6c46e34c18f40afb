import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { startReceiver, untilCounted } from '../contenders/contender.ts';
import type { Arrival } from '../processes/receiver.ts';
import { itemBody, startPrice } from '../support/catalogue.ts';
import { shared, spend, untilQuiet, type Pids } from '../support/cpu.ts';
import { putAll, type Push } from '../support/load.ts';
import { untilAllSettled } from '../support/observe-product.ts';
import { atPace, sharedNow } from '../support/pace.ts';
import { startProduct, type Product } from '../support/product.ts';
import { cpuCases, percentile, roundCases, toCase, type BenchCase, type Round } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { startBareExpress } from './put.ts';

export interface ItemsPlan {
  readonly rounds: number;
  /** Items of each round. */
  readonly count: number;
  readonly webhookSeconds: number;
}

const connections = 32;
const warmUpCount = 100;
const accountsMax = 40;
const moreWorkers = [2, 4] as const;

/** New items from the first push until the last one owes nothing, of one account and of forty, and then with more workers. */
export async function measureItems(servers: BenchServers, plan: ItemsPlan): Promise<BenchCase[]> {
  await using product = await startProduct(servers, { withWorker: true });
  await using bare = await startBareExpress(servers);
  const accounts: ApiAccount[] = [];
  while (accounts.length < accountsMax) accounts.push(await setUpAccount(product.foundation));
  const burst = (of: readonly ApiAccount[], count = plan.count): Promise<Round> => itemBurst(product, of, count);
  await burst(accounts, warmUpCount);
  const [one, forty, floor]: [Round[], Round[], Round[]] = [[], [], []];
  for (let round = 0; round < plan.rounds; round += 1) {
    floor.push(await pushBurst(bare, newPushes('/items/', plan.count), () => Promise.resolve()));
    one.push(await burst(accounts.slice(0, 1)));
    forty.push(await burst(accounts));
  }
  const cases = [
    ...roundCases('items processed, 1 account', { own: one, floor }, { cpu: { target: 5.5 } }),
    ...roundCases('items processed, 40 accounts', { own: forty, floor }, { cpu: { target: 6 } }),
  ];
  let running = 1;
  for (const workers of moreWorkers) {
    await product.addWorkers(workers - running);
    running = workers;
    // Each of them has compiled its code before anything counts.
    await burst(accounts);
    const own: Round[] = [];
    while (own.length < plan.rounds) own.push(await burst(accounts));
    const name = `items processed, 40 accounts, ${workers} workers beside one`;
    cases.push(...roundCases(name, { own, floor: forty, parts: false }, { cpu: { goal: 1.1 } }));
  }
  return cases;
}

interface Target {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pids: Pids;
}

async function pushBurst({ pids, ...target }: Target, pushes: readonly Push[], until: () => Promise<unknown>) {
  await untilQuiet(pids);
  const { ms, cpuMsOf } = await spend(pids, async () => {
    await putAll({ ...target, connections }, pushes);
    await until();
  });
  const count = pushes.length;
  return { perSecond: (count * 1_000) / ms, cpuMsEachOf: shared(cpuMsOf, count) };
}

function itemBurst(product: Product, accounts: readonly ApiAccount[], count: number): Promise<Round> {
  const pushes = newPushes('/integration/v1/items/', count).map((push, index) => ({
    ...push,
    expected: 'Item created',
    headers: accounts[index % accounts.length]?.headers ?? {},
  }));
  const last = { accountId: accounts[(count - 1) % accounts.length]?.id ?? '', externalId: `burst-${pushed - 1}` };
  const target = { origin: product.apiUrl, headers: {}, pids: product.pids() };
  return pushBurst(target, pushes, () => untilAllSettled(product, last));
}

let pushed = 0;

/** Of items that no earlier burst has pushed. */
function newPushes(folder: string, count: number): Push[] {
  const body = JSON.stringify(itemBody(startPrice));
  pushed += count;
  return Array.from({ length: count }, (_, n) => ({ path: `${folder}burst-${pushed - count + n}`, body }));
}

const perSecond = 10;

/** From the 202 of a new item to the arrival of its webhook, ten a second. */
export async function measureFirstWebhook(servers: BenchServers, plan: ItemsPlan): Promise<BenchCase[]> {
  await using receiver = await startReceiver(servers);
  await using product = await startProduct(servers, { withWorker: true });
  const { headers } = await setUpAccount(product.foundation, { webhookUrl: `${receiver.ready.url}/ok` });
  const body = JSON.stringify(itemBody(startPrice));
  const acceptedAt = new Map<string, number>();
  const playFor = async (prefix: string, seconds: number): Promise<void> => {
    await receiver.ask('clear');
    const count = perSecond * seconds;
    await atPace(
      perSecond,
      (turn) => turn >= count,
      async (turn) => {
        const url = `${product.apiUrl}/integration/v1/items/${prefix}-${turn}`;
        const answer = await fetch(url, { method: 'PUT', headers, body });
        acceptedAt.set(`${prefix}-${turn}`, sharedNow());
        if (answer.status !== 202) throw new Error(`a PUT was answered ${answer.status}: ${await answer.text()}`);
        await answer.arrayBuffer();
      },
    );
    await untilCounted(receiver, { count });
  };
  await playFor('warm', 3);
  const pids = product.pids();
  await untilQuiet(pids);
  const { cpuMsOf } = await spend(pids, () => playFor('paced', plan.webhookSeconds));
  const arrivals = await receiver.ask<Arrival[]>('arrivals');
  const took = arrivals.map(([, at, , externalId]) => at - (acceptedAt.get(externalId) ?? Number.NaN));
  const name = `202 of a new item to its webhook, ${perSecond}/s`;
  const cpuMsEachOf = shared(cpuMsOf, perSecond * plan.webhookSeconds);
  return [
    toCase({ name: `${name}, p50`, value: percentile(took, 50), unit: 'ms', target: 15 }),
    toCase({ name: `${name}, p99`, value: percentile(took, 99), unit: 'ms' }),
    ...cpuCases(name, { own: [{ cpuMsEachOf }] }),
  ];
}
