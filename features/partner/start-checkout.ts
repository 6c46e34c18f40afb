import { auditBy } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import type { Scope } from '../rules/scope.ts';
import { freeState, nextCheckAt } from './rules/subscription.ts';
import { PaymentsUnavailable, UnknownCustomer, type Checkout } from '../../gateways/payments/port.ts';
import type { Logger } from '../../platform/logger.ts';
import { findAccount } from '../accounts/store/accounts.ts';
import { recordAudit } from '../accounts/store/audit.ts';
import {
  addCustomer,
  closeCheckout,
  findSubscription,
  openSubscription,
  storeCheckout,
  type SubscriptionRow,
} from './store/subscriptions.ts';
import { untilWon } from '../../platform/concurrency/until-won.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Context } from '../context.ts';
import { refreshSubscription } from './refresh-subscription.ts';

type Needs = Pick<Context, 'store' | 'payments' | 'publicUrl' | 'confirmCredential' | 'logger' | 'now'>;

/** Each round closes an expired checkout, finds a customer deleted, or was overtaken by a parallel call. */
const roundsMax = 5;

/**
 * Returns the payment page of the Pro plan: the open one, or a new one. An account has one customer at the processor and one open
 * checkout at a time. So it can't buy the plan twice, even with parallel calls. Throws {@link Refusal} CONFLICT while a
 * subscription of the account has not ended, and UNAVAILABLE when the processor can't be reached.
 */
export async function startCheckout(context: Needs, scope: Scope): Promise<{ readonly url: string }> {
  try {
    const url = await untilWon(async () => (await openPage(context, scope))?.url ?? null, { rounds: roundsMax });
    if (url !== null) return { url };
  } catch (error) {
    throw refusalOf(error, context.logger);
  }
  throw new Refusal('UNAVAILABLE', 'Another checkout of this account is in the way; try again', {
    retryAfterSeconds: 5,
  });
}

/** Returns null when something changed meanwhile; the caller starts again. */
async function openPage(context: Needs, scope: Scope): Promise<Checkout | null> {
  const row = await rowWithCustomer(context, scope);
  if (row === null) return null;
  const current = await refreshSubscription(context, row._id);
  if (current === null) return null;
  if (current.state.tier === 'pro') throw alreadyPro();
  if (current.unended !== null && current.unended.length > 0) throw notEnded();
  return current.checkout === null ? openNew(context, scope, current) : reopen(context, current);
}

const alreadyPro = (): Refusal =>
  new Refusal('CONFLICT', 'The account has the Pro plan; a late payment is made with the invoice that was sent');

/**
 * A second subscription would run beside the first as soon as its old invoice is paid. An unpaid first payment ends within a day.
 */
const notEnded = (): Refusal =>
  new Refusal(
    'CONFLICT',
    'A subscription of the account is not paid but has not ended: pay the invoice that was sent, or start again once it has ended',
  );

/** The page that was opened before, if it can still be paid on. */
async function reopen({ store, payments }: Needs, row: SubscriptionRow): Promise<Checkout | null> {
  const checkout = row.checkout === null ? null : await payments.readCheckout(row.checkout.sessionId);
  if (checkout?.state === 'open') return checkout;
  await closeCheckout(store, row);
  return null;
}

async function openNew(context: Needs, scope: Scope, row: SubscriptionRow): Promise<Checkout | null> {
  const { store, now } = context;
  const made = await createPage(context, row);
  if (made === null) return null;
  if (made.state === 'open' && made.expiresAt > now()) return (await keep(context, scope, { row, made })) ? made : null;
  // The processor returned its stored answer to a much earlier call under the same key.
  await closeCheckout(store, row);
  return null;
}

/** Returns false when a parallel call has already stored its page, which must be shown instead. */
function keep(
  { store, confirmCredential, now }: Needs,
  scope: Scope,
  { row, made }: { row: SubscriptionRow; made: Checkout },
): Promise<boolean> {
  const at = now();
  const checkout = { sessionId: made.id, openedAt: at, closesAt: made.expiresAt };
  const checkAt = nextCheckAt({ state: row.state, checkout, mayChange: false }, at) ?? at;
  const told = { kind: 'checkout_started', at } as const;
  return inTransaction(store, async (session) => {
    await confirmCredential(scope);
    if (!(await storeCheckout(store, row, { checkout, checkAt, session }))) return false;
    await recordAudit(store, auditBy(scope, { ...told, details: { sessionId: made.id } }), session);
    return true;
  });
}

/**
 * Returns null when the processor has deleted the customer; then the account gets a new one. The key of that call counts the
 * account's customers, so the processor does not answer with the deleted one.
 */
async function createPage(context: Needs, row: SubscriptionRow): Promise<Checkout | null> {
  const { publicUrl, payments } = context;
  const [customerId] = row.customerIds;
  if (customerId === undefined) return null;
  const wish = {
    accountId: row._id,
    customerId,
    successUrl: `${publicUrl}/dashboard?upgraded=true`,
    cancelUrl: `${publicUrl}/dashboard`,
  };
  try {
    return await keyed(context, row, () => payments.createCheckout(wish, keyOf('checkout', row)));
  } catch (error) {
    if (!(error instanceof UnknownCustomer)) throw error;
    await giveCustomer(context, row);
    return null;
  }
}

async function rowWithCustomer(context: Needs, scope: Scope): Promise<SubscriptionRow | null> {
  const { store, confirmCredential } = context;
  await confirmCredential(scope);
  const row = await openSubscription(store, scope.actingAccountId, freeState);
  if (row.customerIds.length > 0) return row;
  await giveCustomer(context, row);
  return findSubscription(store, row._id);
}

async function giveCustomer(context: Needs, row: SubscriptionRow): Promise<void> {
  const { store, payments } = context;
  const account = await findAccount(store, row._id);
  if (account === null) throw new Error('a signed-in account has no row');
  const { _id: accountId, email, name } = account;
  const customerId = await keyed(context, row, () =>
    payments.createCustomer({ accountId, email, name }, keyOf('customer', row)),
  );
  if (!(await addCustomer(store, row._id, { customerId, isFirst: true })))
    throw new Error('the processor gave the customer of another account');
}

/** The same key for parallel calls, and for a repeated call whose answer was lost. */
const keyOf = (what: 'customer' | 'checkout', { _id, checkoutNumber, customerIds }: SubscriptionRow): string =>
  `itembridge:${what}:${_id}:${String(checkoutNumber)}:${String(customerIds.length)}`;

/**
 * The processor repeats its error under the same key, so the next try after an error needs another key. A page made
 * under the old key was never shown.
 */
async function keyed<Result>({ store }: Needs, row: SubscriptionRow, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const isAnswered = error instanceof PaymentsUnavailable && answered.has(error.problem);
    if (isAnswered) await closeCheckout(store, row);
    throw error;
  }
}

const answered: ReadonlySet<string> = new Set(['overloaded', 'refused', 'unusable_answer']);

const retryAfterSeconds = 30;

/** The error to throw: {@link Refusal} UNAVAILABLE, after a warning in the log, for the processor's; any other unchanged. */
export function refusalOf(error: unknown, logger: Logger): unknown {
  if (!(error instanceof PaymentsUnavailable)) return error;
  logger.warn({ problem: error.problem, reason: error.message }, 'payments.unavailable');
  const message =
    error.problem === 'not_configured'
      ? 'Subscriptions are not sold here: no payment processor is configured'
      : 'The payment processor can not be reached; try again';
  return new Refusal('UNAVAILABLE', message, { retryAfterSeconds, cause: error });
}
