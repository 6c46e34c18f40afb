import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { serveParent } from '../processes/serve-parent.ts';
import { sharedNow } from './clock.ts';

/** What a process of the benchmark that makes events is asked for. */
export interface Offer {
  /** Whose events, in turn. */
  readonly accounts: readonly string[];
  readonly count: number;
  /** Events that are stored together. */
  readonly together: number;
  /** Of these so many under way. */
  readonly atOnce: number;
  /** One after the other at this pace, however long each takes; left out: as fast as it goes. */
  readonly perSecond?: number;
}

/** Names and times in ms of {@link sharedNow}. */
export type Times = readonly (readonly [string, number])[];

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
  const limit = pLimit(perSecond === undefined ? atOnce : count);
  const startedAt = sharedNow();
  const works: Promise<void>[] = [];
  for (let from = 0, turn = 0; from < count; from += together, turn += 1) {
    if (perSecond !== undefined) await pause(Math.max(0, startedAt + (from * 1000) / perSecond - sharedNow()));
    const account = accounts[turn % accounts.length] ?? '';
    works.push(limit(() => make(account, Math.min(together, count - from))));
  }
  await Promise.all(works);
}
