import type { AccountId } from '../../features/rules/ids.ts';
import type { HeldSubscription } from '../../features/partner/rules/subscription.ts';

/**
 * The payment processor. Creating calls take a key: a repeated call with the same key creates nothing and returns the first
 * answer. Every call throws only {@link PaymentsUnavailable}, unless stated.
 */
export interface Payments {
  createCustomer(customer: CustomerWish, key: string): Promise<string>;
  /** Throws {@link UnknownCustomer} as well. */
  createCheckout(checkout: CheckoutWish, key: string): Promise<Checkout>;
  /** null when the processor knows no checkout of this id. */
  readCheckout(id: string): Promise<Checkout | null>;
  /** The customer's subscriptions that have not ended, as they are now; null when the processor knows no such customer. */
  listRunning(customerId: string): Promise<readonly HeldSubscription[] | null>;
  /** Checks the signature over the received bytes. Throws only {@link InvalidPaymentEvent}. */
  readEvent(bytes: Buffer, signature: string | undefined): PaymentEvent;
}

export interface CustomerWish {
  readonly accountId: AccountId;
  readonly email: string;
  readonly name: string;
}

export interface CheckoutWish {
  readonly accountId: AccountId;
  readonly customerId: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** A payment page of the processor for the Pro plan. */
export interface Checkout {
  readonly id: string;
  readonly state: 'open' | 'complete' | 'expired';
  /** Set only while the checkout is open. */
  readonly url: string | null;
  readonly expiresAt: Date;
}

/** The subject of an event. Its content is left out, because an older event may come later (protocol 23). */
export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly customerId: string | null;
  /** From the reference or metadata that we set on checkout and subscription; not checked. */
  readonly accountId: string | null;
}

/** The event was not signed by the processor for us, is too old, or is no event. */
export class InvalidPaymentEvent extends Error {
  override readonly name = 'InvalidPaymentEvent';
}

/** The customer was deleted at the processor, or belongs to another account there. */
export class UnknownCustomer extends Error {
  override readonly name = 'UnknownCustomer';
}

/**
 * - `timeout`: no complete answer in time. - `unreachable`: no connection, or a broken one; the call may have had its effect.
 * - `overloaded`: 429 or 5xx. - `refused`: any other error (wrong key, address or price, to be corrected by the operator).
 * - `unusable_answer`: an answer of another form. - `not_configured`: there is no processor; nothing was sent.
 */
export type PaymentsProblem =
  | 'timeout'
  | 'unreachable'
  | 'overloaded'
  | 'refused'
  | 'unusable_answer'
  | 'not_configured';

/** The processor gave no answer. The message is safe to log: it holds neither the key nor the processor's own message. */
export class PaymentsUnavailable extends Error {
  override readonly name = 'PaymentsUnavailable';
  readonly problem: PaymentsProblem;

  constructor(problem: PaymentsProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
