import type { AccountId, EventId, ItemId, OrderId } from '../ids.ts';
import type { EventType } from '../events/event-types.ts';
import type { DomainSlug } from '../domains/domain-table.ts';
import type { SalePlatform } from '../orders/sale-platforms.ts';
import type { AppliedChunk } from './applied-chunk.ts';
import type { Enrichment } from './enrichment.ts';
import type { ItemContent } from './item-content.ts';
import type { JournalEntry } from './journal.ts';
import type { Processing } from './processing.ts';
import type { MarketplaceStatus, ServiceStatus } from './statuses.ts';

/**
 * State of one auction of an item. `drafting`, `prepared` and `committing` are not yet known to be for sale; `leaving` is for
 * sale but has to come down; the rest after `live` is history.
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

/**
 * A change of a live auction, noted before the marketplace is called: until its outcome is recorded nobody knows what the auction
 * shows, whatever becomes of the process that asked.
 */
export interface AskedChange {
  readonly publication: number;
  readonly number: number;
  /** Known once the marketplace took it in. */
  readonly requestId: string | null;
  /** Revision of the item that was asked for. */
  readonly revision: number;
  readonly contentNumber: number;
  readonly priceOre: number;
  readonly imageHashes: readonly string[];
}

/** One publication of an item (protocol 2). An entry is never overwritten by a later one: a late sale still finds it (kept-listings.ts). */
export interface Listing {
  readonly publication: number;
  readonly state: ListingState;
  /** Given by the marketplace with the draft, stored before anything else is done with it. */
  readonly requestId: string | null;
  /** The marketplace's user as whom the draft was made. */
  readonly draftedAs?: string;
  /** The marketplace's item id, known from the draft on. */
  readonly adId: string | null;
  readonly adUrl: string | null;
  /** The exact price that the marketplace took last, before rounding to kronor; as of the draft. */
  readonly itemPriceOre: number;
  /** `contentNumber` of the item that the draft or auction shows; null before there is a draft. */
  readonly contentNumber: number | null;
  /** Content hashes of the pictures that the draft or auction shows, in their order. */
  readonly imageHashes: readonly string[];
  /** A change that the marketplace was asked for and whose outcome is not recorded yet. */
  readonly change: AskedChange | null;
  /** Number of the last change that was asked for. */
  readonly changeNumber: number;
  /** Orders of its winning bids. */
  readonly orderIds: readonly OrderId[];
  /** A change to this revision was refused or given up: nothing is tried again before the next accepted write. */
  readonly refusedRevision: number | null;
  /** The marketplace refused something because of bids. */
  readonly hasBids: boolean;
  /** A commit of this request may still be on its way: it may be committed again, but never replaced by another request. */
  readonly mayBeCommitted: boolean;
  /** Causes for which a listing.failed was already sent. */
  readonly announcedCauses: readonly string[];
}

export type ImageState = 'pending' | 'hosted' | 'failed';

export interface ItemImage {
  readonly sourceUrl: string;
  readonly state: ImageState;
  /** SHA-256 of the source bytes in hex, once hosted. */
  readonly contentHash: string | null;
  /** Why it failed, safe to show. */
  readonly reason: string | null;
}

/** The images of one version of `imageUrls`. A changed list makes the next set. */
export interface ImageSet {
  readonly number: number;
  readonly images: readonly ItemImage[];
  /** item.images_ready was put in the outbox, or there was nothing to announce. */
  readonly announced: boolean;
}

/** An event that is due, carried by the write that made it due (protocol 10). */
export interface OutboxEntry {
  readonly eventId: EventId;
  readonly type: EventType;
  /** Grows by one for each event of an item. */
  readonly sequence: number;
  /** `data` of the envelope without `account`, which depends on the receiver's scope. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
  /**
   * When the write that carries it was accepted, in the database's time. The store stamps it: null until the item is read again.
   */
  readonly acceptedAt: Date | null;
  /** `requestId` of the item when it happened. */
  readonly requestId?: string;
}

/** A sale written on the item first; the workflow inserts it as an order under its derived id (protocol 6). */
export interface PendingOrder {
  readonly orderId: OrderId;
  readonly platform: SalePlatform;
  readonly amountOre: number;
  /** The fee in force when the sale was written, in hundredths of a per cent. */
  readonly feeBps: number;
  /** What the item was classified as when it was sold. */
  readonly domain: DomainSlug;
  /** The auction that was won; null for a direct sale. */
  readonly adId: string | null;
  readonly soldAt: Date;
  /** The buyer has paid already. */
  readonly isPaid: boolean;
}

