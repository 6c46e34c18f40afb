import { domainTable, type DomainSlug } from '../../core/domains/domain-table.ts';
import { outboundCategoryId, slugOfMarketplaceCategory } from '../../core/domains/marketplace-categories.ts';
import { marketplaceCategoryNames } from '../../core/domains/marketplace-category-names.ts';
import type { CategoryConversion, ConversionRequest } from '../../schemas/categories/conversion.ts';
import { chooseDomain } from './choose-domain.ts';
import type { ItemClassificationDependencies } from './classify-item.ts';

const certain = { confidence: 1, aiConverted: false } as const;
const classified = { confidence: 0.75, aiConverted: true } as const;

/** A category id of one market in terms of the other (specification "Category conversion"): by the static map, else classified. */
export function convertCategory(
  dependencies: ItemClassificationDependencies,
  request: ConversionRequest,
): Promise<CategoryConversion> {
  switch (request.from) {
    case 'marketplace':
      return fromMarketplace(dependencies, request.categoryId);
    case 'service':
      return fromService(dependencies, request.slug);
  }
}

async function fromMarketplace(
  dependencies: ItemClassificationDependencies,
  categoryId: number,
): Promise<CategoryConversion> {
  const target = { externalId: null, market: 'marketplace' } as const;
  const mapped = slugOfMarketplaceCategory(categoryId);
  if (mapped !== undefined) return { serviceCategory: mapped, ...target, ...certain };
  const name = marketplaceCategoryNames.get(categoryId);
  // A number without a name tells a classifier nothing: no model is asked, and strangers can't spend its budget.
  const serviceCategory = name === undefined ? 'other' : await chooseDomain(dependencies, name);
  return { serviceCategory, ...target, ...classified };
}

async function fromService(
  dependencies: ItemClassificationDependencies,
  slug: DomainSlug,
): Promise<CategoryConversion> {
  const answer = { serviceCategory: slug, market: 'marketplace' } as const;
  const mapped = outboundCategoryId(slug);
  if (mapped !== undefined) return { ...answer, externalId: String(mapped), ...certain };
  const chosen = outboundCategoryId(await chooseDomain(dependencies, domainTable[slug].labelSv));
  return { ...answer, externalId: String(chosen ?? dependencies.fallbackCategoryId), ...classified };
}
