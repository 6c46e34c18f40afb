import Type from 'typebox';
import { time } from '../time.ts';

/** One attempt. Source: specification "Webhook delivery log record". */
export const webhookDeliverySchema = Type.Object(
  {
    id: Type.String(),
    externalId: Type.String(),
    eventType: Type.String(),
    status: Type.Enum(['success', 'failed']),
    errorMessage: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Network or HTTP error' }),
    createdAt: time('When it was attempted'),
    endpointId: Type.Optional(Type.String({ description: 'Left out for the account-level URL' })),
    deliveryId: Type.String({ description: 'The same for all attempts of one delivery' }),
    eventId: Type.String(),
    httpStatus: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    durationMs: Type.Integer(),
  },
  { $id: 'WebhookDelivery' },
);

export const webhookDeliveryListSchema = Type.Object(
  { deliveries: Type.Array(webhookDeliverySchema) },
  { $id: 'WebhookDeliveryList' },
);
