import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { overviewTexts } from './texts.ts';

/** In the words of the language: `1 artikel`, `3 artiklar`; with more than were counted `fler än 3 artiklar`. */
export function useItemCount(): (count: number, hasMore?: boolean) => string {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  return (count, hasMore = false) => {
    if (hasMore) return t.manyItems(format.number(count));
    return count === 1 ? t.oneItem : t.someItems(format.number(count));
  };
}
