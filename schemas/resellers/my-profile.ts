import Type from 'typebox';
import { compileReader } from '../compile-schema.ts';
import { text } from '../text.ts';
import { slugForm } from './public-profile.ts';

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
  },
  { $id: 'MyProfile', additionalProperties: false },
);

export interface ProfileWish {
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
}

const read = compileReader(myProfileSchema);

/** Throws VALIDATION_FAILED. */
export function readMyProfile(body: unknown): ProfileWish {
  const { slug, displayName, description = '' } = read(body);
  return { slug, displayName, description };
}
