import Type from 'typebox';

export const publicProfileSchema = Type.Object(
  {
    slug: Type.String(),
    displayName: Type.String(),
    description: Type.String(),
    ownerHasResellerDeal: Type.Boolean({ description: 'Whether members can join here' }),
  },
  { $id: 'PublicProfile' },
);

export const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** Lower-case letters, digits and inner dashes, at most 64. */
export const isProfileSlug = (value: string): boolean => slugForm.test(value);
