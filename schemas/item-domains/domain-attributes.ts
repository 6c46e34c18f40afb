import type { TObject } from 'typebox';

import type { DomainSlug } from '../../core/domains/domain-table.ts';
import { autoPartsAttributes } from './auto-parts.ts';
import { booksAttributes } from './books.ts';
import { electronicsAttributes } from './electronics.ts';
import { fashionAttributes } from './fashion.ts';
import { vehiclesAttributes } from './vehicles.ts';
import { watchesAttributes } from './watches.ts';

/**
 * The attributes of each rich domain beside its discriminant; a slug that isn't here is a unit domain.
 * `kind` in the domain table marks the same slugs (a test compares the two).
 */
export const domainAttributes: Readonly<Partial<Record<DomainSlug, TObject>>> = {
  auto_parts: autoPartsAttributes,
  vehicles: vehiclesAttributes,
  electronics: electronicsAttributes,
  computers: electronicsAttributes,
  fashion: fashionAttributes,
  books: booksAttributes,
  watches: watchesAttributes,
};
