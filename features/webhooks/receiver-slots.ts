import { LRUCache } from 'lru-cache';
import type { AccountId } from '../rules/ids.ts';
import { attemptBounds } from './rules/attempt-bounds.ts';

/**
 * All endpoints of one account at one host are one receiver. What this account experiences there says nothing about
 * other accounts.
 */
export interface ReceiverName {
  /** Owner of the target. */
  readonly accountId: AccountId;
  readonly url: string;
}

/** Permission for one attempt. */
export interface AttemptPermit {
  /**
   * Makes the attempt at once, or, if it was reserved ahead, as soon as the receiver has a slot. Throws {@link Unsent} when the
   * receiver fails or becomes slow meanwhile: the wait would outlast the lease, and a dead receiver should get few attempts. After a
   * failure the caller keeps the slot and releases it: until the failure is stored, others would begin attempts that fail, too.
   */
  send<Ended extends EndedAttempt>(attempt: () => Promise<Ended>): Promise<Ended>;
  /** Gives the reservation back; no effect after the attempt. */
  release(): void;
}

/** The attempt was not made, and its reservation is given back. */
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
  /** Reserved ahead, and waiting for a slot. */
  readonly waiting: Waiting[];
  slots: number;
  /** Number of reservations without a slot. */
  ahead: number;
}

interface Host {
  slots: number;
  /** Accounts that have slots at this host, or were refused one while it was crowded: they share the host. */
  readonly sharers: Set<AccountId>;
}

/** Most remembered receivers; the oldest are forgotten and start as unknown again. */
const rememberedMax = 10_000;

/**
 * Decides which receivers get attempts now. A slow or dead one never delays others, and no account uses a host for itself alone
 * (protocol 18). It knows only what this process has seen; after a restart all receivers are unknown again.
 */
export class ReceiverSlots {
  readonly #hosts = new LRUCache<string, Host>({ max: rememberedMax });
  readonly #receivers = new LRUCache<string, Receiver>({ max: rememberedMax });
  readonly #now: () => number;
  readonly #perHostMax: number;
  readonly #listeners = new Set<() => void>();
  #slots = 0;
  #ahead = 0;

  /** @param options.now ms of a monotonic clock */
  constructor(options: { readonly now?: () => number; readonly perHostMax?: number } = {}) {
    this.#now = options.now ?? (() => performance.now());
    this.#perHostMax = options.perHostMax ?? attemptBounds.perHostMax;
  }

