import { deepEqual } from '../../rules/deep-equal.ts';
import { problem, type FieldProblem } from '../../rules/field-problems.ts';
import { hostedHashes, type WithHostedImages } from '../../images/rules/image-set.ts';
import type { ItemContent } from '../../items/rules/item-content.ts';
import { hasKnownBids, isUp, newestListing, type Item, type Listing, type StillShown } from '../../items/rules/item.ts';
import { askedPrices, needsPrice, type Priced } from './price.ts';
import { changeNewestListing } from './publication.ts';

/** Terms that the marketplace fixes when an auction goes up. */
export const fixedTerms = [
  'durationDays',
  'startsAt',
  'endsAt',
  'shippingOptions',
  'vatPercent',
  'categoryId',
] as const;

/** What a running auction shows of a content and can't change, by the names of the interface. Prices and images are looked at apart. */
const fixedParts = (content: ItemContent): readonly StillShown[] =>
  Object.entries({
    title: content.title,
    description: content.description,
    shippingCost: content.shippingCostOre,
    weightKg: content.weightKg,
    domain: content.domain,
    useAiEnhancement: content.useAiEnhancement,
    ...Object.fromEntries(fixedTerms.map((name) => [`listing.${name}`, content.listing?.[name]])),
  }).map(([field, value]) => ({ field, value: JSON.stringify(value ?? null) }));

/** With what is pending by another rule than that of {@link rememberShown}. */
const changeableParts = (content: ItemContent): readonly StillShown[] => [
  ...fixedParts(content),
  { field: 'imageUrls', value: JSON.stringify(content.imageUrls) },
  ...(['reservePrice', 'buyNowPrice'] as const).map((name) => ({
    field: `listing.${name}`,
    value: JSON.stringify(content.listing?.[name] ?? null),
  })),
];

const isSame = (one: StillShown, other: StillShown): boolean =>
  one.value === other.value || deepEqual(JSON.parse(one.value), JSON.parse(other.value));

/**
 * After a push: an auction that is up goes on showing what it went up with. The old value of a field is kept while the item's differs, so
 * a change back leaves nothing pending.
 */
export function rememberShown(before: Item, after: Item): Item {
  const listing = newestListing(after);
  if (listing === undefined || !isUp(listing) || before.content === after.content) return after;
  const shown = new Map([...fixedParts(before.content), ...listing.shows].map((part) => [part.field, part]));
  const shows = fixedParts(after.content).flatMap((part) => {
    const still = shown.get(part.field);
    return still === undefined || isSame(still, part) ? [] : [still];
  });
  return shows.length === 0 && listing.shows.length === 0 ? after : changeNewestListing(after, { shows });
}

/** What of an item can differ from what its auction shows. */
export type AsPublished = Priced & Pick<Item, 'listings'> & WithHostedImages;

/**
 * Fields of the item that its auction shows otherwise and can't be given while it runs: they are kept for the next publication. Names of
 * the interface.
 */
export function pendingChanges(item: AsPublished): readonly string[] {
  const listing = newestListing(item);
  if (listing === undefined || !isUp(listing)) return [];
  const hasOtherImages = !deepEqual(hostedHashes(item), listing.imageHashes);
  return [
    ...listing.shows.map(({ field }) => field),
    ...(hasOtherImages ? ['imageUrls'] : []),
    ...pendingPrices(item, listing),
  ];
}

function pendingPrices(item: AsPublished, listing: Listing): string[] {
  const { reservePriceKronor, buyNowPriceKronor } = askedPrices(item, listing).prices;
  const isKept = hasKnownBids(listing) || !needsPrice(item, listing);
  const isReservePending = reservePriceKronor !== listing.reserveKronor && (isKept || reservePriceKronor === null);
  return [
    ...(isReservePending ? ['listing.reservePrice'] : []),
    ...(buyNowPriceKronor !== listing.buyNowKronor && isKept ? ['listing.buyNowPrice'] : []),
  ];
}

/** Warnings for a push that changed what the running auction can't be given. `found` is the item before the push. */
export function pendingWarnings(found: Item, pushed: Item): FieldProblem[] {
  if (pushed === found) return [];
  const before = new Set(pendingChanges(found));
  const after = new Map(changeableParts(pushed.content).map((part) => [part.field, part]));
  const isChanged = (part: StillShown): boolean => !isSame(part, after.get(part.field) ?? part);
  const changed = new Set(
    changeableParts(found.content)
      .filter(isChanged)
      .map(({ field }) => field),
  );
  return pendingChanges(pushed)
    .filter((field) => !before.has(field) || changed.has(field))
    .map((field) => problem(field, 'pending'));
}
