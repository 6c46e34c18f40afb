import type { Trace } from '../../rules/trace.ts';
import type { ImageFailure } from '../../images/rules/image-failure.ts';
import type { AccountId, EventId, ItemId, OrderId } from '../../rules/ids.ts';
import type { EventType } from '../../webhooks/rules/event-types.ts';
import type { DomainSlug } from '../../rules/domains.ts';
import type { SalePlatform } from '../../orders/rules/order.ts';
import type { ListingDefaults } from '../../listings/rules/listing-terms.ts';
import type { Enrichment, ItemContent } from './item-content.ts';
import type { JournalEntry } from './journal.ts';
import type { Processing } from './processing.ts';
import type { MarketplaceStatus, ServiceStatus } from './transitions.ts';

/**
 * State of one auction of an item. In `drafting`, `prepared` and `committing` it is not yet known to be for sale. In `leaving` it
 * is for sale but has to come down. The states from `ended` on are history.
 */
export const listingStates = [
  'drafting',
  'prepared',
  'committing',
  'live',
  'leaving',
  'ended',
  'sold',
  'removed',
  'cancelled',
  'failed',
] as const;
export type ListingState = (typeof listingStates)[number];

export interface SeenAuction {
  readonly bids: number;
  /** The highest bid, or the start price without one, in whole kronor; null when the marketplace did not say. */
  readonly priceKronor: number | null;
  readonly endsAt: Date | null;
  /** Time of the look, by the service's clock. */
  readonly at: Date;
}

/** What an auction still shows of a field that the item has otherwise: the value as JSON, so that any name in it can be stored. */
export interface StillShown {
  readonly field: string;
  readonly value: string;
}

/** One publication of an item (protocol 2). No later entry overwrites it, so a late sale still finds it (publication.ts). */
export interface Listing {
  readonly publication: number;
  readonly state: ListingState;
  /** Given by the marketplace with the draft, and stored before any further step. */
  readonly requestId: string | null;
  /** The marketplace user that created the draft. */
  readonly draftedAs?: string;
  /** The marketplace's item id, known from the draft on. */
  readonly adId: string | null;
  readonly adUrl: string | null;
  /** The last exact price that the marketplace accepted, before rounding to kronor; known from the draft on. */
  readonly itemPriceOre: number;
  /** Whole kronor, as the draft was made or the marketplace took it since; null: none. */
  readonly reserveKronor: number | null;
  readonly buyNowKronor: number | null;
  /** Start price of a call whose outcome is not recorded: the prices that the auction has are unknown. null: there is none. */
  readonly askedPriceOre: number | null;
  /** When we last knew or set the prices, by the service's clock; null until it is up. Earlier looks may show others. */
  readonly pricedAt: Date | null;
  /** `contentNumber` of the item from which the draft was made; null before there is one. */
  readonly contentNumber: number | null;
  /** What the auction shows of fields that the item has otherwise by now. */
  readonly shows: readonly StillShown[];
  /** Content hashes of the pictures that the draft or auction shows, in their order. */
  readonly imageHashes: readonly string[];
  /** The account's terms when the draft was made: a later change of them leaves this auction alone. */
  readonly defaults: ListingDefaults;
  /** null until a look has shown the auction. */
  readonly seen: SeenAuction | null;
  /** Orders of its winning bids. */
  readonly orderIds: readonly OrderId[];
  /** The prices of this revision were refused or given up. They are tried again only after the next accepted write. */
  readonly refusedRevision: number | null;
  /** The marketplace refused something because of bids. */
  readonly hasBids: boolean;
  /** A commit of this request may still be in flight: it may be committed again, but never replaced by another request. */
  readonly mayBeCommitted: boolean;
  /** It comes down to be put up again with the item's changes. */
  readonly isReplaced?: true;
  /** When a commit of its request was last sent, by the service's clock; null before. */
  readonly committedAt: Date | null;
  /** Causes for which a listing.failed was already sent. */
  readonly announcedCauses: readonly string[];
}

