export type ListingState = 'uncommitted' | 'waiting' | 'active' | 'ended' | 'sold' | 'removed';

export interface Bid {
  readonly amount: number;
  readonly at: number;
  readonly bidder: string;
}

export interface ShippingOption {
  readonly shippingOptionId: number;
  readonly cost: number;
}

/** The fields that a seller sets; prices in whole kronor. */
export interface ListingFields {
  readonly title: string;
  /** HTML. */
  readonly description: string;
  readonly categoryId: number;
  readonly durationDays: number;
  /** Overrides the duration. */
  readonly customEndAt: number | null;
  readonly startPrice: number;
  readonly reservePrice: number | null;
  readonly buyItNowPrice: number | null;
  /** Per cent. */
  readonly vat: number | null;
  readonly shippingOptions: readonly ShippingOption[];
  readonly weightKg: number | null;
  readonly ownReferences: readonly string[];
}

/** All times in milliseconds of the simulated clock. */
export interface Listing extends ListingFields {
  readonly itemId: number;
  readonly requestId: number;
  readonly userId: string;
  /** Names on the image shelf. */
  readonly images: readonly string[];
  readonly bids: readonly Bid[];
  readonly state: ListingState;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endsAt: number | null;
}

/** A request that is answered later; `dueAt` is null while it is not being processed. */
export interface ListingRequest {
  readonly requestId: number;
  readonly userId: string;
  readonly work:
    | { readonly kind: 'create'; readonly itemId: number }
    | {
        readonly kind: 'revise';
        readonly changes: readonly Revision[];
        /** Names on the image shelf that replace the present ones; absent: those stay. */
        readonly images?: readonly string[];
      };
  /** Absent on requests that began with their commit. */
  readonly createdAt?: number;
  readonly committedAt: number | null;
  readonly dueAt: number | null;
  readonly result: RequestResult | null;
}

export interface Revision {
  readonly itemId: number;
  readonly fields: Partial<ListingFields>;
}

export interface RequestResult {
  /** Bit field, see result-codes.ts. */
  readonly code: number;
  readonly message: string;
}

export interface Transaction {
  readonly transactionId: number;
  readonly itemId: number;
  readonly userId: string;
  readonly amount: number;
  readonly buyerAlias: string;
  readonly soldAt: number;
  readonly updatedAt: number;
  readonly paid: boolean;
  /** The seller has reported that it was sent. */
  readonly shipped?: boolean;
}

/** The outcome that the next commits of one own reference get instead of Ok. */
export interface ScriptedOutcome {
  readonly code: number;
  readonly times: number;
}
