import type { ItemStatus } from '../../../features/items/rules/describe-item.ts';
import type { Auction } from './fake-marketplace.ts';
import { requireReason } from './failure-reasons.ts';
import { ModelPictures } from './model-pictures.ts';
import { ModelPrice } from './model-price.ts';
import { ModelSales, type Offer } from './model-sales.ts';
import {
  auctionOf,
  demand,
  goesOnWithoutImages,
  namedOccurrence,
  ownAuctions,
  Mismatch,
  type BidsRefusal,
  type Phase,
  type Push,
  type SeenEvent,
  type Surroundings,
  type Visibility,
} from './model-terms.ts';
import { requireRest } from './require-rest.ts';
import { isSameStatus, type ShownStatus } from './shown-status.ts';
import { ToldEvents } from './told-events.ts';

// What a partner may expect, written from the specification, the decisions and the protocol alone. It knows calls, the truth on
// the marketplace and what partners see; it knows nothing of how the product keeps its state. Calls have one right outcome.
// What the service does by itself must be explained by one of a few moves, each with the condition under which it is allowed.

type Before = Pick<ModelItem, 'market' | 'phase'> & { readonly adId: string | null };

/** One item as its partner knows it. */
export class ModelItem {
  readonly id: string;
  visibility: Visibility = 'current';
  service: ItemStatus['serviceStatus'];
  market: ItemStatus['marketplaceStatus'] = 'pending_sync';
  title: string;
  readonly pictures: ModelPictures;
  /** A publication is asked for and was not begun yet. */
  asked: boolean;
  publication = 0;
  phase: Phase = 'none';
  readonly sales = new ModelSales();
  readonly #told = new ToldEvents();
  readonly #price: ModelPrice;
  #adId: string | null = null;
  #soldAdId: string | null = null;
  /** What the marketplace refused is not asked again before the next accepted write. */
  #isWithheld = false;
  #shownPriceOre = 0;
  #shownAdId: string | null = null;
  /** Publication was asked for since the last time that nobody wanted it. */
  #isAskedAgain = false;
  #isOverEitherWay = false;
  /** The publication whose bids were told of. */
  #bidsTold = 0;
  #openedAtMs = 0;
  /** What reads showed before the publication that is being opened; it comes back when that one is called off. */
  #before: Before = { market: 'pending_sync', phase: 'none', adId: null };

  constructor(id: string, push: Push) {
    this.id = id;
    this.service = push.imageUrls.length === 0 ? 'active' : 'draft';
    this.#price = new ModelPrice(push.priceOre);
    this.title = push.title;
    this.pictures = new ModelPictures(push.imageUrls);
    this.asked = push.autoPublish;
  }

  get isWanted(): boolean {
    return this.visibility === 'current' && (this.service === 'active' || this.service === 'draft');
  }

  /** What reads show now. */
  get status(): ShownStatus {
    return {
      serviceStatus: this.service,
      marketplaceStatus: this.market,
      // A sold item shows the auction that sold it.
      marketplaceAdId: this.market === 'sold' ? this.#soldAdId : this.#adId,
      price: this.#price.ore / 100,
    };
  }

