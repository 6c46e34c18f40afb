import { domainSchemaVersion, flattenDomain, type ExtendedAttributes } from '../domains/flatten-domain.ts';
import { describeStatus, type ItemStatus } from './item-status.ts';
import type { ImageState, Item } from './item.ts';

/** Everything about an item. Source: decisions "Items", `view=full`. Money in SEK. */
export interface ItemDescription extends ItemStatus {
  readonly title: string;
  readonly description: string;
  readonly shippingCost: number | null;
  readonly weightKg: number | null;
  readonly currency: 'SEK';
  readonly imageUrls: readonly string[];
  readonly useAiEnhancement: boolean;
  readonly images: readonly ImageDescription[];
  readonly extendedAttributes: ExtendedAttributes;
  readonly processing: ProcessingDescription;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ImageDescription {
  readonly sourceUrl: string;
  readonly state: ImageState;
  /** Where the service hosts it; null until it does. */
  readonly url: string | null;
  readonly thumbnailUrl: string | null;
  /** Why it failed; null when it didn't. */
  readonly reason: string | null;
}

export interface ProcessingDescription {
  readonly stage: string;
  readonly waitingFor: string | null;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly updatedAt: string;
}

/** What only the service says in an item's extended attributes. */
export const stampOf = (item: Item) =>
  ({ externalReference: item.externalId, source: 'integration', schemaVersion: domainSchemaVersion }) as const;

/** `hostedUrl` gives the public address of a hosted image. */
export function describeItem(
  item: Item,
  hostedUrl: (contentHash: string, size: 'large' | 'thumb') => string,
): ItemDescription {
  const { content, processing } = item;
  const { stage, waitingFor, attempts, lastError } = processing;
  return {
    ...describeStatus(item),
    title: content.title,
    description: content.description,
    shippingCost: content.shippingCostOre === null ? null : content.shippingCostOre / 100,
    weightKg: content.weightKg,
    currency: content.currency,
    imageUrls: content.imageUrls,
    useAiEnhancement: content.useAiEnhancement,
    images: item.imageSet.images.map(({ sourceUrl, state, contentHash, reason }) => ({
      sourceUrl,
      state,
      url: contentHash === null ? null : hostedUrl(contentHash, 'large'),
      thumbnailUrl: contentHash === null ? null : hostedUrl(contentHash, 'thumb'),
      reason,
    })),
    extendedAttributes: flattenDomain(content.domain, stampOf(item)),
    processing: { stage, waitingFor, attempts, lastError, updatedAt: processing.updatedAt.toISOString() },
    createdAt: item.createdAt.toISOString(),
    updatedAt: item.updatedAt.toISOString(),
  };
}
