import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { callAdmin } from '../../../test/support/world.ts';
import { until } from '../../../test/support/until.ts';
import { readAds, type Ad } from './marketplace-history.ts';
import { firstPrice, firstTitle, stories, type Story } from './stories.ts';
import type { StoredItem } from './stored-item.ts';
import type { System } from './system.ts';

export interface Storm {
  /** External ids with the stories that they live. */
  readonly lives: ReadonlyMap<string, Story>;
  readonly firstAds: ReadonlyMap<string, Ad>;
  /** Writes that were answered with 202. */
  accepted: number;
  /** Tries that got no answer, or were told to come back. */
  broken: number;
  isOver: boolean;
  /** Rejects when an answer was neither an acceptance nor a reason to try again. */
  done: Promise<unknown>;
}

const livesPerStory = 6;
const stepsApartMs = 2_500;
const lives: ReadonlyMap<string, Story> = new Map(
  Array.from({ length: livesPerStory }, (_, round) => round).flatMap((round) =>
    stories.map((story, index) => [`life-${String(round * stories.length + index).padStart(3, '0')}`, story] as const),
  ),
);
const pictures = readdirSync('examples/catalogue/images').filter((name) => name.endsWith('.jpg'));

function bodyOf(system: System, externalId: string, change: { title?: string; price?: number } = {}): object {
  const picture = pictures[Number(externalId.slice(-3)) % pictures.length] ?? '';
  return {
    title: firstTitle,
    price: firstPrice,
    imageUrls: [`${system.images.url}/${picture}`],
    domain: { domain: 'toys' },
    autoPublishTradera: true,
    ...change,
  };
}

/** Pushes the items of all stories and waits until their auctions are up and nothing is owed. */
export async function prepareStorm(system: System): Promise<Storm> {
  const storm: Storm = {
    lives,
    firstAds: new Map(),
    accepted: 0,
    broken: 0,
    isOver: false,
    done: Promise.resolve(),
  };
  const limit = pLimit(8);
  await Promise.all(
    [...lives.keys()].map((id) => limit(() => accept(storm, () => system.call('PUT', id, bodyOf(system, id))))),
  );
  const items = system.foundation.store.connection.collection('items');
  const settled = { accountId: system.accountId, marketplaceStatus: 'active', startAt: null };
  await until('all are live', async () => (await items.countDocuments(settled)) === lives.size, 180_000);
  const firstAds = new Map((await readAds(system)).map((ad) => [ad.externalId, ad]));
  return { ...storm, firstAds, accepted: 0, broken: 0 };
}

/** Lets all stories happen at once, spread over some seconds. */
export function startStorm(system: System, storm: Storm): void {
  const all = [...lives].map(([externalId, story]) => story.run(storedItem(system, storm, externalId)));
  storm.done = Promise.all(all).then(() => {
    storm.isOver = true;
  });
  // Awaited later; until then a failure must not end the process.
  storm.done.catch(() => undefined);
}

function storedItem(system: System, storm: Storm, externalId: string): StoredItem {
  const write = async (method: string, path = '', body?: object): Promise<void> => {
    await pause(randomInt(stepsApartMs));
    await accept(storm, () => system.call(method, `${externalId}${path}`, body));
  };
  const outside = async (path: string, body?: object): Promise<void> => {
    await pause(randomInt(stepsApartMs));
    const adId = storm.firstAds.get(externalId)?.adId ?? '';
    await callAdmin(`${system.marketplace.adminUrl}/listings/${adId}${path}`, 'POST', body);
  };
  const untilShown = async (status: string): Promise<void> => {
    await until(`${externalId} is ${status}`, async () => {
      const answer = await system.call('GET', externalId);
      await pause(100);
      return answer?.status === 200 && answer.text.includes(`"marketplaceStatus":"${status}"`);
    });
  };
  return {
    price: (price) => write('PATCH', '/price', { price }),
    push: (change) => write('PUT', '', bodyOf(system, externalId, change)),
    setStatus: (status) => write('PATCH', '/status', { status }),
    remove: () => write('DELETE'),
    publish: () => write('POST', '/publish'),
    bid: () => outside('/bids', { amount: 725 }),
    endAuction: () => outside('/end'),
    untilEnded: () => untilShown('ended'),
    untilSold: () => untilShown('sold'),
  };
}

/** Calls as an ERP does: what wasn't answered, or couldn't be done just then, is sent again. */
async function accept(storm: Storm, call: () => ReturnType<System['call']>): Promise<void> {
  let tries = 0;
  await until('a write is accepted', async () => {
    const answer = await call();
    tries += 1;
    // The first try of a DELETE was done although nobody heard of it.
    if (answer?.status === 202 || (answer?.status === 404 && tries > 1)) return true;
    if (answer !== null && answer.status !== 503) throw new Error(`answered ${answer.status}: ${answer.text}`);
    storm.broken += 1;
    await pause(50);
    return false;
  });
  storm.accepted += 1;
}