export type ImageState = 'pending' | 'hosted' | 'failed';

export interface ItemImage {
  readonly sourceUrl: string;
  readonly state: ImageState;
  /** SHA-256 of the source bytes in hex, once hosted; also while the image is fetched again. */
  readonly contentHash: string | null;
  /** Why it failed; of a hosted image, why it could not be fetched again. */
  readonly failure: ImageFailure | null;
}

/** The images of one version of `imageUrls`. A changed list makes the next set. */
export interface ImageSet {
  readonly number: number;
  readonly images: readonly ItemImage[];
  /** item.images_ready was added to the outbox, or is not needed. */
  readonly announced: boolean;
}

/** An event, stored with the write that makes it happen (protocol 10). */
export interface OutboxEntry {
  readonly eventId: EventId;
  readonly type: EventType;
  /** Grows by one for each event of an item. */
  readonly sequence: number;
  /** `data` of the envelope without `account`, which depends on the receiver's scope. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
  /** `requestId` of the item when it happened. */
  readonly requestId?: string;
  /** The account whose API key caused it; its own targets do not get the event. */
  readonly writtenBy?: AccountId;
}

/** A sale, stored as an order by the write that sells the item (protocol 6). */
export interface PendingOrder {
  readonly orderId: OrderId;
  readonly platform: SalePlatform;
  readonly amountOre: number;
  /** The fee in force when the sale was written, in hundredths of a per cent. */
  readonly feeBps: number;
  /** The item's domain when it was sold. */
  readonly domain: DomainSlug;
  /** The auction that was won; null for a direct sale. */
  readonly adId: string | null;
  readonly soldAt: Date;
  /** The buyer has already paid. */
  readonly isPaid: boolean;
  /** It was sold when no piece was left, so any other open order of the item is for the same piece. */
  readonly isOversold?: true;
}

/** The state of automatic relisting since the owner, or a sale, began a series of auctions. */
export interface Relisted {
  readonly times: number;
  /** By how much relisting has lowered the start price below `content.priceOre`. */
  readonly loweredOre: number;
}

export const notRelisted: Relisted = { times: 0, loweredOre: 0 };

