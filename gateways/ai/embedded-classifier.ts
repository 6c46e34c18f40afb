import { resolveSlug } from '../../features/rules/domains.ts';
import type { CategoryClassifier, Choice } from './port.ts';

/** With a smaller lead of the best class the words decide nothing. */
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

/** A trained model: log-likelihood of every known feature under every class. */
interface NaiveBayes {
  /** Returns the best class and its lead over the second, in nats per feature; null when no feature is known. */
  best(text: string): { readonly index: number; readonly margin: number } | null;
}

/** Smoothing for features that a class never showed, so that one unknown syllable rules nothing out. */
const smoothing = 0.2;
/** A whole word says more than a syllable that words share. */
const wordWeight = 3;
/** Weight of the first line, which is the title. */
const titleWeight = 3;
/** Further text rarely changes the class. */
const textLengthMax = 1_000;

/** Learns one class from each list of words. Multinomial over words and their 3- and 4-grams, with equal priors. */
function trainNaiveBayes(classes: readonly (readonly string[])[]): NaiveBayes {
  const counts = new Map<string, Float64Array>();
  const totals = new Float64Array(classes.length);
  classes.forEach((words, index) => {
    for (const [feature, weight] of featuresOf(words.join(' '), 1)) {
      const row = counts.get(feature) ?? new Float64Array(classes.length);
      row[index] = (row[index] ?? 0) + weight;
      totals[index] = (totals[index] ?? 0) + weight;
      counts.set(feature, row);
    }
  });
  for (const row of counts.values()) {
    row.forEach((count, index) => {
      row[index] = Math.log((count + smoothing) / ((totals[index] ?? 0) + smoothing * counts.size));
    });
  }
  return { best: (text) => bestOf(counts, text, classes.length) };
}

function bestOf(likelihoods: ReadonlyMap<string, Float64Array>, text: string, classCount: number) {
  const scores = new Float64Array(classCount);
  let [known, seen] = [0, 0];
  const [title = '', ...rest] = text.slice(0, textLengthMax).split('\n');
  const add = (feature: string, weight: number): void => {
    seen += weight;
    const row = likelihoods.get(feature);
    if (row === undefined) return;
    known += weight;
    for (let index = 0; index < classCount; index += 1)
      scores[index] = (scores[index] ?? 0) + weight * (row[index] ?? 0);
  };
  for (const [feature, weight] of featuresOf(title, titleWeight)) add(feature, weight);
  for (const [feature, weight] of featuresOf(rest.join(' '), 1)) add(feature, weight);
  if (known === 0) return null;
  // Divided by all features, not only the known ones: one known syllable in an unknown text is little evidence.
  return rank(scores, seen);
}

function rank(scores: Float64Array, seen: number): { index: number; margin: number } {
  let [index, best, second] = [0, -Infinity, -Infinity];
  scores.forEach((score, candidate) => {
    if (score > best) [index, best, second] = [candidate, score, best];
    else if (score > second) second = score;
  });
  return { index, margin: (best - second) / seen };
}

const wordForm = /[\p{L}\p{N}]+/gu;

/** Lower-case words, and the 3- and 4-grams of each with its ends marked; numbers are left out. */
function* featuresOf(text: string, weight: number): Generator<readonly [string, number]> {
  for (const [word] of text.normalize('NFC').toLowerCase().matchAll(wordForm)) {
    if (/^\p{N}+$/u.test(word)) continue;
    yield [word, weight * wordWeight];
    const marked = `^${word}$`;
    for (const size of [3, 4]) {
      for (let start = 0; start + size <= marked.length; start += 1) yield [marked.slice(start, start + size), weight];
    }
  }
}
