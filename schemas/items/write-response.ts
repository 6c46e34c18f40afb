import Type, { type Static } from 'typebox';
import { fieldProblemFields } from '../errors.ts';

export const requestWarningSchema = Type.Object(fieldProblemFields, {
  $id: 'RequestWarning',
  title: 'RequestWarning',
  description: 'Something accepted that the caller should know of',
});

/** The 202 of an upsert. Source: specification "Item sync", interface-decisions "Items". */
export const upsertResponseSchema = Type.Object(
  {
    success: Type.Boolean({ description: 'Always true: a refusal is an error body' }),
    itemId: Type.String({ format: 'uuid', description: "The service's id of the item" }),
    message: Type.String({
      description: 'Item created, Item updated or Item updated (unchanged)',
      examples: ['Item created', 'Item updated', 'Item updated (unchanged)'],
    }),
    warnings: Type.Optional(Type.Array(requestWarningSchema, { description: 'Left out when there is nothing to say' })),
  },
  {
    $id: 'UpsertResponse',
    title: 'UpsertResponse',
    description: 'The item is stored; its work goes on in the background',
  },
);
export type UpsertResponse = Static<typeof upsertResponseSchema>;

/** The 202 of PATCH, DELETE and publish, as for an upsert. Source: specification "Item sync", interface-decisions "Items". */
export const writeResponseSchema = Type.Object(
  {
    success: Type.Boolean({ description: 'Always true: a refusal is an error body' }),
    itemId: Type.String({ format: 'uuid', description: "The service's id of the item" }),
    message: Type.String({
      description: 'What happened; ends with (unchanged) when there was nothing to do',
      examples: [
        'Price updated',
        'Price updated (unchanged)',
        'Status updated',
        'Item deleted',
        'Publication requested',
      ],
    }),
    warnings: Type.Optional(Type.Array(requestWarningSchema, { description: 'Left out when there is nothing to say' })),
  },
  {
    $id: 'WriteResponse',
    title: 'WriteResponse',
    description: 'The change is stored; its work goes on in the background',
  },
);
export type WriteResponse = Static<typeof writeResponseSchema>;

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