/** The item as stored: state and intent in one document (protocol 1). */
export interface Item {
  readonly id: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
  /** false once a DELETE was accepted: the external id is free again (protocol 5). */
  readonly current: boolean;
  /** When it became a tombstone, which no caller can read; null for current and archived items. */
  readonly removedAt: Date | null;
  /** When the document itself is deleted; null unless it is a tombstone at rest. */
  readonly purgeAt: Date | null;
  /** Raised by every write; each write is a compare-and-set on it. */
  readonly version: number;
  /** Raised by every accepted write. Work is owed while it differs from `settledRevision`. */
  readonly revision: number;
  readonly settledRevision: number;
  /**
   * From then on a relay starts the item's workflow, because its start or its run was lost. null: nothing is owed, and no workflow
   * holds the row. By the database's clock.
   */
  readonly startAt: Date | null;
  /** How often in a row a relay has started the workflow; each time the next pause doubles. */
  readonly starts: number;
  /**
   * Bulk work, whose number with workflows is bounded (features/relay/relay.ts). `waits`: for its account's turn, and no workflow holds the
   * row. `started`: a workflow works on it. null: no bulk work.
   */
  readonly bulk: 'waits' | 'started' | null;
  /** The trace of the call that caused the work; null without traces. */
  readonly trace: Trace | null;
  /**
   * When the last write of a caller was accepted, in the database's time. For a line of a bulk sync: when that bulk sync was
   * accepted. The store sets it: null until the item is read again.
   */
  readonly acceptedAt: Date | null;
  /**
   * Cause of its present work: `X-Request-Id` of the last call that wrote it, or the id of the marketplace poll that reported
   * something. Absent or null when the cause is not known.
   */
  readonly requestId?: string | null;
  /** The caller's content and nothing else, because a repeated push is compared with it. */
  readonly content: ItemContent;
  /** Raised whenever a draft made from the item would differ in anything but the price: content, images, enrichment. */
  readonly contentNumber: number;
  /** A price that the marketplace refused because of bids. While the bids stand, the same price changes nothing (protocol 7). */
  readonly refusedPriceOre: number | null;
  readonly enrichment: Enrichment;
  readonly serviceStatus: ServiceStatus;
  readonly marketplaceStatus: MarketplaceStatus;
  /** Number of the publication that is wanted; 0 when none was ever asked for. */
  readonly wantedPublication: number;
  readonly relisted: Relisted;
  /** How many are left, including the one in the running auction; null for an item that is a single piece. */
  readonly quantityLeft: number | null;
  readonly listings: readonly Listing[];
  readonly imageSet: ImageSet;
  /** The publication for which the partner was told that every image failed; 0 when none. */
  readonly imagesFailedTold: number;
  /**
   * The events of the write that is being decided, which are stored with it. A stored item has none, as it has no journal entries and
   * no pending orders.
   */
  readonly outbox: readonly OutboxEntry[];
  /** The last sequence number given to an event of this item. */
  readonly sequence: number;
  /** The history of the write that is being decided. */
  readonly journal: readonly JournalEntry[];
  /** Number of the last journal entry of this item. */
  readonly journalNumber: number;
  readonly openOrderIds: readonly OrderId[];
  /** The sales of the write that is being decided. */
  readonly pendingOrders: readonly PendingOrder[];
  /** Orders of won auctions whose payment the marketplace has not reported; the feed is read because of them. */
  readonly unpaidOrderIds: readonly OrderId[];
  readonly processing: Processing;
  readonly createdAt: Date;
  /** Time of the last change, by the clock of the process that made it. Due times are counted from it. */
  readonly updatedAt: Date;
  /**
   * When it last changed, in the database's time. Callers see it, and ask for changes by it. The store sets it, so it is unknown
   * until the item is read again.
   */
  readonly changedAt?: Date;
  /** When its last event was stored, in the database's time. The store sets it, as it sets `changedAt`. */
  readonly lastEventAt?: Date;
}

/** Names an item to the store: rows are found by account, so that they may be divided by it. */
export type ItemKey = Pick<Item, 'accountId' | 'id'>;

/** The start price of the running or next auction: the caller's price less the reductions of relisting. */
export const startPriceOre = ({
  content,
  relisted,
}: Pick<Item, 'relisted'> & { readonly content: Pick<ItemContent, 'priceOre'> }): number =>
  content.priceOre - relisted.loweredOre;

/** The newest publication; undefined before the first. */
export const newestListing = (item: Pick<Item, 'listings'>): Listing | undefined => item.listings.at(-1);

/** On the marketplace, or possibly so. While a listing is up, no new one may go up, and the feeds are read. */
export const isUp = ({ state, mayBeCommitted }: Listing): boolean =>
  state === 'committing' ||
  state === 'live' ||
  state === 'leaving' ||
  (mayBeCommitted && (state === 'drafting' || state === 'prepared'));

/** The marketplace refused something because of bids, or showed some to the last look. */
export const hasKnownBids = ({ hasBids, seen }: Listing): boolean => hasBids || (seen?.bids ?? 0) > 0;

/** The partner wants no auction of the item: it is taken down, sold, deleted, or none is left of it. */
export const isUnwanted = ({
  current,
  serviceStatus,
  quantityLeft,
}: Pick<Item, 'current' | 'serviceStatus' | 'quantityLeft'>): boolean =>
  !current ||
  quantityLeft === 0 ||
  serviceStatus === 'not_listed' ||
  serviceStatus === 'sold' ||
  serviceStatus === 'archived';

/** Whether a publication is asked for that has not begun yet. */
export const wantsPublication = (item: Pick<Item, 'listings' | 'wantedPublication'>): boolean =>
  item.wantedPublication > (newestListing(item)?.publication ?? 0);
