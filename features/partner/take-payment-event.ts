import { Refusal } from '../rules/errors.ts';
import { accountId, type AccountId } from '../rules/ids.ts';
import { freeState } from './rules/subscription.ts';
import { InvalidPaymentEvent, type PaymentEvent } from '../../gateways/payments/port.ts';
import { findAccount } from '../accounts/store/accounts.ts';
import { addCustomer, findSubscriptionByCustomer, openSubscription } from './store/subscriptions.ts';
import type { Context } from '../context.ts';
import { refusalOf } from './start-checkout.ts';
import { refreshSubscription } from './refresh-subscription.ts';

export interface SentEvent {
  /** The bytes as received, because the signature covers them. */
  readonly bytes: Buffer;
  /** Value of `Stripe-Signature`. */
  readonly signature: string | undefined;
}

/** `ignored`: not about a subscription, or not about one of ours. `known`: applied before. */
export type EventOutcome = 'applied' | 'known' | 'ignored';

type Needs = Pick<Context, 'store' | 'payments' | 'logger' | 'runExclusive' | 'now'>;

/**
 * Applies an event of the payment processor once. The event only tells which subscription to read, so order, repetitions and
 * losses of events do not matter. Throws {@link Refusal} BAD_REQUEST for an event without the processor's signature. UNAVAILABLE
 * means that the subscription can't be read now; the processor then sends the event again.
 */
export async function takePaymentEvent(context: Needs, sent: SentEvent): Promise<EventOutcome> {
  const event = verified(context, sent);
  if (!concernsSubscriptions(event.type)) return 'ignored';
  const account = await ownerOf(context, event);
  if (account === null) {
    const { id, type, customerId } = event;
    context.logger.warn({ eventId: id, eventType: type, customerId }, 'payment_event.of_nobody');
    return 'ignored';
  }
  try {
    // The events of one account come in bursts. Run one after the other, they do not overtake each other; correctness does not
    // need it.
    const refresh = () => refreshSubscription(context, account, event);
    const row = await context.runExclusive(`subscription ${account}`, refresh);
    const outcome = row === null ? 'known' : 'applied';
    const tier = row?.state.tier;
    context.logger.info(
      { eventId: event.id, eventType: event.type, accountId: account, outcome, tier },
      'payment_event.taken',
    );
    return outcome;
  } catch (error) {
    throw refusalOf(error, context.logger);
  }
}

function verified({ payments, logger }: Needs, { bytes, signature }: SentEvent): PaymentEvent {
  try {
    return payments.readEvent(bytes, signature);
  } catch (error) {
    if (!(error instanceof InvalidPaymentEvent)) throw error;
    logger.warn({ reason: error.message }, 'payment_event.refused');
    throw new Refusal('BAD_REQUEST', 'This is no event that the payment processor has signed lately', { cause: error });
  }
}

const concerned: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'invoice.paid',
  'invoice.payment_failed',
]);

const concernsSubscriptions = (type: string): boolean =>
  concerned.has(type) || type.startsWith('customer.subscription.');

/** Finds the account by a known customer; else by the reference in the event, and then links its customer to the account. */
async function ownerOf({ store, logger }: Needs, event: PaymentEvent): Promise<AccountId | null> {
  const { customerId, accountId: named } = event;
  const row = customerId === null ? null : await findSubscriptionByCustomer(store, customerId);
  if (row !== null && named !== null && named !== row._id) {
    const about = { eventId: event.id, accountId: row._id, namedAccountId: named, customerId };
    logger.warn(about, 'payment_event.names_another_account');
  }
  if (row !== null || customerId === null || named === null) return row?._id ?? null;
  const account = accountId(named);
  if ((await findAccount(store, account)) === null) return null;
  await openSubscription(store, account, freeState);
  if (await addCustomer(store, account, { customerId, isFirst: false })) return account;
  logger.warn({ eventId: event.id, accountId: account, customerId }, 'payment_event.customer_not_taken');
  return null;
}
