import { readQuery } from '../../schemas/query.ts';
import { readSubscription } from '../../features/partner/refresh-subscription.ts';
import { startCheckout } from '../../features/partner/start-checkout.ts';
import { takePaymentEvent } from '../../features/partner/take-payment-event.ts';
import type { Answer, Call, ScopedCall } from '../http/route.ts';

/** `GET /partner/subscription`: 200 with tier and paid time. */
export async function getSubscription({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await readSubscription(context, scope) };
}

/** `POST /partner/subscription/checkout`: 200 with the address of the payment page. */
export async function postSubscriptionCheckout({ scope, query, context }: ScopedCall): Promise<Answer> {
  readQuery(query, {});
  return { status: 200, body: await startCheckout(context, scope) };
}

/** `POST /stripe/webhook`: 200 once the event has had its effect, also for one that is not about us. */
export async function postStripeWebhook({ body, headers, context }: Call): Promise<Answer> {
  if (!Buffer.isBuffer(body)) throw new Error('this route must get the bytes of its body');
  const signature = headers['stripe-signature'];
  await takePaymentEvent(context, {
    bytes: body,
    signature: typeof signature === 'string' ? signature : undefined,
  });
  return { status: 200, body: { received: true } };
}
