import { useEffect } from 'preact/hooks';
import type { Category } from '../../../../client/generated/types.gen.ts';
import { useLanguage } from '../i18n/language.ts';
import { createStore } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';
import { api } from './api.ts';

const categories = createStore<readonly Category[]>([]);
let isAsked = false;

/** Name of a category in the language of the page, from its slug or from its name in either language; until it is known what was given. */
export function useCategoryName(): (nameOrSlug: string) => string {
  const language = useLanguage();
  const known = useStore(categories);
  useEffect(() => {
    if (isAsked) return;
    isAsked = true;
    api.listCategories().then(
      ({ data }) => {
        categories.set(data);
      },
      () => {
        isAsked = false;
      },
    );
  }, []);
  return (given) => {
    const found = known.find(({ slug, labelEn, labelSv }) => [slug, labelEn, labelSv].includes(given));
    if (found === undefined) return given;
    return language === 'sv' ? found.labelSv : found.labelEn;
  };
}
