import {
  checkoutSchema,
  paymentEventSchema,
  paymentEventTakenSchema,
  subscriptionSchema,
} from '../../schemas/partner/subscription.ts';
import { type Route, ok, type Call, type ScopedCall } from '../http/route.ts';
import { readQuery } from '../../schemas/query.ts';
import { readSubscription } from '../../features/partner/refresh-subscription.ts';
import { startCheckout } from '../../features/partner/start-checkout.ts';
import { takePaymentEvent } from '../../features/partner/take-payment-event.ts';

export const paymentRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/partner/subscription',
    name: 'getSubscription',
    credential: 'jwt',
    tag: 'Subscription',
    summary: 'Read the subscription',
    description:
      'Free and Pro differ in priority support alone. A subscription whose payment is late is `pro` but not `isPro` from ' +
      '`expiresAt` on; once it has ended the account is on the free tier again, with both times null.',
    answers: {
      200: { description: 'The subscription as the payment processor last told', schema: subscriptionSchema },
    },
    handle: async ({ scope, query, context }: ScopedCall) => {
      readQuery(query, {});
      return ok(readSubscription(context, scope));
    },
  },
  {
    method: 'post',
    path: '/partner/subscription/checkout',
    name: 'startCheckout',
    credential: 'jwt',
    idempotent: true,
    tag: 'Subscription',
    summary: 'Start a checkout of the Pro plan',
    description:
      "199 SEK a month. While a checkout of the account is open its page is given again, so the plan can't be bought twice. 409 " +
      'while a subscription of the account has not ended, also one that is not paid: that is done with the invoice that was sent. ' +
      'Under an `Idempotency-Key` the first page is given again for 24 hours, whatever has become of it: for a new page, after one ' +
      'was paid, left or closed, send another key or none. ' +
      'Payment leads to the dashboard with `?upgraded=true`, turning away to the dashboard without it.',
    answers: { 200: { description: 'The page to pay on', schema: checkoutSchema } },
    refusals: ['CONFLICT', 'UNAVAILABLE'],
    handle: async ({ scope, query, context }: ScopedCall) => {
      readQuery(query, {});
      return ok(startCheckout(context, scope));
    },
  },
  {
    method: 'post',
    path: '/stripe/webhook',
    name: 'receivePaymentEvent',
    credential: 'none',
    tag: 'Subscription',
    summary: 'Take an event of the payment processor',
    description:
      'For the payment processor alone, which proves itself by signing the body. An event is applied once, and in whatever order ' +
      'events come the subscription is what the processor holds. 503: to be sent again. It counts against the limit of the address, ' +
      'before the body is read.',
    headers: {
      'Stripe-Signature': {
        description: '`t=<seconds>,v1=<HMAC-SHA256>` over `<seconds>.<body>`, at most five minutes old',
        schema: { type: 'string' },
      },
    },
    request: { schema: paymentEventSchema, asBytes: true, bytesMax: 256 * 1024 },
    answers: { 200: { description: 'Applied, now or before, or not ours to apply', schema: paymentEventTakenSchema } },
    refusals: ['UNAVAILABLE'],
    handle: async ({ body, headers, context }: Call) => {
      if (!Buffer.isBuffer(body)) throw new Error('this route must get the bytes of its body');
      const signature = headers['stripe-signature'];
      await takePaymentEvent(context, {
        bytes: body,
        signature: typeof signature === 'string' ? signature : undefined,
      });
      return { status: 200, body: { received: true } };
    },
  },
];
