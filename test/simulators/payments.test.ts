import test from 'ava';
import Stripe from 'stripe';
import { startPaymentsSimulator } from '../../simulators/payments/start-payments-simulator.ts';
import { aProcessor, subscriptionOf } from './support/a-processor.ts';
import { call } from './support/call.ts';
import { aFolder } from './support/certificate.ts';

test('a checkout that is paid on its page becomes a subscription, told by signed events', async (t) => {
  const { stripe, checkout, eventOf } = await aProcessor(t);
  const customer = await stripe.customers.create({ email: 'a@example.com', metadata: { accountId: 'account-1' } });
  const session = await checkout({ customer: customer.id });
  t.like(session, { status: 'open', payment_status: 'unpaid', amount_total: 19_900, client_reference_id: 'account-1' });
  t.regex((await call('GET', session.url ?? '')).text, /199.00 SEK/);
  const paid = await call('POST', `${session.url ?? ''}/complete`);
  t.is(paid.status, 303);
  t.is(paid.headers['location'], `https://example.com/dashboard?upgraded=true&session=${session.id}`);

  const completed = await eventOf('checkout.session.completed');
  t.like(completed.data.object, {
    id: session.id,
    status: 'complete',
    payment_status: 'paid',
    metadata: { accountId: 'account-1' },
  });
  const after = await stripe.checkout.sessions.retrieve(session.id);
  const subscription = await stripe.subscriptions.retrieve(subscriptionOf(after));
  t.like(subscription, { status: 'active', customer: customer.id, metadata: { accountId: 'account-1' } });
  const [item] = subscription.items.data;
  const days = ((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)) / 86_400;
  t.true(days >= 28 && days <= 31);
});

test('a subscription is renewed, falls behind and ends', async (t) => {
  const { stripe, checkout, admin, eventOf } = await aProcessor(t);
  const session = await checkout();
  await admin(`/sessions/${session.id}/complete`);
  const id = subscriptionOf(await stripe.checkout.sessions.retrieve(session.id));
  const endOf = async () => (await stripe.subscriptions.retrieve(id)).items.data[0]?.current_period_end ?? 0;
  const firstEnd = await endOf();
  t.is((await admin(`/subscriptions/${id}/renew`)).status, 200);
  t.true((await endOf()) > firstEnd);
  await eventOf('invoice.paid');
  await admin(`/subscriptions/${id}/fail-payment`);
  t.is((await stripe.subscriptions.retrieve(id)).status, 'past_due');
  await eventOf('invoice.payment_failed');
  await admin(`/subscriptions/${id}/end`);
  t.is((await stripe.subscriptions.retrieve(id)).status, 'canceled');
  t.like((await eventOf('customer.subscription.deleted')).data.object, { id, status: 'canceled' });
  t.is((await admin(`/subscriptions/${id}/renew`)).status, 400);
});

test('a cancelled checkout expires and leads back without payment', async (t) => {
  const { checkout, stripe, eventOf, admin } = await aProcessor(t);
  const session = await checkout();
  const answer = await call('POST', `${session.url ?? ''}/cancel`);
  t.is(answer.headers['location'], 'https://example.com/dashboard');
  t.is((await stripe.checkout.sessions.retrieve(session.id)).status, 'expired');
  await eventOf('checkout.session.expired');
  t.is((await admin(`/sessions/${session.id}/complete`)).status, 400);
});

test('an event is sent again until its receiver takes it', async (t) => {
  const { checkout, admin, receiver, eventOf, events } = await aProcessor(t);
  await call('POST', `${receiver.adminUrl}/faults`, { body: { mode: 'status', status: 500, times: 1 } });
  const session = await checkout();
  await admin(`/sessions/${session.id}/cancel`);
  await eventOf('checkout.session.expired');
  t.is((await events()).length, 1);
  const { calls } = (await call('GET', `${receiver.adminUrl}/calls`)).json<{ calls: { status: number }[] }>();
  t.deepEqual(
    calls.map(({ status }) => status),
    [500, 200],
  );
});

test('a call whose answer is lost is repeated by the SDK and done once', async (t) => {
  const { checkout, adminUrl } = await aProcessor(t);
  await call('POST', `${adminUrl}/faults`, { body: { mode: 'drop-after', path: '^/v1/checkout/sessions$', times: 1 } });
  const session = await checkout();
  const { sessions } = (await call('GET', `${adminUrl}/sessions`)).json<{ sessions: { id: string }[] }>();
  t.deepEqual(
    sessions.map(({ id }) => id),
    [session.id],
  );
});

test('errors are what the SDK expects of the processor', async (t) => {
  const { stripe, checkout } = await aProcessor(t, { secretKey: 'sk_test_simulator' });
  await t.throwsAsync(stripe.subscriptions.retrieve('sub_none'), {
    instanceOf: Stripe.errors.StripeInvalidRequestError,
    message: /No such subscription/,
  });
  const error = await t.throwsAsync(checkout({ customer: 'cus_none' }), { message: /No such customer/ });
  t.like(error, { statusCode: 400, code: 'resource_missing', param: 'customer' });
});

test('subscriptions and events not yet delivered survive a restart', async (t) => {
  const dataDir = aFolder(t);
  const first = await startPaymentsSimulator({ dataDir });
  const headers = { authorization: 'Bearer k', 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'mode=subscription&success_url=https%3A%2F%2Fexample.com&line_items[0][price]=price_pro';
  const { id } = (await (
    await fetch(`${first.url}/v1/checkout/sessions`, { method: 'POST', headers, body })
  ).json()) as { id: string };
  await call('POST', `${first.adminUrl}/sessions/${id}/complete`);
  await first.close();
  const { stripe, eventOf } = await aProcessor(t, { dataDir });
  await eventOf('checkout.session.completed');
  const session = await stripe.checkout.sessions.retrieve(id);
  t.is((await stripe.subscriptions.retrieve(subscriptionOf(session))).status, 'active');
});
