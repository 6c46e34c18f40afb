import { isUtf8 } from 'node:buffer';
import Stripe from 'stripe';
import { InvalidPaymentEvent, type PaymentEvent } from './port.ts';
import { accountKey, idOf, member, textOf } from './stripe-shapes.ts';

export interface SignedBytes {
  readonly bytes: Buffer;
  /** Value of `Stripe-Signature`. */
  readonly signature: string | undefined;
}

/** Maximum age of a signature, so that a recorded event can't be sent again later. */
const toleranceSeconds = 300;

/**
 * The event, once one of the secrets proves that the processor signed exactly these bytes a short while ago. Several secrets, so
 * that they can be rotated: while two are in force the processor signs with both. Throws {@link InvalidPaymentEvent}.
 */
export function readStripeEvent(
  { bytes, signature }: SignedBytes,
  { secrets, now }: { secrets: readonly string[]; now: () => Date },
): PaymentEvent {
  if (signature === undefined || !isUtf8(bytes)) throw new InvalidPaymentEvent('not signed');
  for (const secret of secrets) {
    const event = verified({ bytes, signature }, secret, now());
    if (event !== undefined) return paymentEventOf(event);
  }
  throw new InvalidPaymentEvent('no secret fits the signature, or it is too old');
}

/** Returns undefined when the bytes are not signed with this secret, or the signature is too old. */
function verified({ bytes, signature }: { bytes: Buffer; signature: string }, secret: string, now: Date): unknown {
  try {
    return Stripe.webhooks.constructEvent(bytes, signature, secret, toleranceSeconds, undefined, now.getTime());
  } catch (error) {
    // The message names the expected signature and is dropped: a caller without the secret must not learn it.
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
    throw new InvalidPaymentEvent('signed, but not an event', { cause: error });
  }
}

function paymentEventOf(event: unknown): PaymentEvent {
  const [id, type] = [textOf(member(event, 'id')), textOf(member(event, 'type'))];
  const created = member(event, 'created');
  const createdAt = new Date(typeof created === 'number' ? created * 1_000 : Number.NaN);
  if (id === null || type === null || Number.isNaN(createdAt.getTime())) throw new InvalidPaymentEvent('not an event');
  const object = member(member(event, 'data'), 'object');
  return {
    id,
    type,
    createdAt,
    customerId:
      type.startsWith('customer.') && member(object, 'object') === 'customer'
        ? idOf(object)
        : idOf(member(object, 'customer')),
    accountId: accountOf(object),
  };
}

/**
 * A checkout has the account itself. An invoice repeats the metadata of its subscription; the place depends on the API version.
 */
function accountOf(object: unknown): string | null {
  const details = member(member(object, 'parent'), 'subscription_details') ?? member(object, 'subscription_details');
  return (
    textOf(member(member(object, 'metadata'), accountKey)) ??
    textOf(member(member(details, 'metadata'), accountKey)) ??
    textOf(member(object, 'client_reference_id'))
  );
}
