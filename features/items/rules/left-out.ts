import type { ItemContent, ItemDomain } from './item-content.ts';

type Parts = Readonly<Record<string, unknown>>;

/**
 * The fields, as dotted paths of a push, that an item has and a push leaves empty. The keys of `catalogCodes` are the
 * partner's own and count as one field. Flags are never empty, and a number of pieces is kept by every push.
 */
export function leftOutFields(before: ItemContent, pushed: ItemContent): readonly string[] {
  const own = ownFields.filter(([, field]) => isEmpty(pushed[field]) && !isEmpty(before[field])).map(([name]) => name);
  const listing = emptied({ ...before.listing }, { ...pushed.listing }, 'listing');
  return [...new Set([...own, ...emptiedOfDomain(before.domain, pushed.domain), ...listing])];
}

const ownFields = [
  ['description', 'description'],
  ['shippingCost', 'shippingCostOre'],
  ['weightKg', 'weightKg'],
  ['imageUrls', 'imageUrls'],
] as const satisfies readonly (readonly [string, keyof ItemContent])[];

/** Attributes that another category has too stay, when they are pushed. */
function emptiedOfDomain(before: ItemDomain | null, pushed: ItemDomain | null): string[] {
  if (before === null) return [];
  const attributes = emptied(before.attributes, pushed?.attributes ?? {}, 'domain');
  return pushed === null && before.slug !== 'other' ? ['domain', ...attributes] : attributes;
}

function emptied(before: Parts, pushed: Parts, path: string): string[] {
  return Object.entries(before).flatMap(([name, value]) => {
    const other = ownPart(pushed, name);
    if (!isParts(value)) return !isEmpty(value) && isEmpty(other) ? [`${path}.${name}`] : [];
    const inner = emptied(value, isParts(other) ? other : {}, `${path}.${name}`);
    return name === 'catalogCodes' && inner.length > 0 ? [`${path}.${name}`] : inner;
  });
}

/** The content of a push that keeps what it leaves empty. `keepsAi`: it does not say whether AI is wished for. */
export function keepLeftOut(before: ItemContent, pushed: ItemContent, keepsAi: boolean): ItemContent {
  return {
    ...pushed,
    description: pushed.description === '' ? before.description : pushed.description,
    shippingCostOre: pushed.shippingCostOre ?? before.shippingCostOre,
    weightKg: pushed.weightKg ?? before.weightKg,
    imageUrls: pushed.imageUrls.length === 0 ? before.imageUrls : pushed.imageUrls,
    domain: keptDomain(before.domain, pushed.domain),
    listing: before.listing === null ? pushed.listing : merged(before.listing, pushed.listing ?? {}),
    useAiEnhancement: keepsAi ? before.useAiEnhancement : pushed.useAiEnhancement,
  };
}

/** An item without a category is one of `other`. */
function keptDomain(before: ItemDomain | null, pushed: ItemDomain | null): ItemDomain | null {
  if (before === null) return pushed?.slug === 'other' ? null : pushed;
  if (pushed === null) return before;
  return pushed.slug === before.slug ? { ...pushed, attributes: merged(before.attributes, pushed.attributes) } : pushed;
}

/** Attributes that the category of the push has no place for. */
export function lostAttributes(before: ItemContent, pushed: ItemContent): readonly string[] {
  const changes = before.domain !== null && pushed.domain !== null && before.domain.slug !== pushed.domain.slug;
  return changes ? [...new Set(emptiedOfDomain(before.domain, pushed.domain))] : [];
}

function merged<Whole extends object>(before: Whole, pushed: Whole): Whole {
  const parts = Object.entries(pushed).map(([name, value]: [string, unknown]) => {
    const old: unknown = Object.hasOwn(before, name) ? Reflect.get(before, name) : undefined;
    return [name, isEmpty(value) ? old : isParts(value) && isParts(old) ? merged(old, value) : value] as const;
  });
  return { ...before, ...Object.fromEntries(parts) };
}

const ownPart = (parts: Parts, name: string): unknown => (Object.hasOwn(parts, name) ? parts[name] : undefined);

const isParts = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isParts(value) && Object.keys(value).length === 0);
