import Type, { type Static } from 'typebox';
import { problem } from '../../features/rules/field-problems.ts';
import { emailField, isEmail, mailLanguageField, normaliseEmail } from '../accounts/sign-in.ts';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { nullableTime, time } from '../fields.ts';
import { isReference, memberReferenceSchema } from './member-connection.ts';

export const invitationsPerCallMax = 100;

export const invitationWishSchema = Type.Object(
  {
    invitations: Type.Array(
      Type.Object(
        { email: emailField, externalId: Type.Optional(memberReferenceSchema.properties.externalId) },
        { $id: 'InvitedMember', additionalProperties: false },
      ),
      { minItems: 1, maxItems: invitationsPerCallMax },
    ),
    language: Type.Optional(mailLanguageField),
  },
  { $id: 'InvitationWish', additionalProperties: false },
);

export type InvitationWish = Static<typeof invitationWishSchema>;

const readWish = compileReader(invitationWishSchema);

/**
 * Throws VALIDATION_FAILED, also for a repeated address. Addresses are returned in the form in which they are compared.
 */
export function readInvitationWish(body: unknown): InvitationWish {
  const { invitations, ...rest } = readWish(body);
  const read = invitations.map(({ email, ...invitation }) => ({ ...invitation, email: normaliseEmail(email) }));
  const problems = read.flatMap(({ email, externalId }, index) => [
    ...(isEmail(email) ? [] : [problem(`invitations.${index}.email`, 'not_email')]),
    ...(read.findIndex((other) => other.email === email) < index
      ? [problem(`invitations.${index}.email`, 'invited_twice')]
      : []),
    ...(externalId !== undefined && !isReference(externalId)
      ? [problem(`invitations.${index}.externalId`, 'not_header_text')]
      : []),
  ]);
  if (problems.length > 0) throw validationFailed(problems);
  return { ...rest, invitations: read };
}

const invitationSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String(),
    externalId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: "The member's reference once it has joined by the link; null: its user id",
    }),
    state: Type.Enum(['open', 'joined'], { $id: 'InvitationState' }),
    invitedAt: time('When it was last asked for'),
    joinedAt: nullableTime('When the member joined by the link'),
    joinedEmail: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'The address of the account that joined by the link, which may be another than the invited one: a link can be passed on',
    }),
    expiresAt: time('Until when the link works, and the invitation is listed'),
  },
  { $id: 'Invitation', description: 'An invitation to become a member, by mail' },
);

export const invitationListSchema = Type.Object(
  { invitations: Type.Array(invitationSchema) },
  { $id: 'InvitationList' },
);

export const invitedSchema = Type.Object(
  {
    sent: Type.Integer({ minimum: 0, description: 'Mails that are on their way' }),
    skipped: Type.Array(
      Type.Object(
        { email: Type.String(), reason: Type.Enum(['joined', 'invited_today'], { $id: 'SkippedReason' }) },
        { $id: 'SkippedInvitation' },
      ),
      { description: 'Addresses that get no mail: they have joined, or had one in the last 24 hours' },
    ),
  },
  { $id: 'Invited' },
);
