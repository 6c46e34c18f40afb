/** `removed`: its seller ended it. On the wire it looks like one that ended unsold. */
export type ListingState = 'uncommitted' | 'waiting' | 'active' | 'ended' | 'sold' | 'removed';

export interface Bid {
  readonly amount: number;
  readonly at: number;
  readonly bidder: string;
}

/** One way of sending, as it was sent. */
export interface Shipping {
  /** Whole kronor. */
  readonly cost: number;
  readonly shippingOptionId: number | null;
  readonly shippingProviderId: number | null;
  readonly shippingProductId: number | null;
  /** Kilograms. */
  readonly shippingWeight: number | null;
  readonly sellerSurcharge: number | null;
  readonly sellerDiscount: number | null;
}

export interface AttributeChoice<Value> {
  readonly id: number;
  readonly values: readonly Value[];
}

/** What a seller sets; prices in whole kronor, null for none. */
export interface ListingFields {
  readonly title: string;
  /** HTML. */
  readonly description: string;
  readonly categoryId: number;
  readonly durationDays: number;
  /** Overrides the duration. */
  readonly customEndAt: number | null;
  readonly restarts: number;
  readonly startPrice: number;
  readonly reservePrice: number | null;
  readonly buyItNowPrice: number | null;
  /** Per cent. */
  readonly vat: number | null;
  readonly acceptedBidderId: number;
  readonly shippingOptions: readonly Shipping[];
  readonly paymentOptionIds: readonly number[];
  readonly itemAttributes: readonly number[];
  readonly terms: readonly AttributeChoice<string>[];
  readonly numbers: readonly AttributeChoice<number>[];
  readonly shippingCondition: string | null;
  readonly paymentCondition: string | null;
  readonly ownReferences: readonly string[];
}

export interface SentImage {
  /** On the image shelf. */
  readonly name: string;
  /** Whether the bytes are of the format that its number says. */
  readonly isReadable: boolean;
}

/** All times in milliseconds of the simulated clock. */
export interface Listing extends ListingFields {
  readonly itemId: number;
  readonly requestId: number;
  readonly userId: string;
  readonly images: readonly SentImage[];
  readonly bids: readonly Bid[];
  readonly state: ListingState;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it went up. */
  readonly startedAt: number | null;
  readonly endsAt: number | null;
  /** Grows with every change that the feed of updates shows; 0 before it is up. */
  readonly rowVersion: number;
  /** The item that this one lists again. */
  readonly restartOf: number | null;
}

/** A request to publish, which is answered later; `dueAt` is null while it is not being processed. */
export interface ListingRequest {
  readonly requestId: number;
  readonly userId: string;
  readonly itemId: number;
  readonly committedAt: number | null;
  readonly dueAt: number | null;
  /** Bit field, see result-codes.ts. */
  readonly result: number | null;
}

/** A sale of one item. Those with the same `orderId` are one order. */
export interface Transaction {
  readonly transactionId: number;
  readonly orderId: number;
  readonly itemId: number;
  readonly userId: string;
  readonly amount: number;
  readonly buyerAlias: string;
  readonly soldAt: number;
  readonly updatedAt: number;
  /** When the buyer paid through the marketplace; its order then has a payment. */
  readonly paidAt: number | null;
  readonly isPaidConfirmed: boolean;
  readonly isShipped: boolean;
  readonly isShippingBooked: boolean;
}

/** The outcome that the next commits of one own reference get instead of Ok. */
export interface ScriptedOutcome {
  readonly code: number;
  readonly times: number;
}
