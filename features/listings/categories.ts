import { domainTable, type DomainSlug, isDomainSlug, domainRows } from '../rules/domains.ts';
import { marketplaceCategoryNames, outboundCategoryId, slugOfMarketplaceCategory } from './rules/category-map.ts';
import { domainWords } from '../rules/domain-words.ts';
import {
  type CategoryClassifier,
  type Choice,
  type ItemText,
  type TextImprover,
  type TextToImprove,
  AiUnavailable,
} from '../../gateways/ai/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type { CategoryConversion, CategoryRecord, ConversionRequest } from '../../schemas/categories/categories.ts';

const certain = { confidence: 1, aiConverted: false } as const;
const classified = { confidence: 0.75, aiConverted: true } as const;

/**
 * Converts a category id of one market to the other (specification "Category conversion"): by the static map, else by a
 * classifier.
 */
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
  // A number without a name tells a classifier nothing: no model is asked, and callers can't spend its budget.
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

export interface ClassificationDependencies {
  /** Chosen by the operator: the embedded classifier or a language model. */
  readonly classifier: CategoryClassifier;
  /** Needs no network, and answers when the other classifier can't. */
  readonly embedded: CategoryClassifier;
  readonly logger: Logger;
}

/** Every domain but `other`, by its labels and the words of its categories. One list for the process: the embedded classifier learns it once. */
export const domainChoices: readonly Choice[] = Object.entries(domainWords).flatMap(([slug, words]) =>
  isDomainSlug(slug) ? [{ id: slug, words: [domainTable[slug].labelSv, domainTable[slug].labelEn, ...words] }] : [],
);

/** Returns the domain of a text; `other` when none fits. A failing model is logged and replaced, so its error is not thrown. */
async function chooseDomain(dependencies: ClassificationDependencies, text: string): Promise<DomainSlug> {
  const { classifier, embedded, logger } = dependencies;
  const input = { text, choices: domainChoices };
  try {
    return slugOf(await classifier.classify(input));
  } catch (error) {
    reportUnavailable(logger, 'classify', error);
    return slugOf(await embedded.classify(input));
  }
}

const slugOf = (id: string | null): DomainSlug => (isDomainSlug(id) ? id : 'other');

export interface ItemClassificationDependencies extends ClassificationDependencies {
  /** Marketplace category for items that fit nowhere else. */
  readonly fallbackCategoryId: number;
}

/** The marketplace category to publish an item of domain `other` in. A failing model causes no error. */
export async function classifyItem(
  dependencies: ItemClassificationDependencies,
  { title, description }: ItemText,
): Promise<number> {
  const slug = await chooseDomain(dependencies, `${title}\n${description}`);
  return outboundCategoryId(slug) ?? dependencies.fallbackCategoryId;
}

export interface ImprovementDependencies {
  /** null when no language model is configured. */
  readonly improver: TextImprover | null;
  readonly logger: Logger;
}

/**
 * The improved text; null when no model gave a usable one, and the item keeps the caller's text. A failing model causes
 * no error.
 */
export async function improveText(
  { improver, logger }: ImprovementDependencies,
  { accountId, title, description, domain }: TextToImprove & { readonly domain: DomainSlug },
): Promise<ItemText | null> {
  if (improver === null) {
    logger.warn({ task: 'improve', problem: 'not_configured' }, 'ai.unavailable');
    return null;
  }
  try {
    return await improver.improve({ accountId, title, description, domain: domainTable[domain].labelSv });
  } catch (error) {
    reportUnavailable(logger, 'improve', error);
    return null;
  }
}

/** The 18 domains in the shape of the interface. */
export const listCategories = (): CategoryRecord[] =>
  domainRows.map(({ slug, labelEn, labelSv, descriptionEn, searchFields }) => ({
    slug,
    labelEn,
    labelSv,
    descriptionEn,
    searchFields: [...searchFields],
  }));

/** One log line per failed question, without the text in question: the message of an unknown error might hold it. */
function reportUnavailable(logger: Logger, task: 'classify' | 'improve', error: unknown): void {
  if (error instanceof AiUnavailable) {
    logger.warn({ task, problem: error.problem, reason: error.message }, 'ai.unavailable');
    return;
  }
  logger.warn(
    { task, problem: 'unexpected', errorName: error instanceof Error ? error.name : typeof error },
    'ai.unavailable',
  );
}
