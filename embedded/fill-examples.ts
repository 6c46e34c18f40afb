import { setTimeout as delay } from 'node:timers/promises';
import type { DemoAccount } from './demo-accounts.ts';
import { callJson } from './http-json.ts';
import type { SimulatorAddresses } from './simulators-process.ts';

/**
 * Sends the example catalogue through the public API as an ERP would. The caller provides it
 * (examples/push-catalogue.ts).
 */
export type PushCatalogue = (options: {
  apiUrl: string;
  accounts: readonly DemoAccount[];
  imagesUrl: string;
  onProgress: (progress: { received: number }) => void;
}) => Promise<unknown>;

export interface FillOptions {
  readonly apiUrl: string;
  readonly accounts: readonly DemoAccount[];
  readonly simulators: SimulatorAddresses;
  readonly pushCatalogue: PushCatalogue;
  readonly onProgress: (line: string) => void;
  readonly signal: AbortSignal;
}

const lookEveryMs = 1000;
/** When the numbers have not changed for this long, everything has arrived. */
const calmMs = 8000;
const longestMs = 180_000;

/** Pushes the catalogue, lets buyers bid, and shows the counts until they stop changing (3 min at most). */
export async function fillExamples(options: FillOptions): Promise<ExampleCounts> {
  const { apiUrl, accounts, simulators, pushCatalogue, signal } = options;
  const counts: ExampleCounts = { received: 0, images: 0, live: 0, sold: 0, webhooks: 0 };
  const onProgress = ({ received }: { received: number }): void => {
    counts.received = received;
  };
  const buyers = new AbortController();
  const buying = playBuyers(simulators, AbortSignal.any([signal, buyers.signal]));
  let isPushed = false;
  const pushing = pushCatalogue({ apiUrl, accounts, imagesUrl: simulators.images.url, onProgress }).then(() => {
    isPushed = true;
  });
  const watching = watch({ ...options, counts, isPushed: () => isPushed });
  try {
    await Promise.race([Promise.all([pushing, watching]), buying.then(() => pushing)]);
    await watching;
  } finally {
    buyers.abort();
    await Promise.allSettled([buying, watching]);
  }
  return counts;
}

async function watch(options: FillOptions & { counts: ExampleCounts; isPushed: () => boolean }): Promise<void> {
  const { simulators, counts, isPushed, onProgress, signal } = options;
  const startedAt = Date.now();
  let changedAt = startedAt;
  let shown = '';
  while (!signal.aborted && Date.now() - startedAt < longestMs) {
    Object.assign(counts, await countResults(simulators));
    const line = describeCounts(counts);
    if (line !== shown) changedAt = Date.now();
    shown = line;
    onProgress(line);
    if (isPushed() && Date.now() - changedAt > calmMs) return;
    await delay(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

interface ExampleCounts {
  /** Items that the API has accepted. */
  received: number;
  /** Photographs that have reached the marketplace. */
  images: number;
  /** Auctions that are or were live. */
  live: number;
  sold: number;
  /** Signed calls that the example receiver got. */
  webhooks: number;
}

const wentLive = ['active', 'ended', 'sold'];

/** Counts at the simulators, which show the result from outside. */
async function countResults(simulators: SimulatorAddresses): Promise<Omit<ExampleCounts, 'received'>> {
  const [listings, webhooks] = await Promise.all([listingsOf(simulators), webhookCount(simulators)]);
  return {
    images: listings.reduce((sum, { imageCount }) => sum + imageCount, 0),
    live: listings.filter(({ state }) => wentLive.includes(state)).length,
    sold: listings.filter(({ state }) => state === 'sold').length,
    webhooks,
  };
}

const describeCounts = ({ received, images, live, sold, webhooks }: ExampleCounts): string =>
  `received ${String(received)} · images ${String(images)} · live ${String(live)} · sold ${String(sold)} · webhooks ${String(webhooks)}`;

export interface SeenListing {
  readonly itemId: number;
  readonly state: string;
  readonly startPrice: number;
  readonly imageCount: number;
}

/** @param ownReference limits the result to listings that carry it */
export async function listingsOf(
  { marketplace }: Pick<SimulatorAddresses, 'marketplace'>,
  ownReference?: string,
): Promise<SeenListing[]> {
  const query = ownReference === undefined ? '' : `?ownReference=${encodeURIComponent(ownReference)}`;
  const { body } = await callJson({ method: 'GET', url: `${marketplace.adminUrl}/listings${query}` });
  return (body['listings'] as SeenListing[] | undefined) ?? [];
}

async function webhookCount({ webhookReceiver }: SimulatorAddresses): Promise<number> {
  const { body } = await callJson({ method: 'GET', url: `${webhookReceiver.adminUrl}/calls?path=%2Fhooks%2F` });
  const calls = body['calls'] as { status: number | null }[] | undefined;
  return (calls ?? []).filter(({ status }) => status !== null && status < 300).length;
}

const soldShare = 4;
const bidKronor = 50;

/**
 * Every fourth auction gets a bid and ends a little later, so that a newcomer sees sales. Runs until the signal aborts.
 */
async function playBuyers(simulators: SimulatorAddresses, signal: AbortSignal): Promise<void> {
  const seen = new Set<number>();
  while (!signal.aborted) {
    const active = (await listingsOf(simulators)).filter(
      ({ state, itemId }) => state === 'active' && !seen.has(itemId),
    );
    for (const { itemId, startPrice } of active) {
      seen.add(itemId);
      if (seen.size % soldShare !== 0) continue;
      const url = `${simulators.marketplace.adminUrl}/listings/${String(itemId)}`;
      await callJson({ method: 'POST', url: `${url}/bids`, body: { amount: startPrice + bidKronor } });
      await callJson({ method: 'POST', url: `${url}/end`, body: {} });
    }
    await delay(500, undefined, { signal }).catch(() => undefined);
  }
}
