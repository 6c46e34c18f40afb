import { resolveSlug } from '../../core/domains/resolve-slug.ts';
import { trainNaiveBayes, type NaiveBayes } from './naive-bayes.ts';
import type { CategoryClassifier, Choice } from './port.ts';

/** Below this lead the words say nothing either way. */
const marginMin = 0.015;

/**
 * Classifies without a network, in tens of microseconds: a title that is the name of a domain means that domain, everything else goes
 * by words and syllables. Learns from the choices' words when they are first seen (some 50 ms); pass the same list each time.
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
