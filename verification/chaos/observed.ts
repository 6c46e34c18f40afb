// What a run has seen, as plain data: all that the checker looks at, so that its own tests can doctor it.

/** One write that an actor wanted, with what became of it. Its tries are one write: all had the same body. */
export interface Write {
  readonly account: string;
  readonly externalId: string;
  readonly wish: Wish;
  readonly outcome: 'accepted' | 'refused' | 'unknown';
  /** Of the last answer; null when the connection broke. */
  readonly status: number | null;
  readonly tries: number;
  /** ms since 1970, of the first try and of the last answer. */
  readonly beganAt: number;
  readonly endedAt: number;
  /** Others wrote the same item at the same time. Contested writes are pushes. */
  readonly isContested?: boolean;
}

/**
 * After an answer that never came its item is left alone for so long: a request that a broken connection left behind in the service
 * must not meet a later write, which the model could not tell from a lost one.
 */
export const restAfterUnknownMs = 15_000;

export type Wish =
  | { readonly kind: 'put'; readonly title: string; readonly price: number }
  | { readonly kind: 'price'; readonly price: number }
  | { readonly kind: 'status'; readonly status: 'not_listed' | 'sold' }
  | { readonly kind: 'publish' }
  | { readonly kind: 'delete' };

/** A file of items that was accepted, with the writes that it stands for. Its writes stand in `writes` too, as accepted. */
export interface BulkUpload {
  readonly id: string;
  readonly account: string;
  readonly mode: 'merge' | 'snapshot';
  readonly lines: number;
  /** How many of all writes were accepted before it ended, its own included. */
  readonly writesBefore: number;
}

export interface ItemRow {
  readonly id: string;
  readonly account: string;
  readonly externalId: string;
  readonly current: boolean;
  readonly title: string;
  /** The title of its auction, which keeps the one that it went up with. */
  readonly shownTitle: string;
  /** SEK */
  readonly price: number;
  readonly serviceStatus: string;
  readonly marketplaceStatus: string;
  readonly isSettled: boolean;
  /** It waits, or rests with a problem: its workflow stays. */
  readonly isBlocked: boolean;
  readonly waitingFor: string | null;
  /** Of its work: tries, last error, when it is due, when its run is to be started. */
  readonly owes: string;
  readonly sequence: number;
  readonly createdAt: number;
  /** The auctions that were taken down for it. */
  readonly takenDown: readonly string[];
  /** Hashes of its hosted images. */
  readonly images: readonly string[];
}

export interface Ad {
  readonly adId: string;
  readonly account: string;
  /** Its own references: external id, item id, publication. */
  readonly externalId: string;
  readonly itemId: string;
  readonly state: 'uncommitted' | 'waiting' | 'active' | 'ended' | 'sold' | 'removed';
  readonly title: string;
  /** SEK */
  readonly startPrice: number;
  readonly hasBids: boolean;
  /** Whether it was ever for sale. */
  readonly wasUp: boolean;
  readonly updatedAt: number;
}

export interface EventRow {
  readonly id: string;
  readonly account: string;
  readonly number: number;
  readonly type: string;
  readonly itemId: string;
  readonly sequence: number;
  readonly adId: string | null;
  readonly acceptedAt: number;
}

export interface Endpoint {
  readonly id: string;
  readonly account: string;
  /** Name of the receiver behind it. */
  readonly receiver: string;
  readonly secret: string;
  readonly active: boolean;
  readonly failCount: number;
  readonly createdAt: number;
  /** false: it refuses for ever, and nothing has to arrive. */
  readonly isReachable: boolean;
}

export interface DeliveryRow {
  readonly id: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly purpose: string;
  readonly ordinal: number;
  readonly state: string;
  readonly attempts: number;
  readonly missed: boolean;
}

export interface AttemptRow {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly status: string;
  readonly interrupted: boolean;
  /** ms since 1970, of its log record. */
  readonly at: number;
}

/** One request that reached a receiver with its whole body. */
export interface Arrival {
  /** ms since 1970 */
  readonly at: number;
  readonly receiver: string;
  readonly eventId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawBase64: string;
  /** null: it broke the connection off. */
  readonly answered: number | null;
}

/** An answer that no fault excuses, or none at all from an API that holds the connection. */
export interface BadAnswer {
  /** ms since 1970 */
  readonly at: number;
  readonly call: string;
  /** null: it didn't come. */
  readonly status: number | null;
}

export interface Observed {
  readonly writes: readonly Write[];
  readonly badAnswers: readonly BadAnswer[];
  readonly bulks: readonly (BulkUpload & {
    readonly state: string;
    readonly counted: number;
    readonly failed: number;
    /** Of the lines that failed. */
    readonly errors: readonly { readonly code: string; readonly externalId: string }[];
  })[];
  readonly rows: readonly ItemRow[];
  readonly ads: readonly Ad[];
  /** External ids with two ads that were up at the same look at the marketplace. */
  readonly doubles: readonly string[];
  readonly orders: readonly { readonly id: string; readonly adId: string | null }[];
  readonly events: readonly EventRow[];
  readonly endpoints: readonly Endpoint[];
  readonly deliveries: readonly DeliveryRow[];
  readonly attempts: readonly AttemptRow[];
  readonly arrivals: readonly Arrival[];
  /** What GET says at the end, by `account/external id`; null when it is not there. */
  readonly answers: Readonly<
    Record<
      string,
      { readonly serviceStatus: string; readonly marketplaceStatus: string; readonly price: number } | null
    >
  >;
  readonly images: {
    /** `account/hash` of every folder in the image store. */
    readonly files: readonly string[];
    /** Those that have both sizes. */
    readonly whole: readonly string[];
    readonly records: readonly string[];
  };
  readonly workflows: {
    readonly running: readonly string[];
    /** Ended otherwise than well, or with tasks that fail. */
    readonly broken: readonly string[];
  };
}

export const violationKinds = [
  'bad-answer',
  'lost-write',
  'wrong-answer',
  'two-listings',
  'disagreement',
  'order',
  'unsettled-item',
  'event-missing',
  'event-numbers',
  'sequence',
  'delivery-missing',
  'delivery-stuck',
  'delivery-changed',
  'attempt-log',
  'fail-count',
  'orphan-image',
  'image-missing',
  'bulk',
  'workflow',
] as const;
export type ViolationKind = (typeof violationKinds)[number];

/** Something that may not be, with the ids to find it by. */
export interface Violation {
  readonly kind: ViolationKind;
  readonly id: string;
  readonly message: string;
}
