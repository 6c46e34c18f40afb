import Type from 'typebox';

import { text } from '../text.ts';

/** Source: specification "books". */
export const booksAttributes = Type.Object({
  isbn: Type.Optional(
    text({
      description: 'ISBN-10 or ISBN-13; stored without hyphens',
      maxLength: 32,
      format: 'isbn',
      examples: ['978-91-1-302848-4'],
    }),
  ),
  author: Type.Optional(text({ description: 'Author name or names', maxLength: 1_000, examples: ['Selma Lagerlöf'] })),
  publisher: Type.Optional(text({ description: 'Publisher name', examples: ['Bonniers'] })),
  language: Type.Optional(
    text({
      description: 'BCP 47 language code; stored in canonical form',
      maxLength: 100,
      format: 'language-tag',
      examples: ['sv'],
    }),
  ),
});
