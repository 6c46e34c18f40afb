import type { ExecutionContext } from 'ava';
import Stripe from 'stripe';
import {
  startPaymentsSimulator,
  type PaymentsSimulatorOptions,
} from '../../../simulators/payments/start-payments-simulator.ts';
import { startWebhookReceiver } from '../../../simulators/webhook-receiver/start-webhook-receiver.ts';
import { until } from '../../support/until.ts';
import { call } from './call.ts';

const webhookSecret = 'whsec_of_the_test';

interface Received {
  readonly headers: Record<string, string>;
  readonly rawBase64: string;
}

/** The simulator, a receiver of its events, and the real SDK. */
export async function aProcessor(t: ExecutionContext, options: PaymentsSimulatorOptions = {}) {
  const receiver = await startWebhookReceiver();
  t.teardown(() => receiver.close());
  const payments = await startPaymentsSimulator({
    webhookUrl: `${receiver.url}/stripe/webhook`,
    webhookSecret,
    ...options,
  });
  t.teardown(() => payments.close());
  const stripe = new Stripe('sk_test_simulator', {
    host: '127.0.0.1',
    port: new URL(payments.url).port,
    protocol: 'http',
    maxNetworkRetries: 1,
  });
  /** Verified by the SDK: an event with a wrong signature throws. */
  const events = async (): Promise<Stripe.Event[]> => {
    const { received } = (await call('GET', `${receiver.adminUrl}/received`)).json<{ received: Received[] }>();
    return received.map(({ headers, rawBase64 }) =>
      stripe.webhooks.constructEvent(
        Buffer.from(rawBase64, 'base64'),
        headers['stripe-signature'] ?? '',
        webhookSecret,
      ),
    );
  };
  return {
    ...payments,
    receiver,
    stripe,
    events,
    eventOf: (type: string) => until(type, async () => (await events()).find((event) => event.type === type), 10_000),
    admin: (path: string) => call('POST', `${payments.adminUrl}${path}`),
    checkout: (changes: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
      stripe.checkout.sessions.create({
        mode: 'subscription',
        success_url: 'https://example.com/dashboard?upgraded=true&session={CHECKOUT_SESSION_ID}',
        cancel_url: 'https://example.com/dashboard',
        client_reference_id: 'account-1',
        metadata: { accountId: 'account-1' },
        subscription_data: { metadata: { accountId: 'account-1' } },
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: 'sek',
              unit_amount: 19_900,
              recurring: { interval: 'month' },
              product_data: { name: 'Pro' },
            },
          },
        ],
        ...changes,
      }),
  };
}

/** Its id: the simulator expands nothing. */
export function subscriptionOf({ subscription }: Stripe.Checkout.Session): string {
  if (typeof subscription !== 'string') throw new Error('the session has no subscription');
  return subscription;
}
