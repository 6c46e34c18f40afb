import { Refusal } from '../../core/errors.ts';
import { accountId, type AccountId } from '../../core/ids.ts';
import { freeState } from '../../core/subscription/subscription-state.ts';
import { InvalidPaymentEvent, type PaymentEvent } from '../../gateways/payments/port.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { addCustomer, findSubscriptionByCustomer, openSubscription } from '../../store/accounts/subscriptions.ts';
import type { Context } from '../context.ts';
import { refusalOf } from './payments-refusal.ts';
import { refreshSubscription } from './refresh-subscription.ts';

export interface SentEvent {
  /** As they came: the signature is over them. */
  readonly bytes: Buffer;
  /** Value of `Stripe-Signature`. */
  readonly signature: string | undefined;
}

/** `ignored`: not about a subscription, or not about one of ours. `known`: applied before. */
export type EventOutcome = 'applied' | 'known' | 'ignored';

type Needs = Pick<Context, 'store' | 'payments' | 'logger' | 'runExclusive' | 'now'>;

/**
 * Applies an event of the payment processor once. The event only says whose subscription to read; in which order events come, how
 * often, or whether some are lost makes no difference. Throws {@link Refusal} BAD_REQUEST for what the processor has not signed,
 * UNAVAILABLE when it can't be read now: it then sends the event again.
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
    // The events of one account come in bursts: one after the other they don't overtake each other. Right without it, too.
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

/** By the customer that we know; else by the reference that the event carries, whose customer is then known as the account's. */
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
