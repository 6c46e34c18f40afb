import { domainRows, domainTable, type DomainSlug } from '../../rules/domains.ts';

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

/** Names of the marketplace's top categories that the static map lacks. They are public on its pages; other ids are unknown. */
export const marketplaceCategoryNames: ReadonlyMap<number, string> = new Map([
  [10, 'Fordon, Båtar & Delar'],
  [11, 'Böcker & Tidningar'],
  [12, 'Datorer & Tillbehör'],
  [13, 'DVD & Videofilmer'],
  [14, 'Foto, Kameror & Optik'],
  [15, 'Frimärken'],
  [16, 'Kläder'],
  [17, 'Hemelektronik'],
  [18, 'Hobby'],
  [19, 'Klockor'],
  [20, 'Antikt & Design'],
  [21, 'Musik'],
  [22, 'Mynt & Sedlar'],
  [23, 'Konst'],
  [24, 'Smycken & Ädelstenar'],
  [25, 'Sport & Fritid'],
  [26, 'Telefoni, Tablets & Wearables'],
  [27, 'Vykort & Bilder'],
  [29, 'Samlarsaker'],
  [30, 'TV-spel & Datorspel'],
  [31, 'Hem & Hushåll'],
  [32, 'Bygg & Verktyg'],
  [33, 'Barnkläder & Barnskor'],
  [34, 'Biljetter & Resor'],
  [36, 'Handgjort & Konsthantverk'],
  [1605, 'Trädgård & Växter'],
  [1611, 'Barnartiklar'],
  [1612, 'Accessoarer'],
  [1623, 'Skor'],
  [302571, 'Barnleksaker'],
  [340736, 'Skönhetsvård'],
]);
