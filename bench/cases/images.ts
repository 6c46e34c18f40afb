import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemRow } from '../../store/items/item-row.ts';
import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { measureBurst, type BurstResult } from '../support/burst.ts';
import { itemBody, startPrice } from '../support/catalogue.ts';
import { cpuSince, readCpuTimes } from '../support/cpu.ts';
import { ForkedProcess } from '../support/forked-process.ts';
import { putAll } from '../support/load.ts';
import { photoSizes, writePhotos, type PhotoSize } from '../support/photos.ts';
import { pidOf } from '../support/pid-of.ts';
import { startProduct, type Product } from '../support/product.ts';
import { cpuParts, toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { median } from '../support/statistics.ts';
import { untilNoWorkflow, untilQuiet } from '../support/until-idle.ts';

export interface ImagesPlan {
  readonly rounds: number;
  /** Images of each round; multiples of {@link imagesEach}. */
  readonly counts: Readonly<Record<PhotoSize, number>>;
}

const imagesEach = 5;
const connections = 8;
const sizes: readonly PhotoSize[] = ['2 MP', '12 MP'];

interface Stage {
  readonly servers: BenchServers;
  readonly product: Product;
  readonly account: ApiAccount;
  readonly host: ForkedProcess<{ url: string }>;
  readonly sharp: ForkedProcess<unknown>;
}

/**
 * Items with images of a local HTTPS server, from the first push until the last image is hosted, beside the same download and sharp
 * alone, in turns.
 */
export async function measureImages(servers: BenchServers, plan: ImagesPlan): Promise<BenchCase[]> {
  const { stage, close } = await setStage(servers, plan);
  try {
    for (const size of sizes) await playRound(stage, size, imagesEach);
    const cases: BenchCase[] = [];
    for (const size of sizes) {
      const [own, bare]: [BurstResult[], BurstResult[]] = [[], []];
      for (let round = 0; round < plan.rounds; round += 1) {
        bare.push(await encodeBare(stage, size, plan.counts[size]));
        // Decoders that had nothing to do for a minute have ended.
        await playRound(stage, size, 2 * imagesEach);
        own.push(await playRound(stage, size, plan.counts[size]));
      }
      cases.push(...casesOf(`images of ${size} hosted`, own, bare));
    }
    return cases;
  } finally {
    await close();
  }
}

function casesOf(name: string, own: readonly BurstResult[], bare: readonly BurstResult[]): BenchCase[] {
  const both = (read: (result: BurstResult) => number) => ({
    value: median(own.map(read)),
    floor: median(bare.map(read)),
  });
  return [
    toCase({ name, unit: '1/s', ...both(({ perSecond }) => perSecond), goal: 0.85 }),
    toCase({ name: `${name}, CPU each`, unit: 'ms', ...both(({ cpuMsEach }) => cpuMsEach) }),
    ...cpuParts(`${name}, CPU each`, own, bare),
  ];
}

async function setStage(
  servers: BenchServers,
  { counts }: ImagesPlan,
): Promise<{ stage: Stage; close: () => Promise<void> }> {
  const folder = join(servers.folder, 'photos');
  mkdirSync(folder, { recursive: true });
  await writePhotos(folder);
  const { certificates } = servers;
  const environment = { BENCH_PHOTO_FOLDER: folder, BENCH_PHOTO_COUNTS: JSON.stringify(counts) };
  const [product, host] = await Promise.all([
    startProduct(servers, { withWorker: true }),
    ForkedProcess.start<{ url: string }>('image-host', {
      ...environment,
      BENCH_TLS_KEY_FILE: certificates.keyFile,
      BENCH_TLS_CERT_FILE: certificates.certificateFile,
    }),
  ]);
  const sharp = await ForkedProcess.start('bare-sharp', {
    ...environment,
    BENCH_IMAGE_HOST: host.ready.url,
    NODE_EXTRA_CA_CERTS: certificates.bundleFile,
  });
  const close = async (): Promise<void> => {
    await Promise.all([product.discard(), host.stop(), sharp.stop()]);
  };
  const account = await setUpAccount(product.foundation);
  return { stage: { servers, product, account, host, sharp }, close };
}

let pushed = 0;

async function playRound(stage: Stage, size: PhotoSize, count: number): Promise<BurstResult> {
  const { servers, product, account, host } = stage;
  const items = product.foundation.store.connection.collection<ItemRow>('items');
  const from = pushed;
  pushed += count / imagesEach;
  const names = Array.from({ length: count / imagesEach }, (_, n) => `pictured-${from + n}`);
  const urlsOf = (name: string): string[] =>
    Array.from({ length: imagesEach }, (_, n) => `${host.ready.url}/${name}-${n}/${photoSizes[size].file}`);
  const pushes = names.map((name) => ({
    path: `/integration/v1/items/${name}`,
    body: JSON.stringify({ ...itemBody(startPrice), imageUrls: urlsOf(name) }),
    expected: 'Item created',
  }));
  const ours = { accountId: account.id, externalId: { $in: names } };
  const servedBy = { temporal: pidOf(servers.temporal), mongod: pidOf(servers.mongod) };
  await untilQuiet(servedBy);
  const result = await measureBurst({
    count,
    pids: { ...servedBy, api: pidOf(product.api), worker: pidOf(product.worker), ...decodersOf(product) },
    start: () => putAll({ origin: product.apiUrl, headers: account.headers, connections }, pushes),
    countDone: async () => {
      const hosted = { ...ours, 'imageSet.images.state': { $not: { $in: ['pending', 'failed'] } } };
      return (await items.countDocuments(hosted)) * imagesEach;
    },
    untilIdle: () => untilNoWorkflow(servers.temporalClient, `${product.taskQueue}.items`),
  });
  const failed = await items.countDocuments({ ...ours, 'imageSet.images.state': 'failed' });
  if (failed > 0) throw new Error(`${failed} items have images that could not be hosted`);
  return result;
}

/** The processes in which the worker decodes. */
function decodersOf({ worker }: Product): Record<string, number> {
  const pid = pidOf(worker);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  return Object.fromEntries(children.map((child, n) => [`decoder ${n + 1}`, Number(child)]));
}

async function encodeBare({ sharp, servers }: Stage, size: PhotoSize, count: number): Promise<BurstResult> {
  await untilQuiet({ temporal: pidOf(servers.temporal), mongod: pidOf(servers.mongod) });
  const pids = { worker: sharp.pid };
  const before = readCpuTimes(pids);
  const ms = await sharp.ask<number>(size);
  const { worker = 0 } = cpuSince(before, pids);
  return { perSecond: (count * 1000) / ms, cpuMsEach: worker / count, cpuMsEachOf: { worker: worker / count } };
}
