import { useEffect } from 'preact/hooks';
import type { Category } from '../../../../client/generated/types.gen.ts';
import { useLanguage } from '../i18n/language.ts';
import { createStore } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';
import { api } from './api.ts';

const categories = createStore<readonly Category[]>([]);
let isAsked = false;

/**
 * The domains of items, with labels and search fields. Empty until they are loaded; they do not change while the page
 * is open.
 */
export function useCategories(): readonly Category[] {
  useEffect(() => {
    if (isAsked) return;
    isAsked = true;
    api.listCategories().then(
      ({ data }) => {
        categories.set(data);
      },
      () => {
        // The next page that needs them loads them again; until then slugs replace labels.
        isAsked = false;
      },
    );
  }, []);
  return useStore(categories);
}

/** A domain's label in the page's language; the slug until labels are loaded. */
export function useDomainLabel(): (slug: string) => string {
  const known = useCategories();
  const language = useLanguage();
  return (slug) => {
    const category = known.find((one) => one.slug === slug);
    return category?.[language === 'sv' ? 'labelSv' : 'labelEn'] ?? slug;
  };
}

/** Names that sales bear in the statistics and that are no label of theirs. */
const namesOfSales: Readonly<Record<string, string>> = { Reservdel: 'auto_parts', Kläder: 'fashion' };

/**
 * A category's name in the page's language, from its slug, its name in either language or that of its sales; unchanged
 * until names are loaded.
 */
export function useCategoryName(): (nameOrSlug: string) => string {
  const language = useLanguage();
  const known = useCategories();
  return (given) => {
    const name = namesOfSales[given] ?? given;
    const found = known.find(({ slug, labelEn, labelSv }) => [slug, labelEn, labelSv].includes(name));
    if (found === undefined) return given;
    return language === 'sv' ? found.labelSv : found.labelEn;
  };
}
