import Type from 'typebox';
import { compileReader } from '../compile-schema.ts';
import { logoBytesMax } from '../../features/resellers/rules/logo.ts';
import { currencySchema, decimalNumber, nullableText, nullableTime, text } from '../fields.ts';

export const publicProfileSchema = Type.Object(
  {
    slug: Type.String(),
    displayName: Type.String(),
    description: Type.String(),
    logoUrl: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Address of the picture at the top of the page, which changes with the picture; null without one',
    }),
    ownerHasResellerDeal: Type.Boolean({ description: 'Whether members can join here' }),
    needsApproval: Type.Boolean({
      description: 'Whether who joins becomes a member only once the reseller approves it',
    }),
  },
  { $id: 'PublicProfile' },
);

const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** Lower-case letters, digits and inner dashes, at most 64. */
export const isProfileSlug = (value: string): boolean => slugForm.test(value);

export const myProfileSchema = Type.Object(
  {
    slug: text({
      description: 'Where the page is: lower-case letters, digits and inner dashes',
      minLength: 1,
      maxLength: 64,
      pattern: slugForm.source,
      examples: ['bildelar-norr'],
    }),
    displayName: text({ description: 'Heading of the page, one line', minLength: 1, pattern: '\\S', format: 'title' }),
    description: Type.Optional(
      text({ description: 'Plain text, some paragraphs at most; left out it is empty', maxLength: 2_000 }),
    ),
    needsApproval: Type.Optional(
      Type.Boolean({
        description:
          'Whether joining makes a request that you approve or decline; an invitation to the confirmed address of the account is approved already. False at first; left out it stays',
      }),
    ),
    logo: Type.Optional(
      nullableText({
        description: 'A PNG, JPEG or WebP picture in Base64, at most 100 KB; null removes it, left out it stays',
        maxLength: Math.ceil(logoBytesMax / 3) * 4,
        format: 'logo',
      }),
    ),
  },
  { $id: 'MyProfile', additionalProperties: false },
);

export interface ProfileWish {
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  /** In Base64; null removes it, undefined keeps it. */
  readonly logo: string | null | undefined;
  /** undefined keeps it. */
  readonly needsApproval: boolean | undefined;
}

const read = compileReader(myProfileSchema);

/** Throws VALIDATION_FAILED. */
export function readMyProfile(body: unknown): ProfileWish {
  const { slug, displayName, description = '', logo, needsApproval } = read(body);
  return { slug, displayName, description, logo, needsApproval };
}

const owed = {
  orders: Type.Integer({ description: 'Completed orders' }),
  sales: decimalNumber({ description: 'What they come to, in SEK' }),
  owed: decimalNumber({ description: 'Commission on them in SEK, rounded once for each order to whole öre' }),
};

const memberCommission = Type.Object(
  {
    memberUserId: Type.String({ format: 'uuid' }),
    memberName: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'null for one that has left' }),
    ...owed,
  },
  { $id: 'MemberCommission', description: "What is owed for a member's sales" },
);

const members = Type.Array(memberCommission, {
  description: 'By member, also those that have left; the highest commission first',
});

const commission = Type.Object(
  {
    ...owed,
    currency: currencySchema,
    members,
    waiting: Type.Object(
      { ...owed, members },
      {
        $id: 'WaitingCommission',
        description:
          'Direct sales above `directSalesMax`, which wait for the confirmation of the reseller: nothing is owed on them until then',
      },
    ),
  },
  { $id: 'Commission', description: 'What a reseller owes' },
);

/** The body of `POST /business/my-deal/confirmations`. */
export const commissionConfirmationSchema = Type.Object(
  {
    memberUserId: text({ description: 'Whose orders', minLength: 1 }),
    orders: Type.Integer({ minimum: 1, description: 'How many wait, as `waiting` says' }),
    sales: decimalNumber({ minimum: 0, description: 'What they come to, as `waiting` says' }),
  },
  { $id: 'CommissionConfirmation', additionalProperties: false },
);

/** Throws VALIDATION_FAILED. */
export const readCommissionConfirmation = compileReader(commissionConfirmationSchema);

const reseller = Type.Object(
  { userId: Type.String({ format: 'uuid' }), displayName: Type.String() },
  { $id: 'DealReseller', description: 'The reseller of a member' },
);

export const myDealSchema = Type.Object(
  {
    kind: Type.Enum(['consumer_default', 'sub_account', 'reseller_agreement'], { $id: 'DealKind' }),
    validFrom: nullableTime('Since when the deal holds; null for the default'),
    commissionBps: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: "Of a reseller: commission on its members' sales from now on, in hundredths of a per cent",
    }),
    directSalesMax: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      format: 'double',
      description:
        'Of a reseller: direct sales of one member that count in one month by themselves, in SEK. An order that goes above it waits in `commission.waiting`',
    }),
    reseller: Type.Unsafe<unknown>({
      anyOf: [reseller, { type: 'null' }],
      description: 'Of a member: whose member it is',
    }),
    askedReseller: Type.Unsafe<unknown>({
      anyOf: [reseller, { type: 'null' }],
      description: 'Of an account that waits for the approval of a reseller: whom it has asked',
    }),
    sharesOrders: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description:
        'Of a member: whether its reseller may read and handle its orders, with their buyers; null for others',
    }),
    commission: Type.Unsafe<unknown>({
      anyOf: [commission, { type: 'null' }],
      description:
        'Of a reseller: all completed sales that its members made while they were its members, each by the agreement in force at the sale. Stays when the agreement has ended',
    }),
  },
  { $id: 'MyDeal' },
);
