import Type, { type TObject, type TSchema } from 'typebox';

import { domainSlugs, type DomainSlug } from '../../features/rules/domains.ts';
import { isNamedLanguage } from '../../features/items/rules/book-codes.ts';
import { resolveSlug } from '../../features/rules/domains.ts';
import { problem, type FieldProblem } from '../../features/rules/field-problems.ts';
import type { ItemDomain } from '../../features/items/rules/item-content.ts';
import { compileSchema, type CompiledSchema } from '../compile-schema.ts';
import { formats, normaliserOfFormat } from '../formats.ts';
import { catalogCodesBytesMax, domainAttributes } from '../item-domains/item-domain.ts';
import type { UnknownField } from '../unknown-fields.ts';

export interface DomainReading {
  readonly domain: ItemDomain | null;
  readonly problems: readonly FieldProblem[];
  /** Attributes that a rich domain doesn't know. */
  readonly unknown: readonly UnknownField[];
  /** Values that were accepted unchanged but may be a mistake. */
  readonly warnings: readonly FieldProblem[];
}

/**
 * Reads the `domain` of a request: resolves its slug, and validates and copies the attributes that the schema names. A wrong
 * shape (not an object, no discriminant) is reported by the schema of the whole body, not here.
 */
export function readDomain(sent: unknown): DomainReading {
  if (!hasDiscriminant(sent)) return noDomain;
  const slug = resolveSlug(sent.domain);
  if (slug === undefined) return { ...noDomain, problems: [unknownSlug] };
  const attributes = compiledAttributes.get(slug);
  if (attributes === undefined) return { ...noDomain, domain: { slug, attributes: {} } };
  const overfull = overfullCodes(sent);
  if (overfull.length > 0) return { ...noDomain, problems: overfull };
  const unknown = unknownIn(attributes.schema, sent, 'domain');
  if (!attributes.compiled.accepts(sent))
    return { ...noDomain, problems: attributes.compiled.problems(sent, 'domain'), unknown };
  const warnings: FieldProblem[] = [];
  const { domain: _discriminant, ...picked } = pickKnown(attributes.schema, sent, { path: 'domain', warnings });
  return { domain: { slug, attributes: picked }, problems: [], unknown, warnings };
}

/** Problems of a domain whose parts were checked, such as too many catalogue codes. */
export const domainProblems = ({ slug, attributes }: ItemDomain): readonly FieldProblem[] =>
  readDomain({ ...attributes, domain: slug }).problems;

const noDomain: DomainReading = { domain: null, problems: [], unknown: [], warnings: [] };
const unknownSlug = problem('domain.domain', 'not_one_of', { allowed: domainSlugs.join(', ') });

interface RichDomain {
  readonly schema: TObject;
  readonly compiled: CompiledSchema<unknown>;
}

const compiledAttributes: ReadonlyMap<DomainSlug, RichDomain> = new Map(
  domainSlugs.flatMap((slug) => {
    const attributes = domainAttributes[slug];
    if (attributes === undefined) return [];
    const schema: TObject = Type.Object({ domain: Type.String(), ...attributes.properties });
    // The type argument saves the compiler from inferring an unused type, which is slow.
    return [[slug, { schema, compiled: compileSchema<TSchema>(schema) }] as const];
  }),
);

interface Discriminated {
  readonly domain: string;
  readonly [attribute: string]: unknown;
}

function hasDiscriminant(sent: unknown): sent is Discriminated {
  return (
    typeof sent === 'object' &&
    sent !== null &&
    Object.hasOwn(sent, 'domain') &&
    'domain' in sent &&
    typeof sent.domain === 'string'
  );
}

/** Attributes that the schema does not name, level by level. */
function unknownIn(schema: TObject, sent: Readonly<Record<string, unknown>>, path: string): UnknownField[] {
  const known = Object.keys(schema.properties);
  return Object.keys(sent).flatMap((key) => {
    const own = `${path}.${key}`;
    if (!Object.hasOwn(schema.properties, key)) return [{ path: own, known }];
    const [inner, value] = [schema.properties[key], sent[key]];
    return Type.IsObject(inner) && isRecord(value) && !Array.isArray(value) ? unknownIn(inner, value, own) : [];
  });
}

/** Copies the fields that the schema names, level by level, and never deeper than the schema. */
function pickKnown(
  schema: TObject,
  sent: Readonly<Record<string, unknown>>,
  place: { readonly path: string; readonly warnings: FieldProblem[] },
): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const key of Object.keys(sent)) {
    const value = sent[key];
    const path = `${place.path}.${key}`;
    const known = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (known === undefined) continue;
    if (Type.IsObject(known) && isRecord(value)) picked[key] = pickKnown(known, value, { ...place, path });
    else {
      picked[key] = normalised(known, value);
      place.warnings.push(...doubtsAbout(known, { path, value: picked[key] }));
    }
  }
  return picked;
}

/**
 * Bounds `catalogCodes` before its schema runs, which would check and report every key. The keys are the caller's own, and a body
 * may have a hundred thousand.
 */
function overfullCodes({ part }: Discriminated): FieldProblem[] {
  const codes = isRecord(part) && Object.hasOwn(part, 'catalogCodes') ? part['catalogCodes'] : undefined;
  if (!isRecord(codes) || Array.isArray(codes)) return [];
  const field = 'domain.part.catalogCodes';
  const keys = Object.keys(codes);
  const bytesMin = keys.reduce((length, key) => length + key.length, 0);
  if (bytesMin > catalogCodesBytesMax)
    return [problem(field, 'too_many_bytes', { maxKb: catalogCodesBytesMax / 1024 })];
  const wrong = keys.filter((key) => !isPlainText(key) || !isPlainText(codes[key])).length;
  return wrong > wrongCodesMax ? [problem(field, 'entries_not_text', { count: wrong })] : [];
}

/** Up to this many wrong codes are reported one by one. */
const wrongCodesMax = 1_000;
const isPlainText = (value: unknown): boolean => typeof value === 'string' && formats['plain-text'].validate(value);

function doubtsAbout(schema: object, { path, value }: { path: string; value: unknown }): FieldProblem[] {
  const isLanguage = 'format' in schema && schema.format === 'language-tag' && typeof value === 'string';
  if (!isLanguage || isNamedLanguage(value)) return [];
  return [problem(path, 'unknown_language')];
}

/** -0 becomes 0, because readers of JSON can't distinguish them. */
function normalised(schema: object, value: unknown): unknown {
  if (typeof value === 'number') return value + 0;
  if (typeof value !== 'string' || !('format' in schema) || typeof schema.format !== 'string') return value;
  return normaliserOfFormat.get(schema.format)?.(value) ?? value;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
