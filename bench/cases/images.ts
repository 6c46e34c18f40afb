import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { ItemRow } from '../../features/items/store/item-row.ts';
import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { tlsSettings } from '../contenders/contender.ts';
import { itemBody, startPrice } from '../support/catalogue.ts';
import { shared, spend, untilQuiet } from '../support/cpu.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { putAll } from '../support/load.ts';
import { untilNoWorkflow } from '../support/observe-product.ts';
import { photoSizes, type PhotoSize } from '../support/photos.ts';
import { startProduct, type Product } from '../support/product.ts';
import { roundCases, type BenchCase, type Round } from '../support/result.ts';
import { serverPids, type BenchServers } from '../support/servers.ts';

export interface ImagesPlan {
  readonly rounds: number;
  /** Images of each round; multiples of {@link imagesEach}. */
  readonly counts: Readonly<Record<PhotoSize, number>>;
}

const imagesEach = 3;
const warmUp: Readonly<Record<PhotoSize, number>> = { '2 MP': 150, '12 MP': 6 };
const connections = 8;
const goals: Readonly<Record<PhotoSize, number>> = { '2 MP': 0.8, '12 MP': 0.85 };
/** Of the CPU time of an item with pictures, all processes together, beside sharp alone. */
const cpuGoal = 1.25;
const sizes: readonly PhotoSize[] = ['2 MP', '12 MP'];
const patienceMs = 10 * 60_000;
const lookMs = 100;

interface Stage {
  readonly servers: BenchServers;
  readonly product: Product;
  readonly account: ApiAccount;
  readonly host: ForkedProcess<{ url: string }>;
  readonly sharp: ForkedProcess<unknown>;
  readonly processes: ForkedProcess<unknown>;
}

/**
 * Images of a local HTTPS server beside sharp alone with the same download: through the image processes alone, and with their items,
 * from the first push until the last image is hosted.
 */
export async function measureImages(servers: BenchServers, plan: ImagesPlan): Promise<BenchCase[]> {
  const { certificates } = servers;
  await using product = await startProduct(servers, { withWorker: true });
  await using host = await ForkedProcess.start<{ url: string }>('image-host', tlsSettings(certificates));
  const trust = { NODE_EXTRA_CA_CERTS: certificates.bundleFile };
  await using sharp = await ForkedProcess.start('bare-sharp', trust);
  await using processes = await ForkedProcess.start('image-processes', trust);
  const stage = { servers, product, account: await setUpAccount(product.foundation), host, sharp, processes };
  const cases: BenchCase[] = [];
  for (const size of sizes) {
    // Fresh processes would pay for compiling their code.
    for (const play of [encodeBare, hostAlone, playRound]) await play(stage, size, warmUp[size]);
    const [own, alone, floor]: [Round[], Round[], Round[]] = [[], [], []];
    for (let round = 0; round < plan.rounds; round += 1) {
      floor.push(await encodeBare(stage, size, plan.counts[size]));
      alone.push(await hostAlone(stage, size, plan.counts[size]));
      own.push(await playRound(stage, size, plan.counts[size]));
    }
    const [rate, cpu] = [{ goal: goals[size] }, { goal: cpuGoal }];
    cases.push(...roundCases(`images of ${size}, from address to files`, { own: alone, floor }, { rate }));
    cases.push(...roundCases(`images of ${size} with their items`, { own, floor }, { cpu }));
  }
  return cases;
}

let pushed = 0;

/** Addresses of pictures that no earlier round has had, each with bytes of its own. */
function newUrls({ host }: Stage, size: PhotoSize, count: number): string[] {
  pushed += count;
  return Array.from({ length: count }, (_, n) => `${host.ready.url}/${photoSizes[size].kind}/${pushed - n}`);
}

async function playRound(stage: Stage, size: PhotoSize, count: number): Promise<Round> {
  const { servers, product, account } = stage;
  const items = product.foundation.store.connection.collection<ItemRow>('items');
  const urls = newUrls(stage, size, count);
  const names = Array.from({ length: count / imagesEach }, (_, n) => `pictured-${pushed}-${n}`);
  const pushes = names.map((name, n) => ({
    path: `/integration/v1/items/${name}`,
    body: JSON.stringify({ ...itemBody(startPrice), imageUrls: urls.slice(n * imagesEach, (n + 1) * imagesEach) }),
    expected: 'Item created',
  }));
  const ours = { accountId: account.id, externalId: { $in: names } };
  await untilQuiet(product.pids());
  let ms = 0;
  const { cpuMsOf } = await spend(product.pids(), async () => {
    const startedAt = performance.now();
    await putAll({ origin: product.apiUrl, headers: account.headers, connections }, pushes);
    const waiting = { ...ours, 'imageSet.images.state': 'pending' };
    await untilDecided(() => items.findOne(waiting, { projection: { _id: 1 } }));
    ms = performance.now() - startedAt;
    await untilNoWorkflow(servers, `TaskQueue="${product.taskQueue}.items"`);
  });
  const failed = await items.countDocuments({ ...ours, 'imageSet.images.state': 'failed' });
  if (failed > 0) throw new Error(`${failed} items have images that could not be hosted`);
  return { perSecond: (count * 1_000) / ms, cpuMsEachOf: shared(cpuMsOf, count) };
}

/** Asks seldom, because what it asks of MongoDB counts as the product's. */
async function untilDecided(findWaiting: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while ((await findWaiting()) !== null) {
    if (performance.now() > deadline) throw new Error(`images are not decided in ${patienceMs / 60_000} minutes`);
    await pause(lookMs);
  }
}

const encodeBare = (stage: Stage, size: PhotoSize, count: number): Promise<Round> =>
  playWithout(stage, size, { count, pid: stage.sharp.pid, work: (urls) => stage.sharp.ask('encode', urls) });

const hostAlone = (stage: Stage, size: PhotoSize, count: number): Promise<Round> =>
  playWithout(stage, size, { count, pid: stage.processes.pid, work: (urls) => stage.processes.ask('host', urls) });

interface Alone {
  readonly count: number;
  readonly pid: number;
  readonly work: (urls: readonly string[]) => Promise<unknown>;
}

/** A round without items. */
async function playWithout(stage: Stage, size: PhotoSize, { count, pid, work }: Alone): Promise<Round> {
  await untilQuiet(serverPids(stage.servers));
  const { ms, cpuMsOf } = await spend({ worker: pid }, () => work(newUrls(stage, size, count)));
  return { perSecond: (count * 1_000) / ms, cpuMsEachOf: shared(cpuMsOf, count) };
}
