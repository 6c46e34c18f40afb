import { domainTable, type DomainSlug } from '../../core/domains/domain-table.ts';
import type { ItemText, TextImprover } from '../../gateways/ai/port.ts';
import type { Logger } from '../../platform/logger.ts';
import { reportUnavailable } from './report-unavailable.ts';

export interface ImprovementDependencies {
  /** null when no language model is configured. */
  readonly improver: TextImprover | null;
  readonly logger: Logger;
}

/** The improved text, or null when no model gave a usable one: the item then goes on with the caller's own. Never throws because of a model. */
export async function improveText(
  { improver, logger }: ImprovementDependencies,
  { title, description, domain }: ItemText & { readonly domain: DomainSlug },
): Promise<ItemText | null> {
  if (improver === null) {
    logger.warn({ task: 'improve', problem: 'not_configured' }, 'ai.unavailable');
    return null;
  }
  try {
    return await improver.improve({ title, description, domain: domainTable[domain].labelSv });
  } catch (error) {
    reportUnavailable(logger, 'improve', error);
    return null;
  }
}