/** The item as stored: state and intent in one document (protocol 1). */
export interface Item {
  readonly id: ItemId;
  readonly accountId: AccountId;
  readonly externalId: string;
  /** false once a DELETE was accepted: the external id is free again (protocol 5). */
  readonly current: boolean;
  /** When it became a tombstone that nobody sees; null for current items and for archived ones. */
  readonly removedAt: Date | null;
  /** When the document itself goes: tombstones at rest are kept for a while. */
  readonly purgeAt: Date | null;
  /** Raised by every write of whatever kind; each write is a compare-and-set on it. */
  readonly version: number;
  /** Raised by every accepted write. Work is owed while it differs from `settledRevision`. */
  readonly revision: number;
  readonly settledRevision: number;
  /** When the sweep nudges the item's workflow (again); null when nothing is owed. */
  readonly nextNudgeAt: Date | null;
  /** The sweep's present backoff. */
  readonly nudgeDelayMs: number;
  /**
   * A workflow was left with it: one that works or waits, or has ended with something that somebody should look at. The next write has to
   * reach that workflow, or another run of it.
   */
  readonly hasRun?: boolean;
  /** Since when it stands in the backlog lane, where work of many items at once waits its turn; null for all other work. */
  readonly backlogAt: Date | null;
  /**
   * When the last write of a caller was accepted, in the database's time; of a line, when its bulk sync was. The store stamps it: null
   * before the item is read again.
   */
  readonly acceptedAt: Date | null;
  /**
   * What caused its present work: `X-Request-Id` of the last call that wrote it, or the id of the look at the marketplace that
   * found something out. Absent or null when that is not known.
   */
  readonly requestId?: string | null;
  /** What bulk syncs did to it last. */
  readonly appliedChunks: readonly AppliedChunk[];
  /** What the caller said, and only that: a repeated push is compared with it. */
  readonly content: ItemContent;
  /** Raised whenever anything but the price may look different in an auction: content, images, enrichment. */
  readonly contentNumber: number;
  /** A price that the marketplace refused because of bids; the same price sent again changes nothing meanwhile (protocol 7). */
  readonly refusedPriceOre: number | null;
  readonly enrichment: Enrichment;
  readonly serviceStatus: ServiceStatus;
  readonly marketplaceStatus: MarketplaceStatus;
  /** Number of the publication that is wanted; 0 when none ever was. */
  readonly wantedPublication: number;
  readonly listings: readonly Listing[];
  readonly imageSet: ImageSet;
  /** The publication for which it was told that every image failed; 0 when none. */
  readonly imagesFailedTold: number;
  readonly outbox: readonly OutboxEntry[];
  /** The last sequence number given to an event of this item. */
  readonly sequence: number;
  /** What happened and is not in the journal's collection yet; travels with the write like the outbox. */
  readonly journal: readonly JournalEntry[];
  /** Number of the last journal entry of this item. */
  readonly journalNumber: number;
  readonly openOrderIds: readonly OrderId[];
  readonly pendingOrders: readonly PendingOrder[];
  /** Orders of won auctions whose payment the marketplace has not reported: its feed is read on for them. */
  readonly unpaidOrderIds: readonly OrderId[];
  readonly processing: Processing;
  readonly createdAt: Date;
  /** By the clock of the process that made the change: what its due times are counted from. */
  readonly updatedAt: Date;
  /**
   * When anything about it changed last, in the database's time: what callers are shown, and told changes by. The store stamps it, so
   * it is not known before the item is read again.
   */
  readonly changedAt?: Date;
}

export const newestListing = (item: Item): Listing | undefined => item.listings.at(-1);

/** On the marketplace, or possibly so: nothing new may go up and the feeds are read while one is. */
export const isUp = ({ state, mayBeCommitted }: Listing): boolean =>
  state === 'committing' ||
  state === 'live' ||
  state === 'leaving' ||
  (mayBeCommitted && (state === 'drafting' || state === 'prepared'));

/** The partner wants no auction of it: taken down, sold or deleted. */
export const isUnwanted = ({ current, serviceStatus }: Item): boolean =>
  !current || serviceStatus === 'not_listed' || serviceStatus === 'sold' || serviceStatus === 'archived';

/** A publication is asked for that was not begun yet. */
export const wantsPublication = (item: Item): boolean =>
  item.wantedPublication > (newestListing(item)?.publication ?? 0);
