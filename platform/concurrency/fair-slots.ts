export interface FairSlotsOptions {
  /** Most slots in use. */
  readonly max: number;
  /** Most slots of one account. One larger request is granted to an account without any slots. */
  readonly perAccountMax: number;
  /** Most slots at one host, of all accounts together; without it, hosts are not bounded. */
  readonly perHostMax?: number;
  /** What an account has used lately: who used least comes first. Without it they take turns. */
  readonly usedBy?: (account: string) => number;
}

export interface PlaceRequest {
  readonly account: string;
  readonly host?: string;
  /** Slots that the request takes; 1 by default, and never more than there are. */
  readonly size?: number;
}

/** Gives the slots back; a second call has no effect. */
export type Release = () => void;

interface Waiting {
  readonly request: Required<Omit<PlaceRequest, 'host'>> & Pick<PlaceRequest, 'host'>;
  readonly begin: (release: Release) => void;
}

/**
 * Slots of this process that accounts share in turns. An account or host at its limit never delays another one. A
 * request that is larger than the free slots delays all later ones, because small ones could otherwise overtake it
 * forever.
 */
export class FairSlots {
  readonly #options: FairSlotsOptions;
  /** The account whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #ofAccount = new Map<string, number>();
  readonly #ofHost = new Map<string, number>();
  #used = 0;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
  }

  /** Resolves when the slots are free. Rejects with the reason of `signal`, and then holds nothing. */
  async acquire(asked: PlaceRequest, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    const request = this.#bounded(asked);
    let giveUp = (): void => undefined;
    const place = new Promise<Release | null>((begin) => {
      const waiting = { request, begin };
      giveUp = () => {
        this.#forget(waiting);
        // The aborted request may have delayed others.
        this.#grant();
        begin(null);
      };
      this.#queueOf(request.account).push(waiting);
      this.#grant();
    });
    signal?.addEventListener('abort', giveUp);
    const release = await place.finally(() => signal?.removeEventListener('abort', giveUp));
    if (release !== null) return release;
    signal?.throwIfAborted();
    throw new Error('given up without a reason');
  }

  /** Like {@link acquire}, but returns null when the slots are not free at once. */
  take(asked: PlaceRequest): Release | null {
    const held: Release[] = [];
    const waiting = { request: this.#bounded(asked), begin: (release: Release) => void held.push(release) };
    this.#queueOf(asked.account).push(waiting);
    this.#grant();
    if (held.length === 0) this.#forget(waiting);
    return held[0] ?? null;
  }

  #bounded({ size = 1, ...place }: PlaceRequest): Waiting['request'] {
    return { ...place, size: Math.min(size, this.#options.max) };
  }

  #grant(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { account } = next.request;
      const others = this.#forget(next);
      // Moves the account behind the others.
      this.#waiting.delete(account);
      if (others.length > 0) this.#waiting.set(account, others);
      next.begin(this.#hold(next.request));
    }
  }

  /** The first request in turn whose account and host have free slots, if enough are free in all. */
  #next(): Waiting | undefined {
    for (const queue of this.#queues()) {
      const first = queue.find(({ request }) => !this.#isFull(request));
      if (first !== undefined) return this.#hasRoom(first.request) ? first : undefined;
    }
    return undefined;
  }

  #queues(): Iterable<Waiting[]> {
    const { usedBy } = this.#options;
    if (usedBy === undefined || this.#waiting.size < 2) return this.#waiting.values();
    return [...this.#waiting]
      .map(([account, queue]) => ({ queue, used: usedBy(account) }))
      .toSorted((one, other) => one.used - other.used)
      .map(({ queue }) => queue);
  }

  #hasRoom({ size }: Waiting['request']): boolean {
    return this.#used + size <= this.#options.max;
  }

  #isFull({ account, host, size }: Waiting['request']): boolean {
    const held = this.#ofAccount.get(account) ?? 0;
    if (held > 0 && held + size > this.#options.perAccountMax) return true;
    return host !== undefined && (this.#ofHost.get(host) ?? 0) + size > (this.#options.perHostMax ?? Infinity);
  }

  #hold({ account, host, size }: Waiting['request']): Release {
    const count = (by: number): void => {
      this.#used += by;
      add(this.#ofAccount, account, by);
      if (host !== undefined) add(this.#ofHost, host, by);
    };
    count(size);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      count(-size);
      this.#grant();
    };
  }

  #queueOf(account: string): Waiting[] {
    const queue = this.#waiting.get(account) ?? [];
    this.#waiting.set(account, queue);
    return queue;
  }

  /** Returns the other requests of its account. */
  #forget(gone: Waiting): Waiting[] {
    const queue = this.#queueOf(gone.request.account);
    const index = queue.indexOf(gone);
    if (index >= 0) queue.splice(index, 1);
    if (queue.length === 0) this.#waiting.delete(gone.request.account);
    return queue;
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const sum = (counts.get(key) ?? 0) + by;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}