  put(push: Push, isUpWithBids: boolean): 'updated' | 'unchanged' {
    const priceOre = this.#isHeld(push.priceOre, isUpWithBids) ? this.#price.ore : push.priceOre;
    const isSameList = this.pictures.isSame(push.imageUrls) && !this.pictures.haveFailed;
    if (push.title === this.title && priceOre === this.#price.ore && isSameList) return 'unchanged';
    this.title = push.title;
    this.#price.set(priceOre);
    if (!isSameList) this.pictures.replace(push.imageUrls);
    if (this.service === 'draft' && push.imageUrls.length === 0) this.service = 'active';
    this.#isWithheld = false;
    return 'updated';
  }

  patchPrice(priceOre: number, isUpWithBids: boolean): 'updated' | 'unchanged' {
    if (priceOre === this.#price.ore || this.#isHeld(priceOre, isUpWithBids)) return 'unchanged';
    this.#price.set(priceOre);
    this.#isWithheld = false;
    return 'updated';
  }

  patchStatus(status: 'not_listed' | 'sold', isCommitSent: boolean): 'updated' | 'unchanged' {
    if (this.service === status) return 'unchanged';
    this.service = status;
    this.#withdraw(isCommitSent);
    return 'updated';
  }

  delete(isCommitSent: boolean): 'deleted' | 'archived' | 'unchanged' {
    const isLinked = this.sales.open.length > 0;
    if (this.visibility === 'archived') {
      if (isLinked) return 'unchanged';
      this.visibility = 'gone';
      return 'deleted';
    }
    this.visibility = isLinked ? 'archived' : 'gone';
    if (isLinked) this.service = 'archived';
    this.#withdraw(isCommitSent);
    return isLinked ? 'archived' : 'deleted';
  }

  /** Only for items that are neither sold nor archived. */
  publish(): void {
    // What never had a hosted image waits for one, like any draft.
    if (this.service === 'not_listed') this.service = this.pictures.areUnready ? 'draft' : 'active';
    if (this.phase !== 'opening' && this.phase !== 'live') this.asked = true;
    this.#isAskedAgain = true;
    if (this.pictures.haveFailed) this.pictures.tryAgain();
    this.#isWithheld = false;
  }

  sellDirectly(offer: Offer, hasBids: boolean): readonly string[] {
    const mayBeUp = this.phase === 'opening' || this.phase === 'live' || this.phase === 'leaving';
    const bids = !mayBeUp || !hasBids ? 'none' : this.#bidsTold === this.publication ? 'told' : 'untold';
    return this.sales.offer(offer, { isSold: this.service === 'sold', bids });
  }

  /** Explains one write of the service: its events first, then what changed in reads. Throws {@link Mismatch}. */
  explain(shown: ItemStatus, events: readonly SeenEvent[], around: Surroundings): void {
    this.#shownPriceOre = Math.round(shown.price * 100);
    this.#shownAdId = shown.marketplaceAdUrl === null ? null : shown.marketplaceAdId;
    this.#takeDownUnseen(around);
    for (const event of events) this.#take(event, around, events);
    if (this.#shows(shown)) return;
    const isEnough = (hasMoved: boolean): boolean => hasMoved && this.#shows(shown);
    if (isEnough(this.#callOff(around)) || isEnough(this.#takeDown(around, shown))) return;
    if (isEnough(this.#open(around, shown)) || isEnough(this.#catchUp(shown))) return;
    throw new Mismatch(`not explained: ${JSON.stringify(shown)} after ${JSON.stringify(this.status)} (${this.phase})`);
  }

  requireSame(shown: ItemStatus): void {
    demand(this.#shows(shown), `reads ${JSON.stringify(shown)}, expected ${JSON.stringify(this.status)}`);
  }

  #shows(shown: ItemStatus): boolean {
    if (isSameStatus(this.status, shown)) return true;
    const isEither = this.#isOverEitherWay && this.market === 'sold' && shown.marketplaceStatus === 'ended';
    return isEither && isSameStatus({ ...this.status, marketplaceStatus: 'ended', marketplaceAdId: this.#adId }, shown);
  }

  /** The placeholder appears: something is to go up, nothing else of this external id is. */
  #open(around: Surroundings, shown: ItemStatus): boolean {
    if (shown.marketplaceAdId?.startsWith('pending') !== true) return false;
    // After a late sale it can't be seen that what was being prepared was called off.
    const isHidden = this.phase === 'opening' && this.market === 'sold' && this.#isAskedAgain;
    if (isHidden) this.#goBack();
    if (!(this.asked || isHidden) || this.service !== 'active' || this.visibility !== 'current') return false;
    if (!this.pictures.isDone || this.pictures.haveAllFailed || this.phase === 'live' || this.phase === 'opening')
      return false;
    demand(!around.auctions.some(({ state }) => state === 'active'), 'a publication began while another auction is up');
    this.#before = { market: this.market, phase: this.phase, adId: this.#adId };
    this.asked = false;
    this.publication += 1;
    this.phase = 'opening';
    this.market = 'pending_sync';
    this.#adId = 'pending';
    this.#openedAtMs = around.nowMs;
    this.#price.free();
    return true;
  }

  /** A publication that is not up is left, because nobody wants it or nobody did when it was withdrawn. */
  #callOff(around: Surroundings): boolean {
    if (this.phase !== 'opening') return false;
    const auction = this.#auction(around);
    const wasRemoved = auction?.removedBy === 'service';
    if (auction?.state === 'active' || (this.isWanted && !wasRemoved)) return false;
    // Asked for again while it was being removed: that wish is not lost.
    if (this.isWanted && !auction?.isRemovalUnheard) this.asked = true;
    this.#goBack();
    return true;
  }

  /** An auction that was up is gone without an event. */
  #takeDown(around: Surroundings, shown: ItemStatus): boolean {
    if (shown.marketplaceStatus !== 'ended') return false;
    const auction = this.#auction(around);
    if (auction?.state !== 'removed' || (this.phase !== 'live' && this.phase !== 'leaving')) return false;
    // KNOWN HOLE: asked for again after a removal whose answer was lost, it isn't put up again by itself, but shown as ended.
    if (this.isWanted && auction.removedBy === 'service' && !auction.isRemovalUnheard) this.asked = true;
    this.phase = 'over';
    if (this.market !== 'sold') this.market = 'ended';
    return true;
  }

  /** After a late sale reads show `sold`, whatever becomes of the auction that comes down because of it. */
  #takeDownUnseen(around: Surroundings, isAtRest = false): void {
    if (this.market !== 'sold' || this.isWanted) return;
    const state = this.#auction(around)?.state;
    if (this.phase === 'leaving' && state === 'removed') this.phase = 'over';
    if (this.phase === 'opening' && isAtRest && state !== 'active') this.#goBack();
  }

  /** What was given up succeeded at last, or is as it should be again. */
  #catchUp(shown: ItemStatus): boolean {
    if (shown.marketplaceStatus !== 'active') return false;
    if (this.phase !== 'live' && this.phase !== 'leaving') return false;
    this.market = 'active';
    return true;
  }

  #take(event: SeenEvent, around: Surroundings, together: readonly SeenEvent[]): void {
    this.#told.add(event);
    switch (event.type) {
      case 'item.created':
        return this.#told.once('created');
      case 'item.images_ready':
        return this.#takeImagesReady(event, around, together);
      case 'listing.created':
        return this.#takeLive(event, around);
      case 'listing.ended':
        return this.#takeEnded(event, around);
      case 'item.sold':
        return this.#takeSold(event, around);
      case 'listing.failed':
        return this.#takeFailed(String(event.data['error']).split(':')[0] ?? '', around);
      default:
        return this.#told.once(namedOccurrence(event, this.#auction(around)));
    }
  }

  #takeImagesReady(event: SeenEvent, around: Surroundings, together: readonly SeenEvent[]): void {
    this.#told.once(`images ${this.pictures.set}`);
    const hosted = this.pictures.announce(event);
    if (this.service === 'draft' && hosted > 0) this.service = 'active';
    const isTold = together.some(({ data }) => String(data['error']).startsWith('IMAGES_FAILED'));
    const isPublishing = this.isWanted && (this.asked || this.phase === 'opening');
    const mustTell = hosted === 0 && isPublishing && !this.#told.has(this.#failure('IMAGES_FAILED'));
    const mayKeepQuiet = goesOnWithoutImages(this.phase, this.#auction(around));
    demand(isTold === mustTell || (!isTold && mayKeepQuiet), `IMAGES_FAILED told: ${String(isTold)}`);
  }

  #takeLive(event: SeenEvent, around: Surroundings): void {
    const auction = this.#auction(around);
    demand(auction?.wasUp === true, 'told live, never was up');
    demand(this.phase === 'opening', `told live while ${this.phase}`);
    this.#told.once(`live ${this.publication}`);
    demand(event.data['marketplaceAdId'] === auction.adId, 'wrong ad id');
    this.phase = this.isWanted ? 'live' : 'leaving';
    // A late sale of an older auction counts for more than an auction that only comes down.
    if (this.market !== 'sold' || this.isWanted) this.market = 'active';
    this.#adId = auction.adId;
  }

  #takeEnded(event: SeenEvent, around: Surroundings): void {
    const auction = this.#told.takeEnded(event, ownAuctions(around, this.id));
    if (auction.publication !== this.publication) return;
    this.phase = 'over';
    this.#price.free();
    if (this.market !== 'sold') this.market = 'ended';
  }

  #takeSold(event: SeenEvent, around: Surroundings): void {
    if (event.data['platform'] === 'marketplace') return this.#takeWon(event, around);
    this.#told.once(`sold ${this.sales.takeDirect(event)}`);
    this.service = 'sold';
    this.#withdraw(this.#auction(around)?.wasCommitSent ?? false);
    demand(event.data['marketplaceAdId'] === this.#shownAdId, `names ${String(event.data['marketplaceAdId'])}`);
  }

  #takeWon(event: SeenEvent, around: Surroundings): void {
    const auction = this.#told.takeWon(event, ownAuctions(around, this.id));
    this.sales.takeWon(event, auction);
    if (this.visibility === 'current') this.service = 'sold';
    else {
      this.service = 'archived';
      this.visibility = 'archived';
    }
    if (auction.publication === this.publication) this.phase = 'over';
    this.#withdraw(this.#auction(around)?.wasCommitSent ?? false);
    this.market = 'sold';
    // Of two sales the newest auction's is shown.
    if (this.#told.isNewestSale(around.auctions, auction)) this.#soldAdId = auction.adId;
    this.#isOverEitherWay = false;
    this.#price.free();
  }

  #takeFailed(cause: string, around: Surroundings): void {
    if (!cause.endsWith('_REFUSED_BIDS')) requireReason(cause, this.#openedAtMs, around);
    switch (cause) {
      case 'PRICE_REFUSED_BIDS':
      case 'TAKEDOWN_REFUSED_BIDS':
        return this.#takeRefusal(cause, this.#auction(around));
      case 'PRICE_REFUSED':
      case 'MARKETPLACE_TIMEOUT_GIVEN_UP':
      case 'LISTING_REFUSED':
        return this.#giveUp(cause, around);
      default:
        return this.#told.once(this.#failure(cause));
    }
  }

  /** Bids forbid something; by now they may have made somebody the buyer. */
  #takeRefusal(cause: BidsRefusal, auction?: Auction): void {
    demand(auction !== undefined && (auction.bids > 0 || auction.state === 'sold'), `${cause} without bids`);
    this.#bidsTold = this.publication;
    demand(this.isWanted === (cause !== 'TAKEDOWN_REFUSED_BIDS'), `${cause} of what is ${this.service}`);
    if (cause === 'TAKEDOWN_REFUSED_BIDS') {
      this.phase = 'live';
      return this.#told.once(this.#failure(cause));
    }
    demand(!this.#isWithheld, 'the same change was refused twice');
    this.#isWithheld = true;
    if (cause === 'PRICE_REFUSED_BIDS') this.#price.takeBack(auction, this.#shownPriceOre);
  }

  #giveUp(cause: string, around: Surroundings): void {
    const isUp = this.#auction(around)?.state === 'active';
    if (this.phase === 'opening') {
      demand(!isUp, 'given up although it is up');
      this.#told.once(this.#failure(cause));
      this.phase = 'over';
      this.#adId = null;
    } else {
      // Bids may hold what was to leave; asked for again, it is simply up.
      const isKept = this.phase === 'live' || (this.phase === 'leaving' && this.isWanted);
      demand(isKept && cause !== 'LISTING_REFUSED', `given up while ${this.phase}`);
      this.#isWithheld = true;
    }
    if (this.market !== 'sold' || this.isWanted) this.market = 'sync_error';
  }

