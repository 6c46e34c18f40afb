import type { ExtendedAttributes } from '../rules/flatten-domain.ts';
import type { ListedItem } from '../rules/describe-item.ts';
import { improvedText } from '../rules/enrich-item.ts';
import type { Enrichment, ItemContent } from '../rules/item-content.ts';
import type { ItemImage } from '../rules/item.ts';
import { accountId, itemId } from '../../rules/ids.ts';
import type { Processing } from '../rules/processing.ts';
import type { ItemRow } from './item-row.ts';

/** The part of a row that {@link listedFields} reads. */
export interface ListedRow extends Pick<ItemRow, Plain> {
  /** The description only beside an improved text, which is compared with it. */
  readonly content: Pick<ItemContent, 'title' | 'priceOre' | 'useAiEnhancement' | 'listing'> & {
    readonly description?: string;
  };
  readonly extendedAttributes: Pick<ExtendedAttributes, 'domain'>;
  readonly enrichment: { readonly text?: Enrichment['text'] };
  readonly processing: Pick<Processing, 'waitingFor'>;
  readonly imageSet: { readonly images: readonly Pick<ItemImage, 'state' | 'contentHash'>[] };
}

const plain = [
  '_id',
  'accountId',
  'externalId',
  'serviceStatus',
  'marketplaceStatus',
  'quantityLeft',
  'relisted',
  'listDomain',
  'blockedReason',
  'revision',
  'listings',
  'createdAt',
  'changedAt',
] as const;
type Plain = (typeof plain)[number];

const ifImproved = (field: string) => ({
  $cond: [{ $ifNull: ['$enrichment.text.improved', false] }, field, '$$REMOVE'],
});

/** A projection: reading whole rows, with their texts and search terms, took four times as long. */
export const listedFields = {
  ...Object.fromEntries(plain.map((name) => [name, 1] as const)),
  content: { title: 1, priceOre: 1, useAiEnhancement: 1, listing: 1, description: ifImproved('$content.description') },
  extendedAttributes: { domain: 1 },
  enrichment: { text: ifImproved('$enrichment.text') },
  processing: { waitingFor: 1 },
  imageSet: { images: { state: 1, contentHash: 1 } },
} as const;

/** The item of a row that was read with {@link listedFields}. */
export function listedFromRow(row: ListedRow): ListedItem {
  const { content, enrichment, externalId, serviceStatus, marketplaceStatus, quantityLeft, relisted } = row;
  const { title, priceOre, listing, description = '' } = content;
  const improved = improvedText({ ...content, description }, { text: enrichment.text ?? null });
  return {
    id: itemId(row._id),
    accountId: accountId(row.accountId),
    externalId,
    serviceStatus,
    marketplaceStatus,
    quantityLeft,
    relisted,
    listings: row.listings,
    revision: row.revision,
    content: { title, priceOre, listing },
    shownTitle: improved?.title ?? title,
    ownDomain: row.extendedAttributes.domain,
    domain: row.listDomain,
    waitingFor: row.processing.waitingFor,
    problem: row.blockedReason,
    imageSet: row.imageSet,
    createdAt: row.createdAt,
    changedAt: row.changedAt,
  };
}
