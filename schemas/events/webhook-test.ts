import Type, { type Static } from 'typebox';

import { commonEventData } from './event-data.ts';
import { eventEnvelope } from './event-envelope.ts';

export const webhookTestSchema = eventEnvelope('webhook.test', {
  id: 'WebhookTestEvent',
  description: 'Sent on request to try out an endpoint, whatever its eventTypes; it is about no item',
  data: Type.Object(
    {
      ...commonEventData,
      test: Type.Literal(true, { description: 'Nothing happened: check the signature, answer, and do no more' }),
    },
    { $id: 'WebhookTestEventData' },
  ),
});
export type WebhookTestEvent = Static<typeof webhookTestSchema>;
