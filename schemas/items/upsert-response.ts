import Type, { type Static } from 'typebox';

export const requestWarningSchema = Type.Object(
  {
    field: Type.String({ description: 'Dotted path; `body` for the whole body' }),
    message: Type.String({ description: 'What was ignored or changed, or what is not as it may have been meant' }),
  },
  { $id: 'RequestWarning', title: 'RequestWarning', description: 'Something accepted that the caller should know of' },
);

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
