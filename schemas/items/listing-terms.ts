import Type from 'typebox';
import { problem, type FieldProblem } from '../../features/rules/field-problems.ts';
import {
  durationDaysMax,
  type ListingDefaults,
  type ListingTerms,
} from '../../features/listings/rules/listing-terms.ts';
import { sekMax, withoutFloatNoise } from '../../features/rules/money.ts';
import { compileSchema, validationFailed } from '../compile-schema.ts';

/** Whole kronor, because the marketplace has no öre, and rounding would change the seller's lowest price. */
const wholeKronor = (description: string, example: number) =>
  Type.Integer({ minimum: 1, maximum: sekMax, description, examples: [example] });

const marketplaceNumber = (description: string, example: number) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description, examples: [example] }));

const shippingOptionSchema = Type.Object(
  {
    optionId: marketplaceNumber('The marketplace’s number of a shipping option; 8 is pick-up', 8),
    providerId: marketplaceNumber(
      'In place of `optionId`: the marketplace’s number of a carrier; 6 is the seller’s own price',
      6,
    ),
    productId: marketplaceNumber('With `providerId`: the number of one of its products', 12),
    cost: Type.Integer({ minimum: 0, maximum: 100_000, description: 'In whole SEK; 0 is free', examples: [79] }),
  },
  { $id: 'ShippingOption', description: 'One way for the buyer to get the item', additionalProperties: false },
);

const relistSchema = Type.Object(
  {
    times: Type.Integer({ minimum: 1, maximum: 10, description: 'How often at most', examples: [2] }),
    priceStep: Type.Optional(
      wholeKronor(
        'By how many whole SEK the start price goes down each time, never below 1; not at all when left out',
        50,
      ),
    ),
  },
  {
    $id: 'Relist',
    description:
      'Put up again by itself after each auction without a winner; a sale, or `publish`, begins to count anew. The marketplace charges for each auction',
    additionalProperties: false,
  },
);

/** Terms that an account may set for all its auctions. */
const accountTerms = {
  durationDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: durationDaysMax,
      description: 'How many days the auction runs; 7 when left out',
    }),
  ),
  relist: Type.Optional(relistSchema),
  shippingOptions: Type.Optional(
    Type.Array(shippingOptionSchema, {
      minItems: 1,
      maxItems: 3,
      description: 'In place of `shippingCost`. The marketplace takes two, and pick-up as a third',
    }),
  ),
  vatPercent: Type.Optional(
    Type.Unsafe<number>({
      type: 'integer',
      enum: [0, 6, 12, 25],
      description:
        'VAT within the price. The marketplace knows no margin scheme: leave it out for what is sold under that, and say so in the description',
    }),
  ),
};

/** `listing` of an item request. Source: interface-decisions "Items". */
export const listingTermsSchema = Type.Object(
  {
    ...accountTerms,
    startsAt: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'Not put up before; at once when left out or past',
      }),
    ),
    endsAt: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description:
          'When the auction ends, instead of after `durationDays`; the marketplace charges for it. Once past, the duration counts',
      }),
    ),
    reservePrice: Type.Optional(wholeKronor('Not sold below it, in whole SEK; above `price`', 800)),
    buyNowPrice: Type.Optional(
      wholeKronor('Sold at once at it while nobody has bid, in whole SEK; above `price` and `reservePrice`', 1_200),
    ),
    categoryId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description: 'The marketplace’s category, in place of the one that the domain has',
      }),
    ),
  },
  {
    $id: 'ListingTerms',
    title: 'ListingTerms',
    description:
      'Terms of the auction. What is left out, or null, is as the account has set it, else as stated. Checked against what the marketplace takes; an unknown field is refused, because a misspelt reserve price would cost money',
    additionalProperties: false,
  },
);

/** The terms of an account. */
export const listingDefaultsSchema = Type.Object(accountTerms, {
  $id: 'ListingDefaults',
  title: 'ListingDefaults',
  description:
    'Terms of every auction of the account whose item does not have its own. They count for auctions that are put up afterwards',
  additionalProperties: false,
});

const compiledTerms = compileSchema(listingTermsSchema);
const compiledDefaults = compileSchema(listingDefaultsSchema);

export interface TermsReading {
  /** null when the request has none. */
  readonly terms: ListingTerms | null;
  readonly problems: readonly FieldProblem[];
}

/** Reads the `listing` of a request. What terms say about the price is checked where both are known. */
export function readListingTerms(sent: unknown): TermsReading {
  const body = asMeant(sent ?? {});
  if (!compiledTerms.accepts(body)) return { terms: null, problems: compiledTerms.problems(body, 'listing') };
  const { startsAt, endsAt, ...rest } = body;
  const times = {
    ...(startsAt !== undefined && { startsAt: inUtc(startsAt) }),
    ...(endsAt !== undefined && { endsAt: inUtc(endsAt) }),
  };
  const terms: ListingTerms = { ...rest, ...times };
  return { terms: Object.keys(terms).length === 0 ? null : terms, problems: optionProblems(terms, 'listing.') };
}

/** The terms that an account sets, all of them at once. Throws `VALIDATION_FAILED` with every problem. */
export function readListingDefaults(sent: unknown): ListingDefaults {
  const body = asMeant(sent);
  if (!compiledDefaults.accepts(body)) throw validationFailed(compiledDefaults.problems(body));
  const problems = optionProblems(body, '');
  if (problems.length > 0) throw validationFailed(problems);
  return body;
}

/** In UTC, so that equal moments are equal texts and a push with another time zone changes nothing. */
const inUtc = (time: string): string => new Date(time).toISOString();

/** In the terms and in `relist`, null counts as left out, as in the item itself; numbers are without their noise. */
function asMeant(value: unknown): unknown {
  if (typeof value === 'number') return withoutFloatNoise(value);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(
    kept.map(([name, part]) => [name, name === 'shippingOptions' ? asMeantOptions(part) : asMeant(part)]),
  );
}

const asMeantOptions = (options: unknown): unknown => (Array.isArray(options) ? options.map(asMeant) : options);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function optionProblems({ shippingOptions = [] }: ListingDefaults, prefix: string): FieldProblem[] {
  const names = shippingOptions.map(({ optionId, providerId, productId }) => [optionId, providerId, productId].join());
  return shippingOptions.flatMap(({ optionId, providerId, productId }, index) => {
    const place = `${prefix}shippingOptions.${index}`;
    if ((optionId === undefined) === (providerId === undefined))
      return [problem(`${place}.optionId`, 'option_or_provider')];
    if (productId !== undefined && providerId === undefined) return [problem(`${place}.productId`, 'needs_provider')];
    return names.indexOf(names[index] ?? '') === index ? [] : [problem(`${place}.optionId`, 'repeated_option')];
  });
}
