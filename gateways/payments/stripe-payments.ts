import type Stripe from 'stripe';
import { PaymentsUnavailable, UnknownCustomer, type CheckoutWish, type Payments } from './port.ts';
import { readStripeEvent } from './read-stripe-event.ts';
import { createStripeClient, type StripeOptions } from './stripe-client.ts';
import { asPaymentsUnavailable, isMissing } from './stripe-problems.ts';
import { accountKey, checkoutOf, heldSubscriptionOf, neededId } from './stripe-shapes.ts';

export interface StripePaymentsOptions extends StripeOptions {
  /** Any one of them may have signed an event. */
  readonly webhookSecrets: readonly string[];
  /** Price of the Pro plan at the processor; '' for one made with each checkout. */
  readonly priceId: string;
  readonly now: () => Date;
}

/** Specification "Subscription": 199 SEK per month, here in öre. */
const monthlyPriceOre = 19_900;
const productName = 'Pro';
const pageMax = 100;
const pagesMax = 10;

/** Stripe through its own SDK, which repeats a call once whose answer was lost, under the same Idempotency-Key. */
export function createStripePayments(options: StripePaymentsOptions): Payments {
  const stripe = createStripeClient(options);
  return {
    createCustomer: ({ accountId, email, name }, key) =>
      talk(async () =>
        neededId(
          await stripe.customers.create(
            { email, name, metadata: { [accountKey]: accountId } },
            { idempotencyKey: key },
          ),
        ),
      ),
    createCheckout: (wish, key) =>
      talk(
        async () =>
          checkoutOf(
            await stripe.checkout.sessions.create(sessionParams(wish, options.priceId), { idempotencyKey: key }),
          ),
        (error) => {
          if (isMissing(error, 'customer')) throw new UnknownCustomer('the processor knows no such customer');
        },
      ),
    readCheckout: (id) => talkOrNull(async () => checkoutOf(await stripe.checkout.sessions.retrieve(id))),
    listRunning: (customer) =>
      talkOrNull(async () => {
        const all = await listAll(stripe, customer);
        return all.filter(({ status }) => !isEnded(status)).map(heldSubscriptionOf);
      }),
    readEvent: (bytes, signature) =>
      readStripeEvent({ bytes, signature }, { secrets: options.webhookSecrets, now: options.now }),
  };
}

/** Newest first. Throws {@link PaymentsUnavailable} when the list is impossibly long. */
async function listAll(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  const all: Stripe.Subscription[] = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    const last = all.at(-1)?.id;
    const params = { customer, limit: pageMax, ...(last !== undefined && { starting_after: last }) };
    // Without a status the processor leaves out cancelled subscriptions, but not those that lapsed before their first payment.
    const { data, has_more: hasMore } = await stripe.subscriptions.list(params);
    all.push(...data);
    if (!hasMore) return all;
  }
  throw new PaymentsUnavailable('unusable_answer', "the payment processor's list of subscriptions has no end");
}

const isEnded = (status: Stripe.Subscription.Status): boolean =>
  status === 'canceled' || status === 'incomplete_expired';

/** The account is set in three places: on the customer, the checkout and its subscription. */
function sessionParams(
  { accountId, customerId, successUrl, cancelUrl }: CheckoutWish,
  priceId: string,
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'subscription',
    customer: customerId,
    client_reference_id: accountId,
    metadata: { [accountKey]: accountId },
    subscription_data: { metadata: { [accountKey]: accountId } },
    line_items: [{ quantity: 1, ...(priceId === '' ? { price_data: monthlyPrice } : { price: priceId }) }],
    success_url: successUrl,
    cancel_url: cancelUrl,
  };
}

const monthlyPrice: Stripe.Checkout.SessionCreateParams.LineItem.PriceData = {
  currency: 'sek',
  unit_amount: monthlyPriceOre,
  recurring: { interval: 'month' },
  product_data: { name: productName },
};

/** `examine` may throw a more precise error for an error of the SDK. */
async function talk<Result>(work: () => Promise<Result>, examine?: (error: unknown) => void): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    examine?.(error);
    throw asPaymentsUnavailable(error);
  }
}

const talkOrNull = <Result>(work: () => Promise<Result>): Promise<Result | null> =>
  talk<Result | null>(() =>
    work().catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    }),
  );
