import Type, { type Static } from 'typebox';
import { told, type Told } from '../../features/rules/field-problems.ts';
import type { DomainSlug } from '../../features/rules/domains.ts';
import { resolveSlug } from '../../features/rules/domains.ts';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import { itemSorts, type ItemSort } from '../../features/items/rules/describe-item.ts';
import {
  isbnTerm,
  oemNumberTerm,
  plateTerm,
  queryTermsMax,
  searchedTerms,
  type SearchedTerm,
} from '../../features/items/rules/search-terms.ts';
import {
  marketplaceStatuses,
  serviceStatuses,
  type MarketplaceStatus,
  type ServiceStatus,
} from '../../features/items/rules/transitions.ts';
import { itemProblems, type ItemProblem } from '../../features/operations/rules/reasons.ts';
import { domainSlugSchema } from '../item-domains/item-domain.ts';
import {
  badQuery,
  BadValue,
  cursorTime,
  isoTime,
  oneOf,
  readListCursor,
  readQuery,
  wholeNumber,
  writeListCursor,
  type ParameterReader,
} from '../query.ts';
import { nullableTime, textLengthMax, time } from '../fields.ts';
import { waitingForSchema } from './item-full.ts';
import { itemProblemSchema, itemStatusSchema, marketplaceStatusSchema, serviceStatusSchema } from './item-status.ts';

/** One item of a list. */
export const listEntrySchema = Type.Object(
  {
    ...itemStatusSchema.properties,
    title: Type.String(),
    domain: domainSlugSchema,
    waitingFor: waitingForSchema,
    problem: Type.Optional(itemProblemSchema),
    updatedAt: time('When anything about the item changed last'),
    thumbnailUrl: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The first hosted image, at most 400 pixels on the longest side',
    }),
  },
  { $id: 'ItemListEntry', title: 'ItemListEntry', description: 'One item of the list' },
);

/** The answer of `GET /integration/v1/items`. Source: interface-decisions "Items". */
export const itemListSchema = Type.Object(
  {
    items: Type.Array(listEntrySchema, {
      description: 'By creation, newest first; with `updatedSince` by their last change, oldest first',
    }),
    nextCursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        '`cursor` of the next page; null at the end. A page may be short and yet not the last. An item that is there all the time comes exactly once; with `updatedSince` it comes again when it changes: the later one counts.',
    }),
    nextUpdatedSince: nullableTime(
      '`updatedSince` to ask with next time, on the last page of a list with `updatedSince`; null otherwise. It is at least ten seconds before the first page was read, so some items come again and no change is missed.',
    ),
  },
  { $id: 'ItemList', title: 'ItemList', description: 'One page of the items of an account' },
);
export type ItemListAnswer = Static<typeof itemListSchema>;

const limits = { min: 1, max: 200, standard: 50 } as const;
/** Each is a component of the document, because two routes use it. */
const searchText = (component: string, description: string, examples: string[]) => ({
  component,
  description,
  schema: Type.String({ minLength: 1, maxLength: textLengthMax, examples }),
});

export const itemListParameters = {
  limit: {
    component: 'ItemListLimit',
    description: `At most so many items; ${limits.standard} when not given`,
    schema: Type.Integer({ minimum: limits.min, maximum: limits.max }),
  },
  cursor: {
    component: 'ItemListCursor',
    description: '`nextCursor` of the page before, with the same filters',
    schema: Type.String(),
  },
  serviceStatus: {
    component: 'ItemListServiceStatus',
    description: 'Only items that are so on the service',
    schema: serviceStatusSchema,
  },
  marketplaceStatus: {
    component: 'ItemListMarketplaceStatus',
    description: 'Only items that are so on the marketplace',
    schema: marketplaceStatusSchema,
  },
  problem: {
    component: 'ItemListProblem',
    description:
      'Only items with this problem; `any` finds all that have one. Each then says its own in `problem`. A start that was chosen (`start_time`) is none',
    schema: Type.Enum(['any', ...itemProblems], { $id: 'ItemProblemFilter' }),
  },
  domain: {
    component: 'ItemListDomain',
    description: 'A slug or one of its aliases; `other` finds also items that were pushed without a domain',
    schema: Type.String({ minLength: 1, maxLength: textLengthMax, examples: ['auto_parts'] }),
  },
  updatedSince: {
    component: 'ItemListUpdatedSince',
    description:
      'ISO 8601: only items updated then or later, oldest change first. To follow changes, go through all pages and ask again with `nextUpdatedSince` of the last',
    schema: Type.String({ examples: ['2026-11-21T12:00:00Z'] }),
  },
  sort: {
    component: 'ItemListSort',
    description:
      'By creation or by the last change; a minus puts the latest first. `-created` when not given. By the last change an item that changes meanwhile may be left out: to follow changes there is `updatedSince`, which has its own order',
    schema: Type.Enum([...itemSorts], {
      $id: 'ItemSort',
      // Generators that drop the minus would have two values with each name.
      'x-enum-varnames': itemSorts.map((sort) => sort.replace(/^-(.*)$/, '$1_latest_first').toUpperCase()),
    }),
  },
  q: searchText(
    'ItemListText',
    `Words of external id, title and description, at most ${queryTermsMax}: an item has all of them. Each counts in any of its Swedish forms, or as the beginning of a word; in external id and title from two letters on also as a part of a word (three letters to its end), and with a and o for å, ä and ö`,
    ['volvo strålkastare'],
  ),
  plate: searchText('ItemListPlate', 'Registration plate of a vehicle, in any case, with or without spaces', [
    'MLB 84A',
  ]),
  oem_number: searchText('ItemListOemNumber', 'OEM number of a part; only letters and digits count', [
    '1K0 615 301 AA',
  ]),
  isbn: searchText('ItemListIsbn', 'ISBN-10 or ISBN-13 of a book; either finds the other', ['978-91-1-302848-4']),
};

