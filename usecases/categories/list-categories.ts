import { domainRows } from '../../core/domains/domain-table.ts';
import type { CategoryRecord } from '../../schemas/categories/category-record.ts';

/** The 18 domains as the interface shows them. */
export const listCategories = (): CategoryRecord[] =>
  domainRows.map(({ slug, labelEn, labelSv, descriptionEn, searchFields }) => ({
    slug,
    labelEn,
    labelSv,
    descriptionEn,
    searchFields: [...searchFields],
  }));
