import Type from 'typebox';

/** Source: specification "Errors". */
export const errorBodySchema = Type.Object(
  {
    error: Type.String({ description: 'What went wrong, in words' }),
    code: Type.String({ description: 'Stable code to program against' }),
    statusCode: Type.Integer(),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'Dotted path such as imageUrls.0' }),
          message: Type.String(),
        }),
      ),
    ),
  },
  { $id: 'Error' },
);
