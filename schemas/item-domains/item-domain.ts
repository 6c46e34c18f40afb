import Type, { type TSchema } from 'typebox';

import { domainRows, type DomainRow } from '../../core/domains/domain-table.ts';
import { domainAttributes } from './domain-attributes.ts';

/** `domain` of an item request in the interface document: one object per slug, selected by its inner `domain`. */
export const itemDomainSchema = Type.Unsafe<Record<string, unknown> & { domain: string }>({
  $id: 'ItemDomain',
  title: 'ItemDomain',
  description:
    'The classification of an item: the inner key `domain` is the slug and selects the valid attributes, all optional. ' +
    'Unknown attributes of a rich domain are ignored and named in `warnings`; a unit domain ignores every other field. ' +
    'Aliases of a slug are accepted in any letter case, with dashes or spaces for underscores.',
  type: 'object',
  required: ['domain'],
  discriminator: { propertyName: 'domain' },
  oneOf: domainRows.map(domainVariant),
});

/** Each variant has a name, because a discriminator can only select named ones: `auto_parts` is `AutoPartsDomain`. */
function domainVariant(row: DomainRow): TSchema {
  const attributes = domainAttributes[row.slug]?.properties ?? {};
  return Type.Object(
    { domain: Type.Literal(row.slug, { description: 'The discriminant' }), ...attributes },
    { $id: variantName(row), title: row.labelEn, description: row.descriptionEn },
  );
}

function variantName({ slug }: DomainRow): string {
  const name = slug.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return `${name}Domain`;
}
