import { domainTable, isDomainSlug, type DomainSlug } from '../../core/domains/domain-table.ts';
import { domainWords } from '../../core/domains/marketplace-tree.ts';
import type { CategoryClassifier, Choice } from '../../gateways/ai/port.ts';
import type { Logger } from '../../platform/logger.ts';
import { reportUnavailable } from './report-unavailable.ts';

export interface ClassificationDependencies {
  /** What the operator chose: the embedded one, or a language model. */
  readonly classifier: CategoryClassifier;
  /** Needs no network and answers when the other can't. */
  readonly embedded: CategoryClassifier;
  readonly logger: Logger;
}

/** Every domain but `other`, by its labels and the words of its categories. One list for the process: the embedded classifier learns it once. */
export const domainChoices: readonly Choice[] = Object.entries(domainWords).flatMap(([slug, words]) =>
  isDomainSlug(slug) ? [{ id: slug, words: [domainTable[slug].labelSv, domainTable[slug].labelEn, ...words] }] : [],
);

/** The domain that a text is about; `other` when none fits. A failing model is logged and replaced, never thrown. */
export async function chooseDomain(dependencies: ClassificationDependencies, text: string): Promise<DomainSlug> {
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
