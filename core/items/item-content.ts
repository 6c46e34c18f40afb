import type { DomainSlug } from '../domains/domain-table.ts';
import type { ListingTerms } from '../listings/listing-terms.ts';

/** The domain as sent: the slug, and the attributes of a rich domain exactly as the caller wrote them. */
export interface ItemDomain {
  readonly slug: DomainSlug;
  /** Attribute objects and fields, verbatim; `{}` for unit domains. Never holds the service's own keys. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The caller's data of an item, validated and normalised. Only a PUT or PATCH changes it. */
export interface ItemContent {
  readonly title: string;
  readonly description: string;
  readonly priceOre: number;
  /** null when not given; 0 is free shipping. */
  readonly shippingCostOre: number | null;
  readonly weightKg: number | null;
  readonly currency: 'SEK';
  readonly imageUrls: readonly string[];
  /** null when the request left it out: the item is classified `other` and `domain` is stored as null. */
  readonly domain: ItemDomain | null;
  readonly useAiEnhancement: boolean;
  /** null when the push had none: the auction has the terms of the account, else the standard ones. */
  readonly listing: ListingTerms | null;
  /** The number that was told last, by a push or by PATCH; null for an item that is one thing. */
  readonly quantity: number | null;
}

/** A validated upsert: the content, and settings that count only at creation. */
export interface ItemRequest {
  readonly content: ItemContent;
  /** Applied only when the item is created. */
  readonly autoPublish: boolean;
  /** Images that are hosted already are fetched again, because there may be other ones under their addresses. */
  readonly refreshImages?: true;
  /** Warnings for the caller about a request that is accepted. */
  readonly warnings: readonly RequestWarning[];
}

export interface RequestWarning {
  readonly field: string;
  readonly message: string;
}
