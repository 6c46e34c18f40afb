import { useEffect } from 'preact/hooks';
import type { Category } from '../../../../client/generated/types.gen.ts';
import { useLanguage } from '../i18n/language.ts';
import { createStore } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';
import { api } from './api.ts';

const categories = createStore<readonly Category[]>([]);
let isAsked = false;

/** The domains that items belong to, with their labels and search fields. Empty until known; they never change while a page lives. */
export function useCategories(): readonly Category[] {
  useEffect(() => {
    if (isAsked) return;
    isAsked = true;
    api.listCategories().then(
      ({ data }) => {
        categories.set(data);
      },
      () => {
        // The next page that needs them asks again; until then slugs stand for labels.
        isAsked = false;
      },
    );
  }, []);
  return useStore(categories);
}

/** A domain's label in the language of the page; the slug itself until that is known. */
export function useDomainLabel(): (slug: string) => string {
  const known = useCategories();
  const language = useLanguage();
  return (slug) => {
    const category = known.find((one) => one.slug === slug);
    return category?.[language === 'sv' ? 'labelSv' : 'labelEn'] ?? slug;
  };
}

/** Name of a category in the language of the page, from its slug or from its name in either language; until it is known what was given. */
export function useCategoryName(): (nameOrSlug: string) => string {
  const language = useLanguage();
  const known = useCategories();
  return (given) => {
    const found = known.find(({ slug, labelEn, labelSv }) => [slug, labelEn, labelSv].includes(given));
    if (found === undefined) return given;
    return language === 'sv' ? found.labelSv : found.labelEn;
  };
}
