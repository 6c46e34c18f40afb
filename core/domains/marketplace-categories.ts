import { domainRows, domainTable, type DomainSlug } from './domain-table.ts';

const slugByCategoryId: ReadonlyMap<number, DomainSlug> = new Map(
  domainRows.flatMap((row) => row.inboundCategoryIds.map((categoryId) => [categoryId, row.slug] as const)),
);

/** The marketplace category to publish in; undefined for `other`, which only the classifier can place. */
export function outboundCategoryId(slug: DomainSlug): number | undefined {
  return domainTable[slug].outboundCategoryId ?? undefined;
}

/** The domain that a marketplace category means by the static map; undefined when the map doesn't know it. */
export function slugOfMarketplaceCategory(categoryId: number): DomainSlug | undefined {
  return slugByCategoryId.get(categoryId);
}
