import type { AccountId } from '../../core/ids.ts';
import { accountsWithAtLeast } from './held-by-account.ts';

/** Places for work that is begun and not waited for. */
export interface LookPlaces {
  readonly free: () => number;
  /** Accounts that hold as many as this, or more. */
  readonly accountsWith: (count: number) => AccountId[];
  /** Holds a place until `work`, which never rejects, ends or has taken too long. */
  readonly take: (account: AccountId, work: Promise<void>) => void;
  /** Resolves when so many are free. */
  readonly untilFree: (count: number) => Promise<void>;
}

/** @param heldMaxMs what takes longer goes on, but holds no place any more */
export function createLookPlaces(placesMax: number, heldMaxMs: number): LookPlaces {
  const held = new Map<symbol, AccountId>();
  let waiting: (() => void)[] = [];
  const free = (): number => placesMax - held.size;
  const release = (place: symbol): void => {
    if (!held.delete(place)) return;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  return {
    free,
    accountsWith: (count) => accountsWithAtLeast(count, held.values()),
    take: (account, work) => {
      const place = Symbol(account);
      held.set(place, account);
      const timer = setTimeout(release, heldMaxMs, place).unref();
      const end = (): void => {
        clearTimeout(timer);
        release(place);
      };
      work.then(end, end);
    },
    untilFree: async (count) => {
      while (free() < count)
        await new Promise<void>((wake) => {
          waiting.push(wake);
        });
    },
  };
}
