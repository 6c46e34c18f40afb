import type { AccountId } from '../../core/ids.ts';
import type { HeldSubscription } from '../../core/subscription/subscription-state.ts';

/**
 * The payment processor. Calls that create take a key: repeated under the same key they create nothing further and give the first
 * answer. Every call throws {@link PaymentsUnavailable} and nothing else, except where it says so.
 */
export interface Payments {
  createCustomer(customer: CustomerWish, key: string): Promise<string>;
  /** Throws {@link UnknownCustomer} too. */
  createCheckout(checkout: CheckoutWish, key: string): Promise<Checkout>;
  /** null when the processor knows none of this id. */
  readCheckout(id: string): Promise<Checkout | null>;
  /** The customer's subscriptions that have not ended, as they are now; null when the processor knows no such customer. */
  listRunning(customerId: string): Promise<readonly HeldSubscription[] | null>;
  /** Checks the signature over the bytes as they came. Throws {@link InvalidPaymentEvent} and nothing else. */
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

/** A page of the processor on which the Pro plan is paid. */
export interface Checkout {
  readonly id: string;
  readonly state: 'open' | 'complete' | 'expired';
  /** Only while it is open. */
  readonly url: string | null;
  readonly expiresAt: Date;
}

/** What an event is about. What it says has changed is not here, because an older event may come later (protocol 22). */
export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly customerId: string | null;
  /** By reference or metadata that we gave to checkout and subscription; not checked. */
  readonly accountId: string | null;
}

/** Not signed by the processor for us, too old, or no event. */
export class InvalidPaymentEvent extends Error {
  override readonly name = 'InvalidPaymentEvent';
}

/** The customer was deleted at the processor, or belongs to another account there. */
export class UnknownCustomer extends Error {
  override readonly name = 'UnknownCustomer';
}

/**
 * - `timeout`: no complete answer in time. - `unreachable`: no connection, or one that broke; it may have been done.
 * - `overloaded`: 429 or 5xx. - `refused`: any other error (key, address or price are wrong: the operator's to mend).
 * - `unusable_answer`: an answer that is not what was asked for. - `not_configured`: there is no processor; nothing was sent.
 */
export type PaymentsProblem =
  | 'timeout'
  | 'unreachable'
  | 'overloaded'
  | 'refused'
  | 'unusable_answer'
  | 'not_configured';

/** There is no answer now. The message is safe to log: it holds neither the key nor what the processor said of itself. */
export class PaymentsUnavailable extends Error {
  override readonly name = 'PaymentsUnavailable';
  readonly problem: PaymentsProblem;

  constructor(problem: PaymentsProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
