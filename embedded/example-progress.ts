import { callJson } from './http-json.ts';
import type { SimulatorAddresses } from './simulators-process.ts';

export interface ExampleCounts {
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

/** Looks at the simulators, which see the result and not our own opinion of it. */
export async function countResults(simulators: SimulatorAddresses): Promise<Omit<ExampleCounts, 'received'>> {
  const [listings, webhooks] = await Promise.all([listingsOf(simulators), webhookCount(simulators)]);
  return {
    images: listings.reduce((sum, { imageCount }) => sum + imageCount, 0),
    live: listings.filter(({ state }) => wentLive.includes(state)).length,
    sold: listings.filter(({ state }) => state === 'sold').length,
    webhooks,
  };
}

export const describeCounts = ({ received, images, live, sold, webhooks }: ExampleCounts): string =>
  `received ${String(received)} · images ${String(images)} · live ${String(live)} · sold ${String(sold)} · webhooks ${String(webhooks)}`;

export interface SeenListing {
  readonly itemId: number;
  readonly state: string;
  readonly startPrice: number;
  readonly imageCount: number;
}

/** @param ownReference only the listings that carry it */
export async function listingsOf({ marketplace }: SimulatorAddresses, ownReference?: string): Promise<SeenListing[]> {
  const query = ownReference === undefined ? '' : `?ownReference=${encodeURIComponent(ownReference)}`;
  const { body } = await callJson({ method: 'GET', url: `${marketplace.adminUrl}/listings${query}` });
  return (body['listings'] as SeenListing[] | undefined) ?? [];
}

async function webhookCount({ webhookReceiver }: SimulatorAddresses): Promise<number> {
  const { body } = await callJson({ method: 'GET', url: `${webhookReceiver.adminUrl}/calls?path=%2Fhooks%2F` });
  const calls = body['calls'] as { status: number | null }[] | undefined;
  return (calls ?? []).filter(({ status }) => status !== null && status < 300).length;
}
