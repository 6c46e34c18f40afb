import { setTimeout as pause } from 'node:timers/promises';
import { callAdmin } from '../../test/support/world.ts';
import type { ListedAd } from './load/play-buyers.ts';

/** Looks at the marketplace all the time: external ids (with their account) of which two auctions were up in one look. */
export async function watchAds(
  adminUrl: string,
  { isOver, everyMs = 500 }: { isOver: () => boolean; everyMs?: number },
): Promise<{ doubles: string[]; looks: number }> {
  const doubles = new Set<string>();
  let looks = 0;
  while (!isOver()) {
    await pause(everyMs);
    try {
      const url = `${adminUrl}/listings?state=active`;
      const { listings } = await callAdmin<{ listings: OwnedAd[] }>(url);
      looks += 1;
      for (const key of keysSeenTwice(listings)) doubles.add(key);
    } catch {
      // It is down: nobody can look.
    }
  }
  return { doubles: [...doubles], looks };
}

type OwnedAd = ListedAd & { readonly userId: string };

function keysSeenTwice(listings: readonly OwnedAd[]): string[] {
  const keys = listings.map(({ userId, ownReferences }) => `${userId}/${ownReferences[0] ?? ''}`);
  return keys.filter((key, index) => keys.indexOf(key) < index);
}
