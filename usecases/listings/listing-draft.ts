import { adHtml } from '../../core/domains/ad-text.ts';
import { outboundCategoryId } from '../../core/domains/marketplace-categories.ts';
import { effectiveContent } from '../../core/items/enrich-item.ts';
import { startPriceOre, type Item, type Listing } from '../../core/items/item.ts';
import { durationDaysOf, endAheadOf, termsOf, type ListingTerms } from '../../core/listings/listing-terms.ts';
import { ownReferences } from '../../core/listings/publication.ts';
import { wholeKronorFromOre } from '../../core/money.ts';
import type { AuctionTerms, ListingChanges, ListingDraft, ListingPrices } from '../../gateways/marketplace/port.ts';

/** `categoryId` is used for items that no table row maps. */
interface Fallback {
  readonly fallbackCategoryId: number;
}

/** The auction in the form of the marketplace. Terms that neither item nor account has are the standard ones. */
export function draftListing(
  item: Item,
  listing: Listing,
  { fallbackCategoryId, now }: Fallback & { readonly now: Date },
): ListingDraft {
  const terms = termsOf(item, listing.defaults);
  return {
    ...shownContent(item, terms, fallbackCategoryId),
    startPriceKronor: wholeKronorFromOre(startPriceOre(item)),
    durationDays: durationDaysOf(terms),
    endsAt: endAheadOf(terms, now),
    ownReferences: ownReferences(item, listing.publication),
  };
}

/** The wanted state of a live auction; `jpegs` null keeps its pictures. */
export function draftChanges(
  item: Item,
  listing: Listing,
  { jpegs, fallbackCategoryId }: Fallback & { readonly jpegs: readonly Buffer[] | null },
): ListingChanges {
  const shown = shownContent(item, termsOf(item, listing.defaults), fallbackCategoryId);
  return { ...shown, startPriceKronor: wholeKronorFromOre(startPriceOre(item)), jpegs };
}

/** The prices of a live auction. */
export function draftPrices(item: Item, listing: Listing): ListingPrices {
  const { reservePriceKronor, buyNowPriceKronor } = auctionTerms(termsOf(item, listing.defaults));
  return { startPriceKronor: wholeKronorFromOre(startPriceOre(item)), reservePriceKronor, buyNowPriceKronor };
}

function shownContent(item: Item, terms: ListingTerms, fallbackCategoryId: number) {
  const { title, description, domain, shippingCostOre, weightKg } = effectiveContent(item);
  return {
    title,
    descriptionHtml: adHtml(description, domain),
    categoryId: terms.categoryId ?? categoryOf(item, fallbackCategoryId),
    weightKg,
    shippingKronor: shippingCostOre === null ? null : wholeKronorFromOre(shippingCostOre),
    terms: auctionTerms(terms),
  };
}

const auctionTerms = (terms: ListingTerms): AuctionTerms => ({
  shippingOptions: terms.shippingOptions ?? null,
  vatPercent: terms.vatPercent ?? null,
  reservePriceKronor: terms.reservePrice ?? null,
  buyNowPriceKronor: terms.buyNowPrice ?? null,
});

const categoryOf = ({ content, enrichment }: Item, fallbackCategoryId: number): number =>
  outboundCategoryId(content.domain?.slug ?? 'other') ?? enrichment.category?.categoryId ?? fallbackCategoryId;
