import { setTimeout as pause } from 'node:timers/promises';
import { callAdmin } from '../../../test/support/world.ts';
import type { Random } from '../random.ts';

export interface ListedAd {
  readonly itemId: number;
  readonly ownReferences: readonly string[];
  readonly state: string;
  readonly startPrice: number;
}

export interface BuyersOptions {
  readonly random: Random;
  readonly adminUrl: string;
  /** Whether they may touch the auction of this external id. */
  readonly isForThem: (externalId: string) => boolean;
  readonly isOver: () => boolean;
}

/** Buyers at the marketplace: they bid, auctions end with a winner or without, and winners pay or don't. */
export async function playBuyers({ random, adminUrl, isForThem, isOver }: BuyersOptions): Promise<{ moves: number }> {
  const done = { moves: 0 };
  while (!isOver()) {
    await pause(random.between(400, 1_600));
    const draw = random.next();
    try {
      const { listings } = await callAdmin<{ listings: ListedAd[] }>(`${adminUrl}/listings?state=active`);
      const theirs = listings.filter(({ ownReferences: [externalId = ''] }) => isForThem(externalId));
      if (theirs.length === 0) continue;
      const { itemId, startPrice } = random.pick(theirs);
      const path = draw < 0.5 ? 'bids' : 'end';
      const body = path === 'bids' ? { amount: startPrice + random.between(0, 5_000) } : {};
      await callAdmin(`${adminUrl}/listings/${itemId}/${path}`, 'POST', body);
      done.moves += 1;
    } catch {
      // The marketplace is down, the auction is over, or the bid is too low: buyers come back.
    }
  }
  return done;
}
