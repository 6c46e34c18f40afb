import type { Listing, ListingRequest, ScriptedOutcome, Transaction } from './model.ts';

/** One change as it is written to the journal: always the whole new record. */
export type BookChange =
  | { readonly type: 'listing'; readonly value: Listing }
  | { readonly type: 'request'; readonly value: ListingRequest }
  | { readonly type: 'transaction'; readonly value: Transaction }
  | {
      readonly type: 'outcomes';
      readonly value: { readonly ownReference: string; readonly outcomes: readonly ScriptedOutcome[] };
    };

interface Due {
  readonly at: number;
  readonly kind: 'request' | 'end';
  readonly id: number;
}

const firstItemId = 600_000_001;
const firstRequestId = 1_001;
const firstTransactionId = 90_001;
/** Larger than any item's id, so that the two can't be confused. */
const firstRowVersion = 4_100_000_001;

/** All records with their indexes. It holds no rules: those are in publishing.ts, bids.ts and prices.ts. */
export class ListingBook {
  readonly #listings = new Map<number, Listing>();
  readonly #requests = new Map<number, ListingRequest>();
  readonly #transactions = new Map<number, Transaction>();
  readonly #outcomes = new Map<string, readonly ScriptedOutcome[]>();
  readonly #itemIdsByReference = new Map<string, Set<number>>();
  readonly #itemIdsByUser = new Map<string, Set<number>>();
  readonly #transactionIdsByUser = new Map<string, Set<number>>();
  /** The earliest is the last. */
  readonly #dues: Due[] = [];
  #rowVersion = firstRowVersion;
  readonly #onChange: (change: BookChange) => void;

  /** `onChange` gets every change before the calling method returns. */
  constructor(onChange: (change: BookChange) => void) {
    this.#onChange = onChange;
  }

  nextItemId = (): number => firstItemId + this.#listings.size;
  nextRequestId = (): number => firstRequestId + this.#requests.size;
  nextTransactionId = (): number => firstTransactionId + this.#transactions.size;
  nextRowVersion = (): number => this.#rowVersion + 1;

  listing = (itemId: number): Listing | undefined => this.#listings.get(itemId);
  request = (requestId: number): ListingRequest | undefined => this.#requests.get(requestId);
  transaction = (transactionId: number): Transaction | undefined => this.#transactions.get(transactionId);

  put(listing: Listing): Listing {
    this.#change({ type: 'listing', value: listing });
    return listing;
  }

  putRequest(request: ListingRequest): void {
    this.#change({ type: 'request', value: request });
  }

  putTransaction(transaction: Transaction): void {
    this.#change({ type: 'transaction', value: transaction });
  }

  /** Replaces the scripted outcomes of this own reference. */
  scriptOutcomes(ownReference: string, outcomes: readonly ScriptedOutcome[]): void {
    this.#change({ type: 'outcomes', value: { ownReference, outcomes } });
  }

  /** The scripted outcome for one commit, which is used up. */
  takeOutcome(ownReferences: readonly string[]): number | undefined {
    const ownReference = ownReferences.find((reference) => this.#outcomes.has(reference));
    const [first, ...rest] = ownReference === undefined ? [] : this.outcomesOf(ownReference);
    if (ownReference === undefined || first === undefined) return undefined;
    this.scriptOutcomes(ownReference, first.times > 1 ? [{ ...first, times: first.times - 1 }, ...rest] : rest);
    return first.code;
  }

  outcomesOf(ownReference: string): readonly ScriptedOutcome[] {
    return this.#outcomes.get(ownReference) ?? [];
  }

  /** Oldest first. */
  all(): Iterable<Listing> {
    return this.#listings.values();
  }

  withOwnReference(ownReference: string): Listing[] {
    return this.#resolve(this.#itemIdsByReference.get(ownReference), this.#listings);
  }

  ofUser(userId: string): Listing[] {
    return this.#resolve(this.#itemIdsByUser.get(userId), this.#listings);
  }

  transactionsOf(userId: string): Transaction[] {
    return this.#resolve(this.#transactionIdsByUser.get(userId), this.#transactions);
  }

  takeDue(now: number): { kind: 'request'; request: ListingRequest } | { kind: 'end'; listing: Listing } | undefined {
    for (;;) {
      const due = this.#dues.at(-1);
      if (due === undefined || due.at > now) return undefined;
      this.#dues.pop();
      // An outdated entry stays in the queue until it is due: skipping it is cheaper than searching for it.
      const request = due.kind === 'request' ? this.#requests.get(due.id) : undefined;
      if (request?.dueAt === due.at) return { kind: 'request', request };
      const listing = due.kind === 'end' ? this.#listings.get(due.id) : undefined;
      if (listing?.state === 'active' && listing.endsAt === due.at) return { kind: 'end', listing };
    }
  }

  /** Applies a change from the journal. */
  restore(change: BookChange): void {
    this.#apply(change);
  }

  /** The changes that lead to the present state. */
  *snapshot(): Generator<BookChange> {
    for (const value of this.#listings.values()) yield { type: 'listing', value };
    for (const value of this.#requests.values()) yield { type: 'request', value };
    for (const value of this.#transactions.values()) yield { type: 'transaction', value };
    for (const [ownReference, outcomes] of this.#outcomes)
      yield { type: 'outcomes', value: { ownReference, outcomes } };
  }

  #change(change: BookChange): void {
    this.#apply(change);
    this.#onChange(change);
  }

  #apply(change: BookChange): void {
    switch (change.type) {
      case 'listing':
        this.#applyListing(change.value);
        return;
      case 'request':
        this.#requests.set(change.value.requestId, change.value);
        if (change.value.dueAt !== null)
          this.#addDue({ at: change.value.dueAt, kind: 'request', id: change.value.requestId });
        return;
      case 'transaction':
        this.#transactions.set(change.value.transactionId, change.value);
        note(this.#transactionIdsByUser, change.value.userId, change.value.transactionId);
        return;
      case 'outcomes':
        if (change.value.outcomes.length === 0) this.#outcomes.delete(change.value.ownReference);
        else this.#outcomes.set(change.value.ownReference, change.value.outcomes);
    }
  }

  #applyListing(listing: Listing): void {
    const before = this.#listings.get(listing.itemId);
    for (const reference of listing.ownReferences) note(this.#itemIdsByReference, reference, listing.itemId);
    this.#listings.set(listing.itemId, listing);
    note(this.#itemIdsByUser, listing.userId, listing.itemId);
    this.#rowVersion = Math.max(this.#rowVersion, listing.rowVersion);
    const endIsNew = listing.endsAt !== null && before?.endsAt !== listing.endsAt;
    if (endIsNew && listing.state === 'active') this.#addDue({ at: listing.endsAt, kind: 'end', id: listing.itemId });
  }

  #addDue(due: Due): void {
    this.#dues.splice(this.#dues.findLastIndex(({ at }) => at > due.at) + 1, 0, due);
  }

  #resolve<Value>(ids: ReadonlySet<number> | undefined, values: ReadonlyMap<number, Value>): Value[] {
    return [...(ids ?? [])].flatMap((id) => values.get(id) ?? []);
  }
}

function note<Key>(index: Map<Key, Set<number>>, key: Key, id: number): void {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, new Set([id]));
  else ids.add(id);
}
