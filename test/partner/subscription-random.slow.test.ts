import test from 'ava';
import fc from 'fast-check';
import { describeSubscription, stateOf } from '../../features/partner/rules/subscription.ts';
import { Refusal } from '../../features/rules/errors.ts';
import { PaymentsUnavailable } from '../../gateways/payments/port.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { startSubscriptionWorld, type SubscriptionWorld } from '../support/subscription-world.ts';
import { withDatabase } from '../support/with-database.ts';
import { checkProperty } from '../support/check-property.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

const hour = 3_600_000;
const types = [
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
];

/** What happens at the processor, in time, on the way of its events, and to the service. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('checkout' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pay' as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('renew', 'fail', 'lapse', 'cancel', 'end') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 900 }) }) },
  {
    weight: 6,
    // Some of the events so far, any of them, some oftener than once, side by side.
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      which: fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
      isDown: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reconcile' as const) }) },
);

/** Loses answers and delays them, as the seed says, so that readings overlap. */
const failures = fc.infiniteStream(fc.record({ isLost: fc.nat(9), turns: fc.nat(3) }));

// specification: payment-events-signed-applied
test('whatever order, losses and repetitions events come with, the account has what the processor holds, and each is applied once', async (t) => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 30 }), failures, async (steps, luck) => {
    // The reconciliation takes whatever row is due.
    await store.connection.collection('subscriptions').deleteMany({});
    const world = await startSubscriptionWorld(store);
    const sent: object[] = [];
    const open: string[] = [];
    world.payments.after = async () => {
      const { isLost, turns } = luck.next().value as { isLost: number; turns: number };
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
      if (isLost === 0) throw new PaymentsUnavailable('unreachable', 'the answer is lost');
    };
    for (const one of steps) await take(world, one, { sent, open });
    await settle(world);
    await isTrue(t, world, sent);
  });
  await checkProperty(t, property, { numRuns: 40, endOnFailure: true });
});

type Step = { do: string; hours?: number; which?: number[]; isDown?: boolean };
/** Events told so far, and pages that may still be paid on. */
type Told = { sent: object[]; open: string[] };

async function take(world: SubscriptionWorld, one: Step, told: Told): Promise<void> {
  if (one.do === 'checkout') await openPage(world, told);
  else if (one.do === 'pass') world.pass((one.hours ?? 0) * hour);
  else if (one.do === 'reconcile') await world.reconcile();
  else if (one.do === 'deliver') await deliver(world, one, told);
  else if (happens(world, one, told)) await tell(world, told);
}

async function openPage(world: SubscriptionWorld, { open }: Told): Promise<void> {
  const page = await orRefused(world.checkout());
  if (page !== undefined) open.push(page.url.replace('https://pay.test/', ''));
}

async function deliver(world: SubscriptionWorld, { which = [], isDown }: Step, { sent }: Told): Promise<void> {
  const chosen = isDown === true ? [] : which.map((at) => sent[at % Math.max(sent.length, 1)]);
  await Promise.all(chosen.filter((event) => event !== undefined).map((event) => orRefused(world.take(event))));
}

async function tell(world: SubscriptionWorld, { sent }: Told): Promise<void> {
  const customerId = await world.customerId();
  sent.push(...types.map((type) => world.event(type, { customerId, accountId: world.id })));
}

/** Whether anything has happened at the processor. */
function happens({ payments, context }: SubscriptionWorld, one: Step, { open }: Told): boolean {
  if (one.do === 'pay') {
    const session = payments.sessions.get(open.pop() ?? '');
    // The page may have closed meanwhile.
    if (session?.state !== 'open' || session.expiresAt <= context.now()) return false;
    payments.pay(session.id);
    return true;
  }
  const [sub] = [...payments.subscriptions.keys()];
  if (sub === undefined) return false;
  if (one.do === 'renew') payments.goOn(sub, 'active');
  if (one.do === 'fail') payments.goOn(sub, 'past_due');
  // Never paid, or paused: it gives nothing until its invoice is paid.
  if (one.do === 'lapse') payments.change(sub, { status: 'other' });
  if (one.do === 'cancel') payments.change(sub, { endsAt: payments.subscriptions.get(sub)?.held.periodEnd ?? null });
  if (one.do === 'end') payments.end(sub);
  return true;
}

/** Nothing more is told: time alone must do. */
async function settle(world: SubscriptionWorld): Promise<void> {
  world.payments.after = async () => undefined;
  for (let days = 0; days < 3; days += 1) {
    world.pass(25 * hour);
    while (await world.reconcile());
  }
}

async function isTrue(
  t: { deepEqual: (one: unknown, other: unknown, message?: string) => boolean },
  world: SubscriptionWorld,
  sent: object[],
) {
  const { payments, id, context } = world;
  const held = [...payments.customers].flatMap((customer) => payments.runningOf(customer));
  const truth = describeSubscription(stateOf(id, held), context.now());
  if (!t.deepEqual(await world.read(), truth)) throw new Error('not what the processor holds');
  if (held.length > 1) throw new Error('the plan was bought twice');
  // A repetition of all of them now finds each of those that were applied.
  const before = (await world.applied()).length;
  const outcomes: string[] = [];
  for (const event of sent) outcomes.push(await world.take(event));
  if (outcomes.filter((outcome) => outcome === 'known').length !== before) throw new Error('an event was forgotten');
  if ((await world.applied()).length !== sent.length) throw new Error('an event was applied twice or never');
  if (!t.deepEqual(await world.read(), truth)) throw new Error('a repetition changed something');
}

async function orRefused<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