export interface ItemListQuery {
  readonly limit: number;
  /** null for the first page. */
  readonly cursor: AccountListCursor | null;
  readonly filter: ItemListFilterQuery;
}

/** Position of a reader in the items of one account. Used for another account, it would skip items without notice. */
export interface AccountListCursor {
  readonly account: AccountId;
  /** The item, or the position, after which the list continues. */
  readonly place: { readonly at: Date; readonly id: string };
  /** The `updatedSince` that the last page recommends for the next walk; set only when the query has `updatedSince`. */
  readonly settledUntil: Date | undefined;
}

export interface ItemListFilterQuery {
  readonly serviceStatus: ServiceStatus | undefined;
  readonly marketplaceStatus: MarketplaceStatus | undefined;
  readonly domain: DomainSlug | undefined;
  readonly problem: ItemProblem | 'any' | undefined;
  readonly updatedSince: Date | undefined;
  readonly sort: ItemSort | undefined;
  readonly terms: readonly SearchedTerm[];
}

const words: ParameterReader<readonly SearchedTerm[]> = (raw) => {
  const terms = raw.length > textLengthMax ? [] : searchedTerms(raw);
  if (terms.length > queryTermsMax) return new BadValue(told('too_many_words', { max: queryTermsMax }));
  return terms.length === 0 ? new BadValue(told('no_word', { max: textLengthMax })) : terms;
};

const term =
  (termOf: (raw: string) => string | undefined, wrong: Told): ParameterReader<string> =>
  (raw) =>
    (raw.length > textLengthMax ? undefined : termOf(raw)) ?? new BadValue(wrong);

/** `any`, or the name of a problem. */
export const problemReader = oneOf(['any', ...itemProblems]);

const readers = {
  limit: wholeNumber(limits),
  cursor: (raw: string) => raw,
  serviceStatus: oneOf(serviceStatuses),
  marketplaceStatus: oneOf(marketplaceStatuses),
  // As a slug the empty text means `other`, but an empty filter is a forgotten value and refused.
  domain: (raw: string) => (raw === '' ? undefined : resolveSlug(raw)) ?? new BadValue(told('not_domain')),
  problem: problemReader,
  updatedSince: isoTime,
  sort: oneOf(itemSorts),
  q: words,
  plate: term(plateTerm, told('not_plate', {})),
  oem_number: term(oemNumberTerm, told('no_letter_or_digit')),
  isbn: term(isbnTerm, told('not_isbn', {})),
};

/** Throws Refusal BAD_REQUEST, with details that name every bad parameter. */
export function readItemListQuery(query: Readonly<Record<string, string>>): ItemListQuery {
  const { limit, cursor, q = [], plate, oem_number, isbn, ...rest } = readQuery(query, readers);
  const keys = [plate, oem_number, isbn].flatMap((whole) => (whole === undefined ? [] : [{ whole }]));
  const { serviceStatus, marketplaceStatus, domain, problem, updatedSince, sort } = rest;
  if (updatedSince !== undefined && sort !== undefined)
    throw badQuery([{ field: 'sort', ...told('excluded_by', { other: 'updatedSince' }) }]);
  const filter = { serviceStatus, marketplaceStatus, domain, problem, updatedSince, sort, terms: [...keys, ...q] };
  return {
    limit: limit ?? limits.standard,
    cursor: cursor === undefined ? null : readCursor(cursor, filter),
    filter,
  };
}

/** The cursor of the next page, bound to account and filters. */
export const writeItemListCursor = (
  { account, place, settledUntil }: AccountListCursor,
  filter: ItemListFilterQuery,
): string =>
  writeListCursor(
    [account, place.at.toISOString(), place.id, ...(settledUntil === undefined ? [] : [settledUntil.toISOString()])],
    filterText(filter),
  );

const readCursor = (raw: string, filter: ItemListFilterQuery): AccountListCursor =>
  readListCursor(raw, filterText(filter), ([account, time, id, settled, ...rest]) => {
    const at = cursorTime(time);
    const settledUntil = cursorTime(settled);
    const isComplete = rest.length === 0 && (settledUntil === undefined) === (filter.updatedSince === undefined);
    if (typeof account !== 'string' || at === undefined || typeof id !== 'string' || !isComplete) return undefined;
    return { account: accountId(account), place: { at, id }, settledUntil };
  });

const filterText = ({ terms, sort, ...filter }: ItemListFilterQuery): string =>
  [
    filter.serviceStatus,
    filter.marketplaceStatus,
    filter.domain,
    filter.updatedSince?.toISOString(),
    ...(sort === undefined ? [] : [`sort=${sort}`]),
    ...(filter.problem === undefined ? [] : [`problem=${filter.problem}`]),
    ...terms.map(({ whole, start }) => start ?? whole),
  ]
    .map((part) => part ?? '')
    .join(' ');
