import Type from 'typebox';
import { told } from '../../features/rules/field-problems.ts';
import { memberOrders, type MemberOrder, type MemberPlace } from '../../features/resellers/rules/member-list.ts';
import { BadValue, oneOf, readListCursor, readQuery, wholeNumber, writeListCursor } from '../query.ts';
import { currencySchema, decimalNumber, textLengthMax } from '../fields.ts';
import { memberConnectionSchema } from './member-connection.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const listedMemberSchema = Type.Object(
  {
    ...memberConnectionSchema.properties,
    marketplace: Type.Enum(['connected', 'expired', 'none'], {
      $id: 'MemberMarketplace',
      description: 'Whether its account on the marketplace is connected; `expired`: its token is taken no longer',
    }),
    blockedItems: count('Items that wait for something or rest with a problem'),
    missedEvents: count("Events about it that the reseller's endpoints have missed"),
    sales: Type.Object(
      {
        orders: count('How many'),
        amount: decimalNumber({ minimum: 0, description: 'Their sum' }),
        currency: currencySchema,
      },
      { $id: 'MemberSales', description: 'Completed orders of the last 30 days, sold while it was a member' },
    ),
  },
  { $id: 'ListedMember', description: 'A member of the reseller, and how it fares' },
);

export const memberListSchema = Type.Object(
  {
    members: Type.Array(listedMemberSchema),
    total: count('Members that the search finds, on all pages'),
    nextCursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: '`cursor` of the next page; null at the end',
    }),
  },
  { $id: 'MemberList', description: 'One page of the members of a reseller' },
);

const idsMax = 100;
const idList = new RegExp(`^[^,]{1,36}(,[^,]{1,36}){0,${idsMax - 1}}$`, 'u');
const limits = { min: 1, max: 200, standard: 50 } as const;

export const memberListParameters = {
  q: {
    description: 'Parts of name or reference, in any case, with or without the marks of å, ä and ö',
    schema: Type.String({ minLength: 1, maxLength: textLengthMax, examples: ['umea'] }),
  },
  memberUserIds: {
    description: `User ids with commas between, at most ${idsMax}: only these members`,
    schema: Type.String({ pattern: idList.source }),
  },
  sort: {
    description:
      'By the joining, oldest first, when not given. `failing`, `missed` and `sales` have the highest first; `connection` has what is not connected first',
    schema: Type.Enum([...memberOrders], { $id: 'MemberOrder' }),
  },
  limit: {
    description: `At most so many members; ${limits.standard} when not given`,
    schema: Type.Integer({ minimum: limits.min, maximum: limits.max }),
  },
  cursor: {
    description: '`nextCursor` of the page before, with the same search and order',
    schema: Type.String({ minLength: 1, maxLength: 2_000 }),
  },
};

export interface MemberListQuery {
  readonly q: string;
  /** Only these; undefined: all. */
  readonly memberUserIds?: readonly string[] | undefined;
  readonly sort: MemberOrder;
  readonly limit: number;
  /** null for the first page. */
  readonly after: MemberPlace | null;
}

const readers = {
  q: (raw: string) =>
    raw.trim() === '' || raw.length > textLengthMax
      ? new BadValue(told('nothing_to_search', { max: textLengthMax }))
      : raw.trim(),
  memberUserIds: (raw: string) =>
    idList.test(raw) ? raw.split(',') : new BadValue(told('not_user_ids', { max: idsMax })),
  sort: oneOf(memberOrders),
  limit: wholeNumber(limits),
  cursor: (raw: string) => raw,
};

/** Throws Refusal BAD_REQUEST, with details that name every bad parameter. */
export function readMemberListQuery(query: Readonly<Record<string, string>>): MemberListQuery {
  const { q = '', sort = 'joined', limit = limits.standard, cursor, memberUserIds } = readQuery(query, readers);
  const search = { q, sort, memberUserIds };
  return { ...search, limit, after: cursor === undefined ? null : readPlace(cursor, filterText(search)) };
}

type Search = Pick<MemberListQuery, 'q' | 'sort' | 'memberUserIds'>;
const filterText = ({ q, sort, memberUserIds = [] }: Search): string => [sort, q, ...memberUserIds].join(' ');

/** The cursor of the next page, bound to search and order. */
export const writeMemberListCursor = ({ value, id }: MemberPlace, search: Search): string =>
  writeListCursor([value, id], filterText(search));

const readPlace = (raw: string, filter: string): MemberPlace =>
  readListCursor(raw, filter, ([value, id, ...rest]) =>
    (typeof value === 'string' || typeof value === 'number') && typeof id === 'string' && rest.length === 0
      ? { value, id }
      : undefined,
  );