  /** Nothing is in motion any more and the service says that it is done: is it? Throws {@link Mismatch}. */
  requireAtRest(around: Surroundings): void {
    this.#takeDownUnseen(around, true);
    const own = ownAuctions(around, this.id);
    const cannotPublish = this.service === 'draft' || this.pictures.haveAllFailed;
    demand(this.visibility !== 'current' || this.pictures.isDone, 'images are left without a word');
    for (const auction of own) this.#told.requireAll(auction);
    requireRest(
      {
        asksFor: this.asked && this.isWanted && !cannotPublish,
        isOpening: this.phase === 'opening' && !(this.isWanted && cannotPublish),
        isWanted: this.isWanted,
        isUp: this.phase === 'live' || this.phase === 'leaving',
        market: this.market,
        priceOre: this.#price.ore,
      },
      own.filter(({ state }) => state === 'active'),
    );
  }

  #auction(around: Surroundings): Auction | undefined {
    return auctionOf(around, this.id, this.publication);
  }

  #isHeld(priceOre: number, isUpWithBids: boolean): boolean {
    return this.#price.isRefused(priceOre) && isUpWithBids && (this.phase === 'live' || this.phase === 'leaving');
  }

  /** Nobody wants an auction: what was not begun is forgotten, what surely is not up goes, what is up has to come down. */
  #withdraw(isCommitSent: boolean): void {
    this.asked = false;
    this.#isAskedAgain = false;
    if (this.phase === 'opening' && !isCommitSent) this.#goBack();
    if (this.phase === 'live') this.phase = 'leaving';
  }

  #goBack(): void {
    const { market, phase, adId } = this.#before;
    // Sold late, and its later auction taken down: which of the two is shown again after a third was called off is left open.
    this.#isOverEitherWay = market === 'sold';
    if (this.market !== 'sold') this.market = market;
    this.phase = phase;
    this.#adId = adId;
  }

  #failure(cause: string): string {
    // Images belong to the publication that is asked for, everything else to the one that was begun.
    const isNext = cause === 'IMAGES_FAILED' && this.asked && this.phase !== 'opening';
    const publication = isNext ? this.publication + 1 : this.publication;
    return `failed ${publication} ${cause}`;
  }
}
