import type { DomainSlug } from '../../rules/domains.ts';
import type { FieldProblem } from '../../rules/field-problems.ts';
import type { ListingTerms } from '../../listings/rules/listing-terms.ts';

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
  /** null when the push had none: the account's terms apply, else the standard ones. */
  readonly listing: ListingTerms | null;
  /** The number in the last push or PATCH; null for an item that is a single piece. */
  readonly quantity: number | null;
}

/** One auction after the other, this number would take a hundred years to sell. */
export const quantityMax = 10_000;

/** A validated upsert: the content, and settings that count only at creation. */
export interface ItemRequest {
  readonly content: ItemContent;
  /** Applied only when the item is created. */
  readonly autoPublish: boolean;
  /** Fetches hosted images again, because their addresses may show other images now. */
  readonly refreshImages?: true;
  /**
   * What the content leaves empty stays as it is in an item that is there already. `ai`: so does the wish for AI, which
   * is never empty.
   */
  readonly keep?: { readonly ai: boolean };
  /** Warnings for the caller about a request that is accepted. */
  readonly warnings: readonly FieldProblem[];
}

/**
 * What the service found out, beside the caller's own content. Each part holds the input it was made from, so that an outdated
 * part is recognised. A null outcome means "asked, without a result": the item goes on without it.
 */
export interface Enrichment {
  readonly text: {
    readonly of: ItemText;
    readonly improved: ItemText | null;
    readonly unansweredAtRevision: UnansweredAtRevision;
  } | null;
  readonly vehicle: {
    readonly plate: string;
    readonly found: FoundVehicle | null;
    readonly unansweredAtRevision: UnansweredAtRevision;
    /** There was no registry to ask, so a missing answer is no problem. */
    readonly isOff?: true;
  } | null;
  /** Category on the marketplace of an item that the table of domains doesn't place. */
  readonly category: { readonly title: string; readonly categoryId: number } | null;
}

/**
 * The item's revision when the language model or the registry did not answer; null when there was an answer. The question is
 * asked again only after a further accepted write, so that a service which is down for long is never asked in a loop.
 */
type UnansweredAtRevision = number | null;

export type ItemText = Pick<ItemContent, 'title' | 'description'>;

/** Without the fields that the registry does not know. */
export interface FoundVehicle {
  readonly make?: string;
  readonly model?: string;
  readonly year?: number;
}

export const noEnrichment: Enrichment = { text: null, vehicle: null, category: null };

export type EnrichmentPart = keyof Enrichment;

/** null: asked, without a result. `unanswered`: no answer came in time. */
export type Answer<Found> = Found | null | 'unanswered';

/** `used-up`: the account has no look-ups left for the moment. `off`: the service has no vehicle registry. */
export type VehicleAnswer = Answer<FoundVehicle> | 'used-up' | 'off';

/** The answer for one part, with the input that was asked about. */
export type Finding =
  | { readonly part: 'text'; readonly of: ItemText; readonly answer: Answer<ItemText> }
  | { readonly part: 'vehicle'; readonly plate: string; readonly answer: VehicleAnswer }
  | { readonly part: 'category'; readonly title: string; readonly categoryId: number };