  /** null: the receiver, its host or the process has reached its limit. */
  reserve(name: ReceiverName): AttemptPermit | null {
    const receiver = this.#receiver(name);
    // Waits behind attempts that were reserved ahead of it.
    const slot = receiver.ahead === 0 ? this.#takeSlot(receiver) : null;
    if (slot !== null || this.#freeAhead(receiver, receiver.slots) <= 0) return slot;
    this.#countAhead(receiver, 1);
    return this.#reservation(receiver, 'ahead');
  }

  /** Resolves with a slot, before those that were reserved ahead, or with null when none became free within `maxMs`. */
  async wait(name: ReceiverName, maxMs: number): Promise<AttemptPermit | null> {
    const receiver = this.#receiver(name);
    const found = this.#takeSlot(receiver);
    if (found !== null) return found;
    return new Promise((resolve) => {
      const end = (slot: AttemptPermit | null): void => {
        clearTimeout(timer);
        this.#listeners.delete(onFree);
        resolve(slot);
      };
      const onFree = (): void => {
        const slot = this.#takeSlot(receiver);
        if (slot !== null) end(slot);
      };
      const timer = setTimeout(() => end(null), maxMs);
      this.#listeners.add(onFree);
    });
  }

  /** How many more reservations it may get now. */
  free(name: ReceiverName): number {
    const receiver = this.#receiver(name);
    const slots = Math.max(0, this.#freeOf(receiver));
    return Math.max(slots, this.#freeAhead(receiver, receiver.slots + slots));
  }

  /** Calls `listener` whenever a slot has become free. */
  onFree(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Gives back all reservations that wait for a slot. */
  giveUpWaiting(): void {
    for (const { waiting } of this.#receivers.values())
      for (const { giveUp } of waiting.splice(0)) giveUp(new Unsent());
  }

  #takeSlot(receiver: Receiver): AttemptPermit | null {
    const { host, account } = receiver;
    const isFree = this.#freeOf(receiver) > 0;
    if (isFree) this.#countSlot(receiver, 1);
    if (isFree || this.#isCrowded(host)) host.sharers.add(account);
    return isFree ? this.#reservation(receiver, 'slot') : null;
  }

  #freeOf({ host, limit, slots }: Receiver): number {
    const now = this.#now();
    const perHostMax = this.#perHostMax;
    const share = this.#isCrowded(host) ? Math.ceil(perHostMax / Math.max(1, host.sharers.size)) : perHostMax;
    return Math.min(
      Math.min(limit.inFlightMax(now), share) - slots,
      perHostMax - host.slots,
      limit.allMax(now) - this.#slots,
    );
  }

  /** The number of reservations ahead that are possible with so many slots of its own. */
  #freeAhead({ limit, slots, ahead }: Receiver, ownSlots: number): number {
    if (!limit.isFast(this.#now())) return 0;
    return Math.min(ownSlots * limit.aheadPerSlot() - slots - ahead, attemptBounds.aheadMax - this.#ahead);
  }

  #reservation(receiver: Receiver, kind: 'slot' | 'ahead'): AttemptPermit {
    let place: 'slot' | 'ahead' | 'none' = kind;
    const release = (): void => {
      if (place === 'none') return;
      if (place === 'slot') this.#countSlot(receiver, -1);
      else this.#countAhead(receiver, -1);
      place = 'none';
      for (const listener of this.#listeners) listener();
      this.#sendWaiting(receiver);
    };
    const slot = (): Promise<void> =>
      new Promise((resolve, giveUp) => {
        const begin = (): void => {
          place = 'slot';
          resolve();
        };
        receiver.waiting.push({ begin, giveUp });
        // All slots may have become free since the reservation.
        this.#sendWaiting(receiver);
      });
    return {
      release,
      send: async (attempt) => {
        let isFailed = false;
        try {
          if (place === 'ahead') await slot();
          const ended = await this.#send(receiver, attempt);
          isFailed = ended.kind === 'failed';
          return ended;
        } finally {
          if (!isFailed) release();
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
    }
  }

  /** Gives free slots to reservations ahead, in their order; those that would wait for long are given back. */
  #sendWaiting(receiver: Receiver): void {
    const { limit, waiting } = receiver;
    const isFast = limit.isFast(this.#now());
    while (isFast && waiting.length > 0 && this.#freeOf(receiver) > 0) {
      this.#countAhead(receiver, -1);
      this.#countSlot(receiver, 1);
      waiting.shift()?.begin();
    }
    if (!isFast || receiver.slots === 0) for (const { giveUp } of waiting.splice(0)) giveUp(new Unsent());
  }

  #countSlot(receiver: Receiver, by: 1 | -1): void {
    const { host, account } = receiver;
    receiver.slots += by;
    host.slots += by;
    this.#slots += by;
    if (receiver.slots === 0 && !this.#isCrowded(host)) host.sharers.delete(account);
    if (host.slots === 0) host.sharers.clear();
  }

  /** A crowded host is shared evenly between its accounts. */
  #isCrowded({ slots }: Host): boolean {
    return slots >= this.#perHostMax / 2;
  }

  #countAhead(receiver: Receiver, by: 1 | -1): void {
    receiver.ahead += by;
    this.#ahead += by;
  }

  #receiver({ accountId, url }: ReceiverName): Receiver {
    const name = new URL(url).host;
    const key = `${accountId} ${name}`;
    const known = this.#receivers.get(key);
    if (known !== undefined) return known;
    const host = this.#hosts.get(name) ?? { slots: 0, sharers: new Set() };
    this.#hosts.set(name, host);
    const made = { account: accountId, host, limit: new ConcurrencyLimit(), waiting: [], slots: 0, ahead: 0 };
    this.#receivers.set(key, made);
    return made;
  }
}

/** An answer within this time is fast. */
const fastMs = 1_000;
/** An attempt without an answer for this long makes its receiver count as slow before it has ended. */
const overdueMs = 2_000;
const fastOnesAfterSlow = 3;
const hangsInARowMax = 3;
const perSuccess = 2;
/** The newest answer counts for this part of the average. */
const newWeight = 4;

export interface EndedAttempt {
  readonly kind: 'succeeded' | 'failed';
  readonly durationMs: number;
}

/** The limit of attempts in flight for one receiver, learned by this process. */
export class ConcurrencyLimit {
  /** Send times of unanswered attempts, oldest first; ms of a monotonic clock. */
  readonly sent = new Set<{ readonly at: number }>();
  #limit: number = attemptBounds.perReceiverMax.unknown;
  /** Fast answers that are missing until the receiver counts as fast; an unknown receiver needs one. */
  #fastOnesMissing = 1;
  #hangsInARow = 0;
  /** The time of its answers, the latest weighing most; null before the first. */
  #answerMs: number | null = null;

  /** How many attempts may be reserved for each slot: no more than it makes in the time for which they may wait. */
  aheadPerSlot(): number {
    const { reservedAhead, aheadMs } = attemptBounds;
    return Math.min(reservedAhead, Math.floor(aheadMs / Math.max(1, this.#answerMs ?? aheadMs)));
  }

  isFast(now: number): boolean {
    return this.#fastOnesMissing === 0 && !this.#isOverdue(now);
  }

  /** Slow or hanging. A receiver that fails fast harms no other. */
  isSuspect(now: number): boolean {
    return this.#fastOnesMissing > 1 || this.#isOverdue(now);
  }

  inFlightMax(now: number): number {
    if (!this.isSuspect(now)) return this.#limit;
    const { slow, hanging } = attemptBounds.perReceiverMax;
    return Math.min(this.#limit, this.#hangsInARow >= hangsInARowMax ? hanging : slow);
  }

  /** The limit for attempts of all receivers together at which this receiver begins no further one. */
  allMax(now: number): number {
    if (this.isSuspect(now)) return attemptBounds.suspectsMax;
    return this.isFast(now) ? attemptBounds.inFlightMax : attemptBounds.unprovenMax;
  }

  learn({ kind, durationMs }: EndedAttempt): void {
    const succeeded = kind === 'succeeded';
    this.#answerMs = this.#answerMs === null ? durationMs : this.#answerMs + (durationMs - this.#answerMs) / newWeight;
    const isFast = durationMs <= fastMs;
    this.#hangsInARow = succeeded || isFast ? 0 : this.#hangsInARow + 1;
    if (succeeded) this.#limit = Math.min(attemptBounds.perReceiverMax.sound, this.#limit + perSuccess);
    if (!isFast) this.#fastOnesMissing = fastOnesAfterSlow;
    else if (succeeded) this.#fastOnesMissing = Math.max(0, this.#fastOnesMissing - 1);
    else this.#fastOnesMissing = Math.max(1, this.#fastOnesMissing);
  }

  #isOverdue(now: number): boolean {
    const [oldest] = this.sent;
    return oldest !== undefined && now - oldest.at > overdueMs;
  }
}
