import { setUpAccount } from '../../test/support/set-up-account.ts';
import { measureBurst, type BurstResult } from '../support/burst.ts';
import { pidOf } from '../support/pid-of.ts';
import { startProduct, type Product } from '../support/product.ts';
import { cpuParts, toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { median } from '../support/statistics.ts';
import { untilNoWorkflow, untilQuiet } from '../support/until-idle.ts';
import type { Contender } from './deliveries/contender.ts';
import { playBurst } from './deliveries/measure-contender.ts';
import { startTrivialContender } from './deliveries/trivial-contender.ts';
import { itemPusher } from './push-items.ts';

export interface ItemsPlan {
  readonly rounds: number;
  /** Items, or trivial workflows, in each round. */
  readonly count: number;
}

const warmUpCount = 40;

interface Stage {
  readonly servers: BenchServers;
  readonly product: Product;
  readonly trivial: Contender;
  readonly pusher: ReturnType<typeof itemPusher>;
}

/** Items beside trivial workflows on the same Temporal server, in turns. */
export async function measureItems(servers: BenchServers, plan: ItemsPlan): Promise<BenchCase[]> {
  const [product, trivial] = await Promise.all([
    startProduct(servers, { withWorker: true }),
    startTrivialContender(servers, 'oneActivity'),
  ]);
  try {
    const pusher = itemPusher(product, await setUpAccount(product.foundation));
    const stage: Stage = { servers, product, trivial, pusher };
    await itemBurst(stage, warmUpCount);
    await playBurst(trivial, warmUpCount);
    const [items, floor]: [BurstResult[], BurstResult[]] = [[], []];
    for (let round = 0; round < plan.rounds; round += 1) {
      items.push(await itemBurst(stage, plan.count));
      floor.push(await playBurst(trivial, plan.count));
    }
    return casesOf(items, floor);
  } finally {
    await Promise.all([product.discard(), trivial.close()]);
  }
}

async function itemBurst({ product, servers, pusher }: Stage, count: number): Promise<BurstResult> {
  const servedBy = { temporal: pidOf(servers.temporal), mongod: pidOf(servers.mongod) };
  await untilQuiet(servedBy);
  const before = await pusher.countSettled();
  return measureBurst({
    count,
    pids: { ...servedBy, api: pidOf(product.api), worker: pidOf(product.worker) },
    start: () => pusher.pushItems(count),
    countDone: async () => (await pusher.countSettled()) - before,
    untilIdle: () => untilNoWorkflow(servers.temporalClient, `${product.taskQueue}.items`),
  });
}

function casesOf(items: readonly BurstResult[], floor: readonly BurstResult[]): BenchCase[] {
  const both = (read: (round: BurstResult) => number) => ({
    value: median(items.map(read)),
    floor: median(floor.map(read)),
  });
  const name = 'items processed';
  return [
    toCase({ name, unit: '1/s', ...both(({ perSecond }) => perSecond), goal: 0.8 }),
    toCase({ name: `${name}, CPU each`, unit: 'ms', ...both(({ cpuMsEach }) => cpuMsEach) }),
    ...cpuParts(`${name}, CPU each`, items, floor),
  ];
}
