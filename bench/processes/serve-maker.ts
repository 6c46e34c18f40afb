import pLimit from 'p-limit';
import { atPace, sharedNow } from '../support/pace.ts';
import { serveParent } from './serve-parent.ts';

/** What a process of the benchmark that makes events is asked for. */
export interface Offer {
  /** Whose events, in turn. */
  readonly accounts: readonly string[];
  readonly count: number;
  /** Events that are handed over together. */
  readonly together: number;
  /** Of these so many under way. */
  readonly atOnce: number;
  /** Events a second, however long each takes; left out: as fast as it goes. */
  readonly perSecond?: number;
}

/** Event ids, and when they began by {@link sharedNow}. */
export type Begun = readonly (readonly [string, number])[];

/** Stores so many events of an account and sends them on their way. `begin` is told of each just before. */
export type MakeEvents = (account: string, count: number, begin: (eventId: string) => void) => Promise<void>;

/** Answers `offer` when all is stored and on its way, and `begun` with the time at which each event began since `clear`. */
export function serveMaker(make: MakeEvents): void {
  const begun = new Map<string, number>();
  const begin = (eventId: string): void => {
    begun.set(eventId, sharedNow());
  };
  serveParent(
    {},
    {
      offer: (offer) => playOffer(offer as Offer, (account, count) => make(account, count, begin)),
      begun: () => [...begun],
      clear: () => begun.clear(),
    },
  );
}

async function playOffer(offer: Offer, make: (account: string, count: number) => Promise<void>): Promise<void> {
  const { accounts, count, together, atOnce, perSecond } = offer;
  const turns = Math.ceil(count / together);
  const play = (turn: number): Promise<void> =>
    make(accounts[turn % accounts.length] ?? '', Math.min(together, count - turn * together));
  if (perSecond !== undefined) {
    await atPace(perSecond / together, (turn) => turn >= turns, play);
    return;
  }
  const limit = pLimit(atOnce);
  await Promise.all(Array.from({ length: turns }, (_, turn) => limit(() => play(turn))));
}
