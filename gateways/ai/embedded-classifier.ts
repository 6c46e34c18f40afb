import { resolveSlug } from '../../core/domains/marketplace-categories.ts';
import { trainNaiveBayes, type NaiveBayes } from './naive-bayes.ts';
import type { CategoryClassifier, Choice } from './port.ts';

/** With a smaller lead the words do not decide. */
const marginMin = 0.015;

/**
 * Classifies without a network, in tens of microseconds. A title that names a domain means that domain; other texts are
 * classified by words and syllables. It learns a list of choices at its first use (about 50 ms), so pass the same list each time.
 */
export function createEmbeddedClassifier(): CategoryClassifier {
  const trained = new WeakMap<readonly Choice[], NaiveBayes>();
  return {
    async classify({ text, choices }) {
      const named = resolveSlug(text.split('\n', 1)[0]?.trim() ?? '');
      if (named !== undefined) return choices.find(({ id }) => id === named)?.id ?? null;
      const model = trained.get(choices) ?? trainNaiveBayes(choices.map(({ words }) => words));
      trained.set(choices, model);
      const best = model.best(text);
      return best === null || best.margin < marginMin ? null : (choices[best.index]?.id ?? null);
    },
  };
}
