import Type, { type Static } from 'typebox';
import { requestWarningSchema } from './upsert-response.ts';

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
