import type { Fact } from '../../../../features/items/rules/history-facts.ts';
import { useLanguage } from '../i18n/language.ts';
import { inEnglish } from './english.ts';
import { inSwedish } from './swedish.ts';

interface SentenceProps {
  readonly entry: {
    readonly kind: Fact['kind'];
    readonly details: Readonly<Record<string, unknown>>;
  };
  readonly class?: string;
}

/** A fact as a sentence in the reader's language. */
export function Sentence({ entry: { kind, details }, class: look }: SentenceProps) {
  const language = useLanguage();
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the interface document does not say which details belong to which kind
  const fact = { kind, details } as Fact;
  return <span class={look}>{language === 'sv' ? inSwedish(fact) : inEnglish(fact)}</span>;
}
