import type { ItemContent, ItemRequest } from '../../features/items/rules/item-content.ts';

/** A valid push; tests name what matters to them. */
export function anItemRequest(
  content: Partial<ItemContent> = {},
  options: { autoPublish?: boolean } = {},
): ItemRequest {
  return {
    content: {
      title: 'Strålkastare Volvo V70',
      description: 'Hel och fin.',
      priceOre: 45_000,
      shippingCostOre: null,
      weightKg: null,
      currency: 'SEK',
      imageUrls: [],
      domain: null,
      useAiEnhancement: false,
      listing: null,
      quantity: null,
      ...content,
    },
    autoPublish: options.autoPublish ?? false,
    warnings: [],
  };
}
