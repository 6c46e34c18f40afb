import {
  MarketplaceError,
  type Auction as ShownAuction,
  type DraftReceipt,
  type ListingDraft,
  type ListingKeeper,
  type ListingPublisher,
  type PriceChange,
  type PriceOutcome,
  type RemovalOutcome,
  type RequestResult,
} from '../../../gateways/marketplace/port.ts';

/** What really is on the marketplace: the truth that the reference model compares with. */
export interface Auction {
  readonly reference: string;
  readonly itemId: string;
  readonly externalId: string;
  readonly publication: number;
  readonly requestId: string;
  readonly adId: string;
  state: 'uncommitted' | 'active' | 'ended' | 'sold' | 'removed';
  removedBy: 'service' | 'hand' | null;
  wasUp: boolean;
  /** A commit was sent, whether or not it arrived. */
  wasCommitSent: boolean;
  /** The marketplace's answer to the commit, when it did not go up. */
  result: 'refused' | 'too_many_active' | 'try_again' | null;
  title: string;
  priceKronor: number;
  images: number;
  bids: number;
  transactionId: string | null;
  /** The winner has paid. */
  isPaid: boolean;
  /** It was removed and nobody heard so: the answer was lost, or whoever asked died. */
  isRemovalUnheard: boolean;
}

export type Method =
  | 'ensure'
  | 'createDraft'
  | 'addImage'
  | 'commit'
  | 'readResult'
  | 'readAuction'
  | 'readRunning'
  | 'setPrices'
  | 'remove';

/**
 * `lost-before` and `lost-after`: no answer, the work not done or done. `late`: no answer, the work is done much later.
 * `result-…`: the call is taken, its outcome is no.
 */
export type Fault =
  | 'unavailable'
  | 'lost-before'
  | 'lost-after'
  | 'late'
  | 'budget'
  | 'refused'
  | 'result-refused'
  | 'result-too-many'
  | 'result-try-again'
  | 'result-unknown';

export const adUrlOf = (adId: string): string => `https://marketplace.example/item/${adId}`;

/** A broken promise to the marketplace: what must never happen whatever goes wrong in between. */
export class TwoAuctions extends Error {
  override readonly name = 'TwoAuctions';
}

/** A marketplace in memory that can have bids, lose answers and do things late. */
export class FakeMarketplace implements ListingPublisher, ListingKeeper {
  readonly auctions: Auction[] = [];
  readonly faults = new Map<Method, Fault>();
  /** Faults that were met so far, by what they are and by the publication they hit. */
  readonly met: { readonly fault: Fault | 'token'; readonly reference: string | null }[] = [];
  isTokenValid = true;
  /** Nothing answers, and nothing is done. */
  isDown = false;
  /** Called at each end of each call; a worker stops there when the test wants it to. */
  gate: (at: 'before' | 'after') => Promise<void> = () => Promise.resolve();
  onBroken: (error: Error) => void = () => undefined;
  readonly #late: (() => void)[] = [];
  #count = 0;

  /** Whether the calls of a publication are left in the budget: no call itself, so no worker stops here. */
  readonly ensureCalls = (): Promise<void> => this.#ensure();

