import { adHtml } from '../../core/domains/ad-text.ts';
import { outboundCategoryId } from '../../core/domains/marketplace-categories.ts';
import { effectiveContent } from '../../core/items/enrich-item.ts';
import type { Item, Listing } from '../../core/items/item.ts';
import { ownReferences } from '../../core/listings/publication.ts';
import { wholeKronorFromOre } from '../../core/money.ts';
import type { ListingChanges, ListingDraft } from '../../gateways/marketplace/port.ts';

const durationDays = 7;

/** The auction in the form of the marketplace. `fallbackCategoryId` is used for items that no table row maps. */
export function draftListing(item: Item, listing: Listing, fallbackCategoryId: number): ListingDraft {
  const content = effectiveContent(item);
  return {
    title: content.title,
    descriptionHtml: adHtml(content.description, content.domain),
    categoryId: categoryOf(item, fallbackCategoryId),
    startPriceKronor: wholeKronorFromOre(content.priceOre),
    shippingKronor: content.shippingCostOre === null ? null : wholeKronorFromOre(content.shippingCostOre),
    durationDays,
    weightKg: content.weightKg,
    ownReferences: ownReferences(item, listing.publication),
  };
}

const categoryOf = ({ content, enrichment }: Item, fallbackCategoryId: number): number =>
  outboundCategoryId(content.domain?.slug ?? 'other') ?? enrichment.category?.categoryId ?? fallbackCategoryId;

/** The wanted state of a live auction; `jpegs` null keeps its pictures. */
export function draftChanges(
  item: Item,
  listing: Listing,
  { jpegs, fallbackCategoryId }: { jpegs: readonly Buffer[] | null; fallbackCategoryId: number },
): ListingChanges {
  const { title, descriptionHtml, categoryId, startPriceKronor, shippingKronor, weightKg } = draftListing(
    item,
    listing,
    fallbackCategoryId,
  );
  return { title, descriptionHtml, categoryId, startPriceKronor, shippingKronor, weightKg, jpegs };
}
