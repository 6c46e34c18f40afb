import Type, { type Static } from 'typebox';

import { refusalStatus } from '../features/rules/errors.ts';

/** The codes of all refusals. */
export const errorCodeSchema = Type.Enum(Object.keys(refusalStatus), {
  $id: 'ErrorCode',
  description: 'Stable code for programs',
});

export const fieldProblemSchema = Type.Object(
  {
    field: Type.String({ description: 'Dotted path, such as imageUrls.0; `body` for the whole body' }),
    message: Type.String({ description: 'What is wrong with it' }),
  },
  { $id: 'FieldProblem', title: 'FieldProblem', description: 'One broken rule of a request' },
);

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
