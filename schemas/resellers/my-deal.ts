import Type from 'typebox';
import { currencySchema, decimalNumber } from '../number.ts';
import { nullableTime } from '../time.ts';

const owed = {
  orders: Type.Integer({ description: 'Completed orders' }),
  sales: decimalNumber({ description: 'What they come to, in SEK' }),
  owed: decimalNumber({ description: 'Commission on them in SEK, rounded once for each order to whole öre' }),
};

const memberCommission = Type.Object(
  { memberUserId: Type.String({ format: 'uuid' }), ...owed },
  { $id: 'MemberCommission', description: "What is owed for a member's sales" },
);

const commission = Type.Object(
  {
    ...owed,
    currency: currencySchema,
    members: Type.Array(memberCommission, {
      description: 'By member, also those that have left; who owes most first, at most 1,000',
    }),
  },
  { $id: 'Commission', description: 'What a reseller owes' },
);

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
    reseller: Type.Unsafe<unknown>({
      anyOf: [reseller, { type: 'null' }],
      description: 'Of a member: whose member it is',
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
