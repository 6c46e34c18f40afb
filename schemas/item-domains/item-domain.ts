import Type, { type TSchema } from 'typebox';

import { domainRows, domainSlugs, type DomainRow, type DomainSlug } from '../../core/domains/domain-table.ts';
import { domainAttributes } from './domain-attributes.ts';

/** The slug in answers. */
export const domainSlugSchema = Type.Enum([...domainSlugs], {
  $id: 'DomainSlug',
  description: 'Domain of an item; `other` also for one that was pushed without',
});

/** `domain` of an item request in the interface document: one object per slug, selected by its inner `domain`. */
export const itemDomainSchema = Type.Unsafe<Record<string, unknown> & { domain: string }>({
  $id: 'ItemDomain',
  title: 'ItemDomain',
  description:
    'The classification of an item: the inner key `domain` is the slug and selects the valid attributes, all optional. ' +
    'Unknown attributes of a rich domain are ignored and named in `warnings`; a unit domain ignores every other field. ' +
    'Each slug and its aliases are accepted in any letter case, with dashes or spaces for underscores and without the dots ' +
    'of å, ä and ö; so are the labels of `GET /categories`. The empty text is `other`.',
  type: 'object',
  required: ['domain'],
  discriminator: { propertyName: 'domain' },
  oneOf: domainRows.map(domainVariant),
});

/** Each variant has a name, because a discriminator can only select named ones: `auto_parts` is `AutoPartsDomain`. */
function domainVariant(row: DomainRow): TSchema {
  const attributes = domainAttributes[row.slug]?.properties ?? {};
  return Type.Object(
    { domain: discriminant(row), ...attributes },
    { $id: `${nameOf(row.slug)}Domain`, title: row.labelEn, description: row.descriptionEn },
  );
}

/** Aliases are part of the type, because a client that is generated from the document refuses what the type leaves out. */
function discriminant({ slug, aliases }: DomainRow): TSchema {
  const description = `The slug \`${slug}\` or one of its aliases, which mean the same`;
  return Type.Enum([slug, ...aliases.filter((alias) => alias !== '')], { $id: `${nameOf(slug)}Slug`, description });
}

/** `auto_parts` → `AutoParts`. */
function nameOf(slug: DomainSlug): string {
  return slug.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