  #ensure(): Promise<void> {
    if (this.faults.get('ensure') === undefined) return Promise.resolve();
    this.faults.delete('ensure');
    this.met.push({ fault: 'budget', reference: null });
    return Promise.reject(new MarketplaceError('budget_exhausted', 'used up', { retryAfterMs: 60_000 }));
  }

  async createDraft(_seller: unknown, draft: ListingDraft): Promise<DraftReceipt> {
    return this.#call('createDraft', draft.ownReferences[2] ?? '', () => {
      const [externalId = '', itemId = '', reference = ''] = draft.ownReferences;
      this.#count += 1;
      const auction: Auction = {
        reference,
        itemId,
        externalId,
        publication: Number(reference.split(':')[1]),
        requestId: `request-${this.#count}`,
        adId: `ad-${this.#count}`,
        state: 'uncommitted',
        removedBy: null,
        wasUp: false,
        wasCommitSent: false,
        result: null,
        title: draft.title,
        priceKronor: draft.startPriceKronor,
        images: 0,
        bids: 0,
        transactionId: null,
        isPaid: false,
        isRemovalUnheard: false,
      };
      this.auctions.push(auction);
      return { requestId: auction.requestId, adId: auction.adId };
    });
  }

  async addImage(_seller: unknown, requestId: string): Promise<void> {
    const auction = this.#byRequest(requestId);
    return this.#call('addImage', auction.reference, () => {
      auction.images += 1;
    });
  }

  async commit(_seller: unknown, requestId: string): Promise<void> {
    const auction = this.#byRequest(requestId);
    auction.wasCommitSent = true;
    const results = {
      'result-refused': 'refused',
      'result-too-many': 'too_many_active',
      'result-try-again': 'try_again',
    } as const;
    return this.#call('commit', auction.reference, (fault) => {
      if (fault === 'refused') {
        if (auction.state === 'uncommitted') auction.result = 'refused';
        throw new MarketplaceError('outcome_unknown', 'not allowed', { status: 400 });
      }
      // One request has its commits taken in order: what comes later than its answer is void, and an error is final.
      if (auction.result === 'refused' || (fault === 'late' && auction.result !== null))
        throw new MarketplaceError('outcome_unknown', 'answered before', { status: 400 });
      if (fault === 'result-refused' || fault === 'result-too-many' || fault === 'result-try-again') {
        if (auction.state === 'uncommitted') auction.result = results[fault];
        return;
      }
      if (auction.state !== 'uncommitted')
        throw new MarketplaceError('outcome_unknown', 'committed before', { status: 400 });
      auction.result = null;
      auction.state = 'active';
      auction.wasUp = true;
      this.#requireOneUp(auction.externalId);
    });
  }

  async readResult(_seller: unknown, requestId: string): Promise<RequestResult> {
    const auction = this.#byRequest(requestId);
    return this.#call('readResult', auction.reference, (fault): RequestResult => {
      if (fault === 'result-unknown') return { kind: 'none' };
      if (auction.wasUp) return { kind: 'ok', imagesRefused: false };
      return auction.result === null ? { kind: 'uncommitted' } : { kind: auction.result, message: 'no' };
    });
  }

  async readAuction(_seller: unknown, adId: string): Promise<ShownAuction | null> {
    const auction = this.#byAd(adId);
    return this.#call('readAuction', auction.reference, () => (auction.wasUp ? shown(auction) : null));
  }

  async readRunning(): Promise<readonly ShownAuction[]> {
    return this.#call('readRunning', null, () => this.#up().map(shown));
  }

  async setPrices(_seller: unknown, adId: string, { wanted }: PriceChange): Promise<PriceOutcome> {
    const auction = this.#byAd(adId);
    return this.#call('setPrices', auction.reference, (fault): PriceOutcome => {
      if (auction.state !== 'active') return { kind: 'over' };
      if (fault === 'result-refused') return { kind: 'refused', message: 'not allowed' };
      if (auction.priceKronor === wanted.startPriceKronor) return { kind: 'taken' };
      if (auction.bids > 0) return { kind: 'has_bids', auction: shown(auction) };
      auction.priceKronor = wanted.startPriceKronor;
      return { kind: 'taken' };
    });
  }

  /** Drafts can't be deleted. */
  async remove(_seller: unknown, adId: string): Promise<RemovalOutcome> {
    const auction = this.#byAd(adId);
    const outcome = await this.#call('remove', auction.reference, (): RemovalOutcome => {
      if (auction.state === 'uncommitted') return { kind: 'gone' };
      if (auction.state !== 'active') return { kind: 'over', auction: shown(auction) };
      if (auction.bids > 0) return { kind: 'has_bids' };
      auction.state = 'removed';
      auction.removedBy = 'service';
      auction.isRemovalUnheard = true;
      return { kind: 'removed' };
    });
    if (outcome.kind === 'removed') auction.isRemovalUnheard = false;
    return outcome;
  }

  /** What was sent long ago arrives. */
  landLate(): void {
    for (const effect of this.#late.splice(0)) {
      try {
        effect();
      } catch (error) {
        if (!(error instanceof MarketplaceError)) throw error;
      }
    }
  }

  bid(): void {
    for (const auction of this.#up()) auction.bids += 1;
  }

  /** The auction's time is over. */
  end(): void {
    for (const auction of this.#up()) {
      if (auction.bids > 0) this.#sell(auction);
      else auction.state = 'ended';
    }
  }

  removeByHand(): void {
    for (const auction of this.#up()) {
      if (auction.bids > 0) continue;
      auction.state = 'removed';
      auction.removedBy = 'hand';
    }
  }

  /** Somebody buys what was reported as ended without a winner. */
  sellLate(): void {
    const ended = this.auctions.find(({ state }) => state === 'ended');
    if (ended !== undefined) this.#sell(ended);
  }

  /** Every winner pays. */
  pay(): void {
    for (const auction of this.auctions) if (auction.state === 'sold') auction.isPaid = true;
  }

  newestOf(itemId: string, publication: number): Auction | undefined {
    const reference = `${itemId}:${publication}`;
    return (
      this.auctions.find((auction) => auction.reference === reference && auction.wasUp) ??
      this.auctions.findLast((auction) => auction.reference === reference)
    );
  }

  #up(): Auction[] {
    return this.auctions.filter(({ state }) => state === 'active');
  }

  #sell(auction: Auction): void {
    auction.state = 'sold';
    auction.transactionId = `t-${auction.adId}`;
  }

  #requireOneUp(externalId: string): void {
    const up = this.#up().filter((auction) => auction.externalId === externalId);
    if (up.length <= 1) return;
    const error = new TwoAuctions(`up at the same time: ${up.map(({ reference }) => reference).join(', ')}`);
    this.onBroken(error);
    throw error;
  }

  async #call<T>(method: Method, reference: string | null, effect: (fault: Fault | undefined) => T): Promise<T> {
    await this.gate('before');
    if (this.isDown) throw new MarketplaceError('unavailable', 'down');
    if (!this.isTokenValid) {
      this.met.push({ fault: 'token', reference });
      throw new MarketplaceError('token_expired', 'expired');
    }
    const fault = this.faults.get(method);
    this.faults.delete(method);
    if (fault !== undefined) this.met.push({ fault, reference });
    if (fault === 'late') this.#late.push(() => effect('late'));
    const error = refusalOf(fault, method);
    if (error !== undefined) throw error;
    const result = effect(fault);
    await this.gate('after');
    if (fault === 'lost-after') throw new MarketplaceError('outcome_unknown', 'no answer');
    return result;
  }

  #byRequest(requestId: string): Auction {
    const found = this.auctions.find((auction) => auction.requestId === requestId);
    if (found === undefined) throw new Error(`nobody drafted ${requestId}`);
    return found;
  }

  #byAd(adId: string): Auction {
    const found = this.auctions.find((auction) => auction.adId === adId);
    if (found === undefined) throw new Error(`nobody drafted ${adId}`);
    return found;
  }
}

