import test from 'ava';
import { createStripePayments } from '../../gateways/payments/stripe-payments.ts';
import { startStripeMock } from '../gateways/support/start-stripe-mock.ts';
import { aProcessor, subscriptionOf } from './support/a-processor.ts';
import { call } from './support/call.ts';
import { present } from '../support/clock.ts';

// stripe-mock answers with examples of the processor's own description of its API. What the simulator sends is compared with them.

const mock = await startStripeMock();
if (mock.problem !== undefined)
  console.log(
    `skipped: the simulator beside the payment processor's examples, because there is no stripe-mock: ${mock.problem}`,
  );
const url = mock.problem === undefined ? mock.url : '';
test.after.always(() => (mock.problem === undefined ? mock.close() : undefined));
const testWithMock = mock.problem === undefined ? test : test.skip;

const example = async (path: string): Promise<object> =>
  (await call('GET', `${url}/v1/${path}`, { headers: { authorization: 'Bearer sk_test_123' } })).json();

testWithMock('the simulator sends no field that the processor does not have, and each in its type', async (t) => {
  const { stripe, checkout, admin, events, eventOf } = await aProcessor(t);
  const customer = await stripe.customers.create({ email: 'a@example.se', name: 'Åsa', metadata: { accountId: 'a' } });
  const open = await checkout({ customer: customer.id });
  await admin(`/sessions/${open.id}/complete`);
  const paid = await stripe.checkout.sessions.retrieve(open.id);
  const id = subscriptionOf(paid);
  const list = await stripe.subscriptions.list({ customer: customer.id });
  await admin(`/subscriptions/${id}/fail-payment`);
  await admin(`/subscriptions/${id}/cancel-at-period-end`);
  await admin(`/subscriptions/${id}/end`);
  await eventOf('customer.subscription.deleted');
  const [aCustomer, aSession, aSubscription, anInvoice, anEvent, aList] = await Promise.all(
    [
      'customers/cus_1',
      'checkout/sessions/cs_1',
      'subscriptions/sub_1',
      'invoices/in_1',
      'events/evt_1',
      'subscriptions',
    ].map(example),
  );
  const examples: Readonly<Record<string, object | undefined>> = {
    'checkout.session': aSession,
    subscription: aSubscription,
    invoice: anInvoice,
  };
  t.deepEqual(differences(customer, aCustomer), []);
  t.deepEqual(
    [open, paid].flatMap((session) => differences(session, aSession)),
    [],
  );
  t.deepEqual(differences(list, aList), []);
  const told = await events();
  t.true(told.length >= 7);
  for (const { data, ...event } of told) {
    t.deepEqual(differences(event, anEvent), [], event.type);
    const { object } = data.object as { object: string };
    t.deepEqual(differences(data.object, examples[object]), [], event.type);
  }
});

testWithMock(
  'the adapter reads the processor’s own examples: of a customer’s subscriptions, and of what events are about',
  async (t) => {
    const { stripe } = await aProcessor(t);
    const settings = { url, secretKey: 'sk_test_123', webhookSecrets: ['whsec_1'], timeoutMs: 10_000, priceId: '' };
    const payments = createStripePayments({ ...settings, now: present });
    const [held] = (await payments.listRunning('cus_1')) ?? [];
    t.true((held?.periodEnd.getTime() ?? 0) > 0);
    const event = await example('events/evt_1');
    for (const path of ['checkout/sessions/cs_1', 'subscriptions/sub_1', 'invoices/in_1']) {
      const object = { ...(await example(path)), customer: 'cus_ours', metadata: { accountId: 'ours' } };
      const payload = JSON.stringify({ ...event, data: { object } });
      const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_1' });
      t.like(payments.readEvent(Buffer.from(payload), signature), { customerId: 'cus_ours', accountId: 'ours' }, path);
    }
  },
);

/** Every place at which `sent` has what `real` has not, or in another type. null fits everything, because an example shows one case. */
function differences(sent: unknown, real: unknown, place = ''): string[] {
  if (sent === null || real === null) return [];
  if (kindOf(sent) !== kindOf(real)) return [`${place} is ${kindOf(sent)}, not ${kindOf(real)}`];
  if (Array.isArray(sent)) return sent.flatMap((one) => differences(one, (real as unknown[])[0] ?? null, `${place}[]`));
  if (typeof sent !== 'object') return [];
  const known = new Map<string, unknown>(Object.entries(real as object));
  // The keys of metadata are ours, and `lastResponse` is added by the SDK.
  const names = Object.keys(sent).filter((name) => name !== 'metadata' && name !== 'lastResponse');
  return names.flatMap((name) =>
    known.has(name)
      ? differences(Reflect.get(sent, name), known.get(name), `${place}.${name}`)
      : [`${place}.${name} does not exist`],
  );
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'a list' : typeof value);
