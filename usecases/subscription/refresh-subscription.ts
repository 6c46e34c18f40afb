import { setTimeout as pause } from 'node:timers/promises';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import { thePaymentProcessor } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import { describeSubscription } from '../../core/subscription/describe-subscription.ts';
import { nextCheckAt } from '../../core/subscription/next-check.ts';
import {
  isSameState,
  stateOf,
  stateWithoutCustomer,
  unended,
  type HeldSubscription,
  type SubscriptionState,
} from '../../core/subscription/subscription-state.ts';
import type { AccountId } from '../../core/ids.ts';
import type { PaymentEvent } from '../../gateways/payments/port.ts';
import { recordAudit } from '../../store/accounts/audit.ts';
import { isDuplicateKey } from '../../store/database/connection.ts';
import { insertPaymentEvent, isPaymentEventApplied } from '../../store/accounts/payment-events.ts';
import { findSubscription, storeReading, type SubscriptionRow } from '../../store/accounts/subscriptions.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import type { Context } from '../context.ts';

/** What was read. */
interface Reading {
  readonly state: SubscriptionState;
  /** The account's own subscriptions that have not ended; null when the processor knows none of the customers. */
  readonly unended: readonly HeldSubscription[] | null;
}

export type RefreshContext = Pick<Context, 'store' | 'payments' | 'logger' | 'now'>;

/** Each round that came to nothing was overtaken by another reading of the same account, which is a few at once at most. */
const roundsMax = 10;
const pauseMs = 30;

/**
 * Reads at the processor what the account has and stores that, with the event that gave rise to it, if any, in one transaction
 * (protocol 22): the event is applied once, and what was read earlier never replaces what was read later, because a reading is
 * stored only when nothing was stored since it began. Gives the row as it was stored, with what was read; null when the event had
 * been applied before.
 * Throws {@link PaymentsUnavailable}, or {@link Refusal} UNAVAILABLE when it was overtaken again and again.
 */
export async function refreshSubscription(
  context: RefreshContext,
  account: AccountId,
  event?: PaymentEvent,
): Promise<(SubscriptionRow & Reading) | null> {
  for (let round = 1; round <= roundsMax; round += 1) {
    if (event !== undefined && (await isPaymentEventApplied(context.store, event.id))) return null;
    const seen = await findSubscription(context.store, account);
    if (seen === null) throw new Error('a subscription is refreshed that was never opened');
    const reading = await readProcessor(context, seen);
    if (await keep(context, seen, { reading, event })) return { ...seen, ...reading };
    await pause(Math.random() * pauseMs * round);
  }
  throw new Refusal('UNAVAILABLE', 'The subscription is being changed; try again', { retryAfterSeconds: 5 });
}

async function readProcessor({ payments, logger, now }: RefreshContext, seen: SubscriptionRow): Promise<Reading> {
  const answers = await Promise.all(seen.customerIds.map((customer) => payments.listRunning(customer)));
  const known = answers.filter((held) => held !== null);
  if (known.length === 0 && answers.length > 0) {
    logger.warn({ accountId: seen._id, customerIds: seen.customerIds }, 'subscription.customer_unknown');
    return { state: stateWithoutCustomer(seen.state, now()), unended: null };
  }
  const own = unended(seen._id, known.flat());
  warnOfSeveral(logger, seen, own);
  return { state: stateOf(seen._id, own), unended: own };
}

/** Can't come of our own checkouts; whoever runs the service has to end one and pay it back. */
function warnOfSeveral(
  logger: RefreshContext['logger'],
  { _id: accountId }: SubscriptionRow,
  own: readonly HeldSubscription[],
): void {
  const ids = own.map(({ id }) => id);
  if (ids.length > 1) logger.warn({ accountId, subscriptionIds: ids }, 'subscription.several_running');
}

class Overtaken extends Error {}

/** Answers false, having stored nothing, when another reading or the same event came first. */
async function keep(
  context: RefreshContext,
  seen: SubscriptionRow,
  { reading, event }: { reading: Reading; event: PaymentEvent | undefined },
): Promise<boolean> {
  const { store } = context;
  const { state } = reading;
  const now = context.now();
  const checkout = state.tier === 'pro' ? null : seen.checkout;
  // Customers that are unknown today are known again when the operator has put the key right.
  const mayChange = reading.unended === null || reading.unended.length > 0;
  const checkAt = nextCheckAt({ state, checkout, mayChange }, now);
  const told = changeTold(seen, state, now);
  try {
    await inTransaction(store, async (session) => {
      if (!(await storeReading(store, seen, { state, checkAt, readAt: now, session }))) throw new Overtaken();
      if (event !== undefined) await insertPaymentEvent(store, rowOf(event, seen._id, now), session);
      if (told !== null) await recordAudit(store, told, session);
    });
    return true;
  } catch (error) {
    if (error instanceof Overtaken || isDuplicateKey(error)) return false;
    throw error;
  }
}

const rowOf = ({ id, type, createdAt }: PaymentEvent, accountId: AccountId, appliedAt: Date) => ({
  _id: id,
  accountId,
  type,
  createdAt,
  appliedAt,
});

function changeTold(
  { _id: accountId, state: before }: SubscriptionRow,
  after: SubscriptionState,
  at: Date,
): AuditEntry | null {
  if (isSameState(before, after)) return null;
  const { tier, expiresAt } = describeSubscription(after, at);
  return {
    accountId,
    actor: thePaymentProcessor,
    kind: 'subscription_changed',
    at,
    details: {
      ...{ before: before.tier, tier, expiresAt, renews: after.renews },
      subscriptionId: after.subscriptionId ?? before.subscriptionId,
    },
  };
}
