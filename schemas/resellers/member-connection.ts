import Type from 'typebox';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { text } from '../text.ts';
import { time } from '../time.ts';

const reference = text({
  description: "The reseller's reference for the member, value of X-Partner-Account",
  minLength: 1,
});

export const memberReferenceSchema = Type.Object(
  { externalId: reference },
  { $id: 'MemberReference', additionalProperties: false },
);

export const memberConnectionSchema = Type.Object(
  {
    memberUserId: Type.String({ format: 'uuid' }),
    memberName: Type.String(),
    externalId: reference,
    createdAt: time('When the member joined'),
    updatedAt: time('When the reference was last changed'),
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

const readReference = compileReader(memberReferenceSchema);

/** Throws VALIDATION_FAILED, also for a reference that an HTTP header can't carry unchanged. */
export function readMemberReference(body: unknown): { externalId: string } {
  const { externalId } = readReference(body);
  if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(externalId)) {
    const message = 'must be printable ASCII without spaces at its ends, because it is sent as an HTTP header';
    throw validationFailed([{ field: 'externalId', message }]);
  }
  return { externalId };
}
