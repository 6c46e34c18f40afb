import { takePaymentEvent } from '../../usecases/subscription/take-payment-event.ts';
import type { Answer, Call } from '../http/route.ts';

export async function postStripeWebhook({ body, headers, context }: Call): Promise<Answer> {
  if (!Buffer.isBuffer(body)) throw new Error('this route must get the bytes of its body');
  const signature = headers['stripe-signature'];
  await takePaymentEvent(context, {
    bytes: body,
    signature: typeof signature === 'string' ? signature : undefined,
  });
  return { status: 200, body: { received: true } };
}
