import { outboundCategoryId } from '../../core/domains/marketplace-categories.ts';
import type { ItemText } from '../../gateways/ai/port.ts';
import { chooseDomain, type ClassificationDependencies } from './choose-domain.ts';

export interface ItemClassificationDependencies extends ClassificationDependencies {
  /** Marketplace category for what fits nowhere. */
  readonly fallbackCategoryId: number;
}

/** The marketplace category to publish an item of domain `other` in. Never throws because of a model. */
export async function classifyItem(
  dependencies: ItemClassificationDependencies,
  { title, description }: ItemText,
): Promise<number> {
  const slug = await chooseDomain(dependencies, `${title}\n${description}`);
  return outboundCategoryId(slug) ?? dependencies.fallbackCategoryId;
}
