import Type from 'typebox';
import { problem } from '../../features/rules/field-problems.ts';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { text, time } from '../fields.ts';

const reference = text({
  description: "The reseller's reference for the member, value of X-Partner-Account",
  minLength: 1,
});

const sharesOrders = Type.Boolean({
  description: 'Whether the reseller may read and handle the orders of the member, with their buyers',
});

/** The body of `POST /p/{slug}/connect`, which may be left out. */
export const joinWishSchema = Type.Object(
  {
    sharesOrders: Type.Optional(
      Type.Boolean({
        description:
          'Lets the reseller read and handle the orders, with their buyers; false when left out. A membership of before stays as it is',
      }),
    ),
  },
  { $id: 'JoinWish', additionalProperties: false },
);

/** Throws VALIDATION_FAILED. */
export const readJoinWish = compileReader(joinWishSchema);

/** The body of `PATCH /business/my-deal`. */
export const orderSharingSchema = Type.Object({ sharesOrders }, { $id: 'OrderSharing', additionalProperties: false });

/** Throws VALIDATION_FAILED. */
export const readOrderSharing = compileReader(orderSharingSchema);

export const memberReferenceSchema = Type.Object(
  { externalId: reference },
  { $id: 'MemberReference', additionalProperties: false },
);

export const memberConnectionSchema = Type.Object(
  {
    memberUserId: Type.String({ format: 'uuid' }),
    memberName: Type.String(),
    externalId: reference,
    sharesOrders,
    createdAt: time('When the member joined'),
    updatedAt: time('When the reference or the sharing was last changed'),
  },
  { $id: 'MemberConnection' },
);

export const memberConnectionListSchema = Type.Object(
  { connections: Type.Array(memberConnectionSchema) },
  { $id: 'MemberConnectionList' },
);

export const joinedSchema = Type.Object(
  {
    membership: Type.Object(
      {
        memberUserId: Type.String({ format: 'uuid' }),
        resellerUserId: Type.String({ format: 'uuid' }),
        externalId: reference,
        sharesOrders,
        createdAt: time('When the member joined'),
      },
      { $id: 'Membership', description: 'Who is whose member' },
    ),
    deal: Type.Object(
      {
        kind: Type.Enum(['sub_account']),
        resellerUserId: Type.String({ format: 'uuid' }),
        validFrom: time('Since when the deal holds'),
      },
      { $id: 'MemberDeal', description: 'The deal that the member has from then on' },
    ),
  },
  { $id: 'Joined' },
);

export const joinRequestedSchema = Type.Object(
  {
    resellerUserId: Type.String({ format: 'uuid' }),
    sharesOrders,
    requestedAt: time('When the account asked'),
    expiresAt: time('When the request ends unless the reseller approves or declines it'),
  },
  { $id: 'JoinRequested', description: 'The reseller approves its members, and is asked' },
);

export const joinRequestListSchema = Type.Object(
  {
    requests: Type.Array(
      Type.Object(
        {
          memberUserId: Type.String({ format: 'uuid' }),
          memberName: Type.String(),
          email: Type.String({ description: 'The address of the account' }),
          externalId: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'The reference in the invitation by which it came; null without one',
          }),
          sharesOrders,
          requestedAt: time('When the account asked'),
          expiresAt: time('When the request ends'),
        },
        { $id: 'JoinRequest', description: 'An account that asks to become a member' },
      ),
    ),
  },
  { $id: 'JoinRequestList' },
);

const readReference = compileReader(memberReferenceSchema);

/** Throws VALIDATION_FAILED, also for a reference that an HTTP header can't carry unchanged. */
export function readMemberReference(body: unknown): { externalId: string } {
  const { externalId } = readReference(body);
  if (!isReference(externalId)) throw validationFailed([problem('externalId', 'not_header_text')]);
  return { externalId };
}

/** Whether the text can be sent in an HTTP header unchanged: printable ASCII, no blanks at the ends. */
export const isReference = (value: string): boolean => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);
