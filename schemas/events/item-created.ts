import Type, { type Static } from 'typebox';

import { commonEventData } from './event-data.ts';
import { eventEnvelope } from './event-envelope.ts';

export const itemCreatedSchema = eventEnvelope('item.created', {
  id: 'ItemCreatedEvent',
  description: 'A new item was synced through the API',
  data: Type.Object(
    {
      ...commonEventData,
      type: Type.Enum(['item', 'container'], { $id: 'CreatedType', description: 'What was created' }),
    },
    { $id: 'ItemCreatedEventData' },
  ),
});
export type ItemCreatedEvent = Static<typeof itemCreatedSchema>;
