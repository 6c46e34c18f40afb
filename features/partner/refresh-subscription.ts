import { setTimeout as pause } from 'node:timers/promises';
import { thePaymentProcessor, type AuditEntry } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import {
  describeSubscription,
  freeState,
  isSameState,
  nextCheckAt,
  stateOf,
  stateWithoutCustomer,
  unended,
  type HeldSubscription,
  type SubscriptionState,
} from './rules/subscription.ts';
import { PaymentsUnavailable, type PaymentEvent } from '../../gateways/payments/port.ts';
import { recordAudit } from '../accounts/store/audit.ts';
import {
  claimDueCheck,
  findSubscription,
  insertPaymentEvent,
  isPaymentEventApplied,
  storeReading,
  type SubscriptionRow,
} from './store/subscriptions.ts';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { insertNotice, type NewNotice } from '../mail/store/mails.ts';
import type { Context } from '../context.ts';

interface Reading {
  readonly state: SubscriptionState;
  /** The account's own subscriptions that have not ended; null when the processor knows none of its customers. */
  readonly unended: readonly HeldSubscription[] | null;
}

type RefreshContext = Pick<Context, 'store' | 'payments' | 'logger' | 'now'>;

/** Each lost round was overtaken by another reading of the same account; at most a few run at once. */
const roundsMax = 10;
const pauseMs = 30;

/**
 * Reads the account's state at the processor, and stores it with its event, if any, in one transaction (protocol 23). The event
 * is applied once. An older reading never replaces a newer one, because a reading is stored only if nothing was stored since it
 * began. Returns the stored row with the reading; null when the event was already applied. Throws {@link PaymentsUnavailable}, or
 * {@link Refusal} UNAVAILABLE when it was overtaken in every round.
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

/**
 * Several subscriptions make the account pay twice. The service's own checkouts can't cause them, so the operator has to end one
 * and refund it.
 */
function warnOfSeveral(
  logger: RefreshContext['logger'],
  { _id: accountId }: SubscriptionRow,
  own: readonly HeldSubscription[],
): void {
  const ids = own.map(({ id }) => id);
  if (ids.length > 1) logger.warn({ accountId, subscriptionIds: ids }, 'subscription.several_running');
}

class Overtaken extends Error {}

/** Returns false and stores nothing when another reading or the same event came first. */
async function keep(
  context: RefreshContext,
  seen: SubscriptionRow,
  { reading, event }: { reading: Reading; event: PaymentEvent | undefined },
): Promise<boolean> {
  const { store } = context;
  const { state } = reading;
  const now = context.now();
  const checkout = state.tier === 'pro' ? null : seen.checkout;
  // Unknown customers become known again when the operator corrects the API key.
  const mayChange = reading.unended === null || reading.unended.length > 0;
  const checkAt = nextCheckAt({ state, checkout, mayChange }, now);
  const told = changeTold(seen, state, now);
  try {
    await inTransaction(store, async (session) => {
      if (!(await storeReading(store, seen, { state, checkAt, readAt: now, session }))) throw new Overtaken();
      if (event !== undefined) await insertPaymentEvent(store, rowOf(event, seen._id, now), session);
      if (told !== null) await recordAudit(store, told, session);
      for (const late of lateOf(reading)) await insertNotice(store, renewalNotice(seen._id, late, now), session);
    });
    return true;
  } catch (error) {
    if (error instanceof Overtaken || isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Subscriptions whose present period is not paid. */
const lateOf = ({ unended: own }: Reading): HeldSubscription[] =>
  (own ?? []).filter(({ status }) => status === 'past_due');

/** One notice for each period, however often it is read. */
const renewalNotice = (accountId: AccountId, { id, periodStart }: HeldSubscription, at: Date): NewNotice => ({
  accountId,
  at,
  occurrence: `${id}:${periodStart.toISOString()}`,
  notice: { what: 'renewal_failed' },
});

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
      before: before.tier,
      tier,
      expiresAt,
      renews: after.renews,
      subscriptionId: after.subscriptionId ?? before.subscriptionId,
    },
  };
}

/** Reads the stored state against the service's own clock, without a call of the processor. */
export async function readSubscription({ store, now }: Pick<Context, 'store' | 'now'>, scope: Scope) {
  const row = await findSubscription(store, scope.actingAccountId);
  return describeSubscription(row?.state ?? freeState, now());
}

/** A claimed row becomes due again after this time, when the worker died or could not reach the processor. */
const retryAfterMs = 5 * 60_000;

/**
 * Reads one subscription whose events may be lost: when its paid time is over, while a checkout is open, and once a day. Returns
 * true when more may be due at once; false when none is due, or the processor is unavailable.
 */
export async function reconcileSubscriptions(context: RefreshContext): Promise<boolean> {
  const now = context.now();
  const row = await claimDueCheck(context.store, { now, until: new Date(now.getTime() + retryAfterMs) });
  if (row === null) return false;
  try {
    await refreshSubscription(context, row._id);
    return true;
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    context.logger.warn({ problem: error.problem, reason: error.message }, 'payments.unavailable');
    return false;
  }
}
