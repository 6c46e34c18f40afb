import Stripe from 'stripe';
import { describeNetworkProblem } from '../../platform/network-problem.ts';
import { readBounded } from '../../platform/read-bounded.ts';
import { InvalidPaymentEvent, PaymentsUnavailable, UnknownCustomer, type CheckoutWish, type Payments } from './port.ts';
import { accountKey, checkoutOf, heldSubscriptionOf, neededId, readStripeEvent } from './read-stripe-event.ts';

export interface StripePaymentsOptions extends StripeOptions {
  /** During a rotation there are several, and any may have signed an event. */
  readonly webhookSecrets: readonly string[];
  /** Price of the Pro plan at the processor; '' creates one with each checkout. */
  readonly priceId: string;
  readonly now: () => Date;
}

/** Specification "Subscription": 199 SEK per month, here in öre. */
const monthlyPriceOre = 19_900;
const productName = 'Pro';
const pageMax = 100;
const pagesMax = 10;

/** Stripe through its own SDK, which repeats a call once when the answer was lost, under the same Idempotency-Key. */
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

interface StripeOptions {
  /** Base address of the processor's API; '' is its own. HTTPS, or HTTP on loopback (the simulator): the key travels in every call. */
  readonly url: string;
  readonly secretKey: string;
  /** For each attempt, in ms, from connecting to the last byte. After a network error there is a second attempt. */
  readonly timeoutMs: number;
}

const answerBytesMax = 4 * 1024 * 1024;
const retriesMax = 1;

function createStripeClient({ url, secretKey, timeoutMs }: StripeOptions): Stripe {
  return new Stripe(secretKey, {
    ...(url !== '' && addressOf(url)),
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
    appInfo: { name: 'itembridge' },
    httpClient: Stripe.createFetchHttpClient(boundedFetch),
  });
}

function addressOf(url: string): { protocol: 'http' | 'https'; host: string; port?: string } {
  const { protocol, hostname, port } = new URL(url);
  const isOnLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  const isHttps = protocol === 'https:';
  if (!isHttps && !(protocol === 'http:' && isOnLoopback))
    throw new Error('the payment processor must be called over HTTPS (HTTP only on loopback)');
  const portOf = port === '' ? (isHttps ? '443' : '80') : port;
  return { protocol: isHttps ? 'https' : 'http', host: hostname, port: portOf };
}

/** Follows no redirect, because the key would go along, and reads no endless answer. */
async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  // Fetch sets the length itself. To Node 22's, a length given twice is an error where undici is loaded as well.
  headers.delete('content-length');
  const response = await fetch(input, { ...init, headers, redirect: 'error' });
  if (response.body === null) return response;
  const { bytes, truncated } = await readBounded(response.body, answerBytesMax);
  if (truncated) throw new Error('the answer is too long');
  return new Response(new Uint8Array(bytes), { status: response.status, headers: response.headers });
}

const { StripeConnectionError, StripeError, StripeInvalidRequestError } = Stripe.errors;

/** True when the processor itself says that it knows no object of this id (for the given parameter, if any). */
const isMissing = (error: unknown, parameter?: string): boolean =>
  error instanceof StripeInvalidRequestError &&
  error.code === 'resource_missing' &&
  (parameter === undefined || error.param === undefined || error.param === parameter);

/** Errors of the SDK quote the processor, perhaps with part of the key or personal data, so only their kind is kept. */
function asPaymentsUnavailable(error: unknown): PaymentsUnavailable {
  if (error instanceof PaymentsUnavailable) return error;
  if (error instanceof StripeConnectionError) return connectionProblem(error);
  const status = error instanceof StripeError ? error.statusCode : undefined;
  if (status === undefined || status < 400)
    return new PaymentsUnavailable('unusable_answer', "the payment processor's answer is unreadable");
  const kind = status === 408 || status === 409 || status === 429 || status >= 500 ? 'overloaded' : 'refused';
  return new PaymentsUnavailable(kind, `the payment processor answered HTTP ${status}`);
}

function connectionProblem(error: Error & { detail?: unknown }): PaymentsUnavailable {
  if (/due to timeout/.test(error.message))
    return new PaymentsUnavailable('timeout', 'the payment processor did not answer in time');
  const { message } = describeNetworkProblem(error.detail);
  return new PaymentsUnavailable('unreachable', `the payment processor is out of reach: ${message}`);
}

const absent = async (): Promise<never> => {
  throw new PaymentsUnavailable('not_configured', 'no payment processor is configured');
};

/** Used without a configured processor: every account stays on the free tier. */
export const absentPayments: Payments = {
  createCustomer: absent,
  createCheckout: absent,
  readCheckout: absent,
  listRunning: absent,
  readEvent: () => {
    throw new InvalidPaymentEvent('no payment processor is configured');
  },
};
