import { anyBlankOrDash } from '../../rules/unseen-text.ts';
import { domainRows, domainTable, type DomainSlug } from '../../items/rules/domain-table.ts';

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

// A Map and not an object: inputs such as `__proto__` or `constructor` must find nothing.
const slugByInput: ReadonlyMap<string, DomainSlug> = new Map(
  domainRows.flatMap((row) =>
    [row.slug, ...row.aliases, row.labelEn, row.labelSv].map((input) => [comparable(input), row.slug] as const),
  ),
);

/**
 * The domain that a slug, an alias of the specification or a label from `GET /categories` means; undefined when none.
 * Letter case doesn't matter, dashes and blanks of any kind count as underscores, `å ä ö` as `a a o` (so `Böcker` is the alias
 * `bocker`). The empty string is `other`; nothing is trimmed or guessed beyond that.
 */
export function resolveSlug(input: string): DomainSlug | undefined {
  // No name is that long, whatever its Unicode form: normalising the input would only cost time.
  return input.length > 1_000 ? undefined : slugByInput.get(comparable(input));
}

function comparable(input: string): string {
  return input.normalize('NFC').toLowerCase().replace(anyBlankOrDash, '_').replace(/[åä]/g, 'a').replace(/ö/g, 'o');
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
