import { callAdmin, type MarketplaceListing } from '../../../test/support/world.ts';
import type { System } from './system.ts';

/** An ad with the time it was up: from the first commit that the marketplace took, to its end or removal. */
export interface Ad {
  readonly adId: string;
  readonly externalId: string;
  readonly state: string;
  readonly title: string;
  readonly startPrice: number;
  readonly hasBids: boolean;
  readonly upFrom: number;
  /** Infinity while it is up. */
  readonly upUntil: number;
}

type AdminListing = MarketplaceListing & { bidCount: number; updatedAt: string; endsAt: string | null };

/** Every ad that was ever committed, from the marketplace's own listings and its log of calls. */
export async function readAds(system: System): Promise<Ad[]> {
  const listings = (await system.listings()) as unknown as AdminListing[];
  const commits = await firstCommits(system);
  return listings.flatMap((listing) => {
    const upFrom = commits.get(listing.requestId);
    // A draft that was never committed, or taken away before the marketplace had looked at it, was never an auction.
    const wasUp = listing.state !== 'uncommitted' && !(listing.state === 'removed' && listing.endsAt === null);
    if (!wasUp) return [];
    if (upFrom === undefined) throw new Error(`the call log has no commit of ${listing.requestId}`);
    return [asAd(listing, upFrom)];
  });
}

function asAd(listing: AdminListing, upFrom: number): Ad {
  const isUp = listing.state === 'active' || listing.state === 'waiting';
  return {
    adId: String(listing.itemId),
    externalId: listing.ownReferences[0] ?? '',
    state: listing.state,
    title: listing.title,
    startPrice: listing.startPrice,
    hasBids: listing.bidCount > 0,
    upFrom,
    upUntil: isUp ? Infinity : Date.parse(listing.endsAt ?? listing.updatedAt),
  };
}

interface LoggedCall {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
}

const readCalls = async (system: System, path: string): Promise<LoggedCall[]> =>
  (await callAdmin<{ calls: LoggedCall[] }>(`${system.marketplace.adminUrl}/calls?path=${encodeURIComponent(path)}`))
    .calls;

async function firstCommits(system: System): Promise<Map<number, number>> {
  const commits = await readCalls(system, '/commit$');
  const taken = commits.filter(({ status }) => status !== null && status >= 200 && status < 300);
  // Oldest first, so the first of a request is written last.
  return new Map(taken.toReversed().map(({ path, at }) => [Number(path.split('/').at(-2)), Date.parse(at)]));
}

/** How often the product changed something on the marketplace: published, priced anew or took down. */
export const countChanges = async (system: System): Promise<number> =>
  (await readCalls(system, '/listings/items/(prices$|[0-9]+(/commit|/price)?$)')).filter(
    ({ method }) => method !== 'GET',
  ).length;

/** Pairs of ads of one external id that were up at the same time: there must be none. */
export function overlaps(ads: readonly Ad[]): string[] {
  const inOrder = ads.toSorted((one, two) => one.upFrom - two.upFrom);
  return inOrder.flatMap((ad, index) => {
    const later = inOrder.slice(index + 1).filter(({ externalId }) => externalId === ad.externalId);
    return later
      .filter(({ upFrom }) => upFrom < ad.upUntil)
      .map((next) => `${ad.externalId}: ${next.adId} went up while ${ad.adId} was up`);
  });
}
