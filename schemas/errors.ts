import Type, { type Static } from 'typebox';

import { refusalStatus } from '../features/rules/errors.ts';

/** The codes of all refusals. */
export const errorCodeSchema = Type.Enum(Object.keys(refusalStatus), {
  $id: 'ErrorCode',
  description: 'Stable code for programs',
});

/** What problems, warnings and remarks have in common. */
export const fieldProblemFields = {
  field: Type.String({ description: 'Dotted path, such as imageUrls.0; `body` for the whole body' }),
  code: Type.String({
    description:
      'Stable code for programs, such as `too_long`. More codes may come; docs/reference/errors.md lists them',
  }),
  message: Type.String({ description: 'Follows the field to an English sentence' }),
  params: Type.Unsafe<Record<string, string | number>>({
    type: 'object',
    additionalProperties: true,
    description: 'What the message is made of, by name: texts and numbers, such as `{"max": 255}`',
  }),
};

export const fieldProblemSchema = Type.Object(fieldProblemFields, {
  $id: 'FieldProblem',
  title: 'FieldProblem',
  description: 'One broken rule of a request',
});

/** Source: specification "Errors". */
export const errorBodySchema = Type.Object(
  {
    error: Type.String({ description: 'Message for people' }),
    code: Type.Optional(errorCodeSchema),
    statusCode: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status once more' }),
    details: Type.Optional(Type.Array(fieldProblemSchema, { description: 'Every problem of a refused request' })),
  },
  { $id: 'ErrorBody', title: 'ErrorBody', description: 'The body of every answer from 400 on' },
);
export type ErrorBody = Static<typeof errorBodySchema>;
