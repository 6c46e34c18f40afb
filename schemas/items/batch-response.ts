import Type, { type Static } from 'typebox';
import { errorCodeSchema, fieldProblemSchema } from '../errors.ts';
import { requestWarningSchema } from './upsert-response.ts';

const names = {
  externalId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'As sent; null when it could not be read',
  }),
  account: Type.Optional(Type.String({ description: 'As sent; left out when the row had none' })),
};

const taken = Type.Object(
  {
    ...names,
    status: Type.Enum([200, 202], { description: '202: stored; 200: only checked, because of `validateOnly`' }),
    itemId: Type.Optional(Type.String({ format: 'uuid', description: 'Left out when the row was only checked' })),
    message: Type.String({
      examples: ['Item created', 'Item updated', 'Item updated (unchanged)', 'Item would be created'],
    }),
    warnings: Type.Optional(Type.Array(requestWarningSchema, { description: 'Left out when there is nothing to say' })),
  },
  { $id: 'BatchRowTaken', additionalProperties: false },
);

const refused = Type.Object(
  {
    ...names,
    status: Type.Integer({
      minimum: 400,
      maximum: 599,
      description:
        'What its PUT would have been answered with; 422 also for an `externalId` that is not usable, which in a path is 400',
    }),
    error: Type.String({ description: 'Message for people' }),
    code: errorCodeSchema,
    details: Type.Optional(Type.Array(fieldProblemSchema, { description: 'Every problem, relative to the row' })),
  },
  { $id: 'BatchRowRefused', additionalProperties: false },
);

/** The 200 of a batch. Source: interface-decisions "Many items at once". */
export const batchResponseSchema = Type.Object(
  { results: Type.Array(Type.Union([taken, refused]), { description: 'One for each row, in the order sent' }) },
  { $id: 'BatchResponse' },
);
export type BatchResponse = Static<typeof batchResponseSchema>;
export type BatchResult = BatchResponse['results'][number];
