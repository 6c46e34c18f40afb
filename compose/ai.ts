import { withBudget } from '../gateways/ai/budgeted-model.ts';
import { withCache } from '../gateways/ai/cached-model.ts';
import { createEmbeddedClassifier } from '../gateways/ai/embedded-classifier.ts';
import type { LanguageModel } from '../gateways/ai/language-model.ts';
import { createModelClassifier } from '../gateways/ai/model-classifier.ts';
import { createModelTextImprover } from '../gateways/ai/model-text-improver.ts';
import { createOpenAiModel } from '../gateways/ai/openai-model.ts';
import type { ItemText } from '../gateways/ai/port.ts';
import type { Config } from '../platform/config.ts';
import { createAiCache } from '../store/paid-calls/ai-cache.ts';
import { createPaidCalls } from '../store/paid-calls/paid-calls.ts';
import { classifyItem, improveText } from '../usecases/categories/categories.ts';
import type { Foundation } from './foundation.ts';

/** What is guessed about categories and texts: with the language model where one is configured, else without a network. */
export function composeAi({ config, logger, store, now }: Pick<Foundation, 'config' | 'logger' | 'store' | 'now'>) {
  const embedded = createEmbeddedClassifier();
  const model = config.ai.url === '' ? null : composeLanguageModel(config.ai, { store, now });
  const classifier = model !== null && config.ai.classifier === 'model' ? createModelClassifier(model) : embedded;
  const { fallbackCategoryId } = config.marketplace;
  const classification = { classifier, embedded, fallbackCategoryId, logger };
  const improvement = { improver: model === null ? null : createModelTextImprover(model), logger };
  return {
    /** The marketplace category of an item of domain `other`; never throws because of a model. */
    classifyItem: (text: ItemText) => classifyItem(classification, text),
    /** null when there is no working model; never throws because of one. */
    improveText: (text: Parameters<typeof improveText>[1]) => improveText(improvement, text),
    classification,
  };
}

/** The cache stands before the budget: an answer that is known costs no call. */
function composeLanguageModel(ai: Config['ai'], { store, now }: Pick<Foundation, 'store' | 'now'>): LanguageModel {
  const calls = createPaidCalls(store, now);
  const budget = { take: async () => (await calls.take('ai', ai)) === 0 };
  const model = withBudget(createOpenAiModel(ai), budget);
  const { cacheDays } = ai;
  return cacheDays === 0 ? model : withCache(model, createAiCache(store, { keptDays: cacheDays, now }), ai.model);
}
