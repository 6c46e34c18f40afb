import Type from 'typebox';
import { nullableTime, text } from '../fields.ts';

export const subscriptionSchema = Type.Object(
  {
    tier: Type.Enum(['free', 'pro'], {
      $id: 'SubscriptionTier',
      description: 'pro as long as there is a subscription that is not over',
    }),
    isPro: Type.Boolean({ description: 'Whether the Pro plan is paid for now' }),
    subscribedAt: nullableTime('When the subscription began; null on the free tier'),
    expiresAt: nullableTime('End of what is paid, moved on by each renewal; null on the free tier'),
  },
  { $id: 'Subscription' },
);

export const checkoutSchema = Type.Object(
  { url: Type.String({ format: 'uri', description: "The payment processor's page; send the user there" }) },
  { $id: 'SubscriptionCheckout' },
);

/** Only the fields that every event has; further fields depend on its type. */
export const paymentEventSchema = Type.Object(
  {
    id: text({ description: 'Id of the event; it is applied once', minLength: 1 }),
    type: text({ description: 'Events that are not about subscriptions change nothing', minLength: 1 }),
    created: Type.Integer({ minimum: 0, maximum: 253_402_300_799, description: 'When it happened, in Unix seconds' }),
    data: Type.Object(
      {},
      {
        $id: 'PaymentEventData',
        description: 'What it is about',
        additionalProperties: true,
      },
    ),
  },
  { $id: 'PaymentEvent' },
);

export const paymentEventTakenSchema = Type.Object({ received: Type.Literal(true) }, { $id: 'PaymentEventTaken' });
