import { adHtml } from '../../core/domains/ad-text.ts';
import { outboundCategoryId } from '../../core/domains/marketplace-categories.ts';
import type { Item, Listing } from '../../core/items/item.ts';
import { ownReferences } from '../../core/listings/publication.ts';
import { wholeKronorFromOre } from '../../core/money.ts';
import type { ListingDraft } from '../../gateways/marketplace/port.ts';

const durationDays = 7;

/** The auction as the marketplace is asked for it. `categoryId` answers for items that no table row maps. */
export function draftListing(item: Item, listing: Listing, fallbackCategoryId: number): ListingDraft {
  const { content } = item;
  return {
    title: content.title,
    descriptionHtml: adHtml(content.description, content.domain),
    categoryId: outboundCategoryId(content.domain?.slug ?? 'other') ?? fallbackCategoryId,
    startPriceKronor: wholeKronorFromOre(content.priceOre),
    shippingKronor: content.shippingCostOre === null ? null : wholeKronorFromOre(content.shippingCostOre),
    durationDays,
    weightKg: content.weightKg,
    ownReferences: ownReferences(item, listing.publication),
  };
}
