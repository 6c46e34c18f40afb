import test from 'ava';
import Stripe from 'stripe';
import { accountId } from '../../features/rules/ids.ts';
import { PaymentsUnavailable } from '../../gateways/payments/port.ts';
import { createStripePayments } from '../../gateways/payments/stripe-payments.ts';
import { startStripeMock } from './support/start-stripe-mock.ts';
import { present } from '../support/clock.ts';

// A contract test: stripe-mock answers 400 to a parameter of a wrong type or name, by the processor's own description of its API.

const account = accountId('3f0c3a52-54f0-4b1c-9a53-0c7f1b7b9d11');
const wish = {
  accountId: account,
  customerId: 'cus_1',
  successUrl: 'https://itembridge.example/dashboard?upgraded=true',
  cancelUrl: 'https://itembridge.example/dashboard',
};

// It can be built only where there is Go, and a way to its modules.
const mock = await startStripeMock();
if (mock.problem !== undefined)
  console.log(`skipped: the contract with the payment processor, because there is no stripe-mock: ${mock.problem}`);
const url = mock.problem === undefined ? mock.url : '';
test.after.always(() => (mock.problem === undefined ? mock.close() : undefined));

const testWithMock = mock.problem === undefined ? test : test.skip;

testWithMock('the processor’s own description of its API takes every call that we make', async (t) => {
  const options = { url, secretKey: 'sk_test_123', webhookSecrets: ['whsec_1'], timeoutMs: 10_000 };
  const paymentsWith = (priceId: string) => createStripePayments({ ...options, priceId, now: present });
  const payments = paymentsWith('');

  t.regex(await payments.createCustomer({ accountId: account, email: 'a@example.se', name: 'Åsa' }, 'k1'), /^cus_/);
  // Its example of a checkout is not one of ours, so what counts is that the call itself was taken.
  for (const each of [payments, paymentsWith('price_1')])
    t.not(await refusedWith(each.createCheckout(wish, 'k2')), 'refused');
  t.not(await refusedWith(payments.readCheckout('cs_test_1')), 'refused');
  const held = await payments.listRunning('cus_1');
  t.true((held?.length ?? 0) > 0);

  const sdk = new Stripe('sk_test_123', { host: '127.0.0.1', port: new URL(url).port, protocol: 'http' });
  const wrong = { mode: 'subscription', line_item: 'x' } as unknown as Stripe.Checkout.SessionCreateParams;
  await t.throwsAsync(
    sdk.checkout.sessions.create(wrong),
    { message: /additional properties/ },
    'the mock does refuse a wrong name',
  );
});

/** null when the call went well. */
async function refusedWith(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof PaymentsUnavailable) return error.problem;
    throw error;
  }
}
