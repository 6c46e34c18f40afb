import { LRUCache } from 'lru-cache';
import type { AccountId } from '../../core/ids.ts';
import { attemptBounds } from '../../core/webhooks/attempt-bounds.ts';
import { ConcurrencyLimit, type EndedAttempt } from './concurrency-limit.ts';

/** All endpoints of an account at one host are one receiver: what one account does there speaks for no other. */
export interface ReceiverName {
  /** Owner of the target. */
  readonly accountId: AccountId;
  readonly url: string;
}

/** A place for one attempt. */
export interface Reservation {
  /**
   * Makes the attempt as soon as the receiver has a slot for it; at once unless others were reserved ahead of it. Throws
   * {@link Unsent} when the receiver has become slow meanwhile: the wait would outlast the lease.
   */
  send<Ended extends EndedAttempt>(attempt: () => Promise<Ended>): Promise<Ended>;
  /** Gives the place back; no effect after the attempt. */
  release(): void;
}

/** The attempt was not made, and its place is given back. */
export class Unsent extends Error {
  override readonly name = 'Unsent';
}

interface Waiting {
  readonly begin: () => void;
  readonly giveUp: (reason: Unsent) => void;
}

interface Receiver {
  readonly account: AccountId;
  readonly host: Host;
  readonly limit: ConcurrencyLimit;
  /** Reserved ones that wait until another one has ended. */
  readonly waiting: Waiting[];
  reserved: number;
  sending: number;
}

interface Host {
  reserved: number;
  /** Accounts that have places here, or were refused one while it was crowded: they share the host. */
  readonly sharers: Set<AccountId>;
}

/** Remembered; the oldest are forgotten, and begin as unknown ones again. */
const rememberedMax = 10_000;

/**
 * Who may send now, so that a slow or dead receiver never delays others, and no account takes a host for itself (protocol 16). It
 * knows what this process has seen; after a restart all receivers are unknown again.
 */
export class ReceiverSlots {
  readonly #hosts = new LRUCache<string, Host>({ max: rememberedMax });
  readonly #receivers = new LRUCache<string, Receiver>({ max: rememberedMax });
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #reserved = 0;

  /** @param now ms on a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** null: the receiver, its host, or the process has as many as it may have. */
  reserve(name: ReceiverName): Reservation | null {
    const receiver = this.#receiver(name);
    const { host, account } = receiver;
    const isFree = this.#freeOf(receiver) > 0;
    if (isFree) this.#count(receiver, 1);
    if (isFree || isCrowded(host)) host.sharers.add(account);
    return isFree ? this.#reservation(receiver) : null;
  }

  /** Resolves with a place, or with null when none was free for `maxMs`. */
  async wait(name: ReceiverName, maxMs: number): Promise<Reservation | null> {
    const until = this.#now() + maxMs;
    for (let found = this.reserve(name); ; found = this.reserve(name)) {
      const leftMs = until - this.#now();
      if (found !== null || leftMs <= 0) return found;
      await this.#nextFree(leftMs);
    }
  }

  /** How many more places it may have now. */
  free(name: ReceiverName): number {
    return this.#freeOf(this.#receiver(name));
  }

  /** Slow or hanging. */
  isSlow(name: ReceiverName): boolean {
    return this.#receiver(name).limit.isSuspect(this.#now());
  }

  /** Calls `listener` whenever a place has become free. */
  onFree(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #nextFree(maxMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(end);
        resolve();
      };
      const timer = setTimeout(end, maxMs);
      this.#listeners.add(end);
    });
  }

  #freeOf({ host, limit, reserved }: Receiver): number {
    const now = this.#now();
    const ahead = limit.isFast(now) ? attemptBounds.reservedAhead : 1;
    const { perHostMax } = attemptBounds;
    const share = isCrowded(host) ? Math.ceil(perHostMax / Math.max(1, host.sharers.size)) : perHostMax;
    return Math.min(
      Math.min(limit.inFlightMax(now) * ahead, share) - reserved,
      perHostMax - host.reserved,
      limit.allMax(now) - this.#reserved,
    );
  }

  #reservation(receiver: Receiver): Reservation {
    const { limit, waiting } = receiver;
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.#count(receiver, -1);
      for (const listener of this.#listeners) listener();
    };
    return {
      release,
      send: async (attempt) => {
        try {
          if (receiver.sending < limit.inFlightMax(this.#now())) receiver.sending += 1;
          else await new Promise<void>((begin, giveUp) => waiting.push({ begin, giveUp }));
          return await this.#send(receiver, attempt);
        } finally {
          release();
        }
      },
    };
  }

  async #send<Ended extends EndedAttempt>(receiver: Receiver, attempt: () => Promise<Ended>): Promise<Ended> {
    const { limit } = receiver;
    const sent = { at: this.#now() };
    limit.sent.add(sent);
    try {
      const ended = await attempt();
      limit.learn(ended);
      return ended;
    } finally {
      limit.sent.delete(sent);
      this.#endSending(receiver);
    }
  }

  #endSending(receiver: Receiver): void {
    const { limit, waiting } = receiver;
    receiver.sending -= 1;
    while (waiting.length > 0 && receiver.sending < Math.max(1, limit.inFlightMax(this.#now()))) {
      receiver.sending += 1;
      waiting.shift()?.begin();
    }
    if (limit.isSuspect(this.#now())) for (const { giveUp } of waiting.splice(0)) giveUp(new Unsent());
  }

  #count(receiver: Receiver, by: 1 | -1): void {
    const { host, account } = receiver;
    receiver.reserved += by;
    host.reserved += by;
    this.#reserved += by;
    if (receiver.reserved === 0 && !isCrowded(host)) host.sharers.delete(account);
    if (host.reserved === 0) host.sharers.clear();
  }

  #receiver({ accountId, url }: ReceiverName): Receiver {
    const name = new URL(url).host;
    const key = `${accountId} ${name}`;
    const known = this.#receivers.get(key);
    if (known !== undefined) return known;
    const host = this.#hosts.get(name) ?? { reserved: 0, sharers: new Set() };
    this.#hosts.set(name, host);
    const made = { account: accountId, host, limit: new ConcurrencyLimit(), waiting: [], reserved: 0, sending: 0 };
    this.#receivers.set(key, made);
    return made;
  }
}

/** Then its accounts have equal shares of it. */
const isCrowded = ({ reserved }: Host): boolean => reserved >= attemptBounds.perHostMax / 2;
