import Type, { type Static } from 'typebox';
import { requestWarningSchema } from './upsert-response.ts';

/** The 200 of a write with `validateOnly=true`. Source: interface-decisions "Items". */
export const validationResponseSchema = Type.Object(
  {
    valid: Type.Boolean({ description: 'Always true: what the write would refuse is refused here too' }),
    message: Type.String({
      description: 'What the same request without validateOnly would do now',
      examples: ['Item would be created', 'Price would be updated'],
    }),
    warnings: Type.Array(requestWarningSchema, { description: 'Empty when there is nothing to say' }),
  },
  { $id: 'ValidationResponse', title: 'ValidationResponse', description: 'The request was checked and had no effect' },
);
export type ValidationResponse = Static<typeof validationResponseSchema>;