/** One that was taken down ended before its time. */
const endOf = ({ state }: Auction): Date => new Date(state === 'removed' ? '2026-11-21' : '2030-01-08');

const shown = (auction: Auction): ShownAuction => ({
  adId: auction.adId,
  adUrl: adUrlOf(auction.adId),
  ownReferences: [auction.reference],
  startPriceKronor: auction.priceKronor,
  reservePriceKronor: null,
  buyNowPriceKronor: null,
  isOver: auction.state !== 'active',
  hasWinner: auction.state === 'sold',
  bids: auction.bids,
  priceKronor: auction.priceKronor + auction.bids,
  endsAt: endOf(auction),
  pictures: auction.images,
});

/** What a call that does nothing, or nothing yet, is answered. */
function refusalOf(fault: Fault | undefined, method: Method): MarketplaceError | undefined {
  if (fault === 'unavailable') return new MarketplaceError('unavailable', 'down');
  if (fault === 'budget') return new MarketplaceError('budget_exhausted', 'used up', { retryAfterMs: 60_000 });
  if (fault === 'late' || fault === 'lost-before') return new MarketplaceError('outcome_unknown', 'no answer');
  // The answer to a commit is the last word about its request, so that one says it itself.
  return fault === 'refused' && method !== 'commit' ? new MarketplaceError('refused', 'not allowed') : undefined;
}
