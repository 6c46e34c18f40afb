// The processor's objects in its own form, as far as the product reads them. Times are whole seconds since 1970.

export interface Customer {
  readonly id: string;
  readonly object: 'customer';
  readonly created: number;
  readonly email: string | null;
  readonly name: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly livemode: false;
}

export interface Price {
  readonly id: string;
  readonly object: 'price';
  readonly currency: string;
  /** In öre. */
  readonly unit_amount: number;
  readonly recurring: { readonly interval: 'day' | 'week' | 'month' | 'year'; readonly interval_count: number };
}

export interface CheckoutSession {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly mode: 'subscription';
  readonly status: 'open' | 'complete' | 'expired';
  readonly payment_status: 'unpaid' | 'paid';
  readonly customer: string | null;
  readonly customer_email: string | null;
  readonly client_reference_id: string | null;
  readonly subscription: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly amount_total: number;
  readonly currency: string;
  readonly success_url: string;
  readonly cancel_url: string | null;
  readonly url: string | null;
  readonly created: number;
  readonly expires_at: number;
  readonly livemode: false;
}

/** The real processor keeps these two with the session; the subscription gets them when it is paid. */
export interface SessionRecord {
  readonly session: CheckoutSession;
  readonly price: Price;
  readonly subscriptionMetadata: Readonly<Record<string, string>>;
}

export interface Subscription {
  readonly id: string;
  readonly object: 'subscription';
  readonly status: 'active' | 'past_due' | 'canceled';
  readonly customer: string;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly cancel_at_period_end: boolean;
  readonly cancel_at: number | null;
  readonly canceled_at: number | null;
  readonly ended_at: number | null;
  readonly created: number;
  readonly start_date: number;
  readonly items: {
    readonly object: 'list';
    readonly has_more: false;
    readonly url: string;
    readonly data: readonly [SubscriptionItem];
  };
  readonly livemode: false;
}

/** Since API version 2025-03-31 the paid period is here and not on the subscription. */
export interface SubscriptionItem {
  readonly id: string;
  readonly object: 'subscription_item';
  readonly subscription: string;
  readonly quantity: number;
  readonly price: Price;
  readonly current_period_start: number;
  readonly current_period_end: number;
}

export interface PaymentEvent {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  readonly type: string;
  readonly data: { readonly object: unknown };
  readonly livemode: false;
  readonly pending_webhooks: number;
  readonly request: { readonly id: null; readonly idempotency_key: null };
}

export interface EventRecord {
  readonly event: PaymentEvent;
  readonly delivered: boolean;
  readonly attempts: number;
}

/** The answer that a repeated call with the same `Idempotency-Key` gets. */
export interface StoredReply {
  readonly key: string;
  /** Of method, path and body. */
  readonly fingerprint: string;
  readonly body: unknown;
}
