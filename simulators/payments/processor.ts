import { randomBytes } from 'node:crypto';
import type { Clock } from '../kit/clock.ts';
import { Refusal } from '../kit/fields.ts';
import type { EventSender } from './event-sender.ts';
import type {
  CheckoutSession,
  Customer,
  PaymentEvent,
  Price,
  SessionRecord,
  Subscription,
  SubscriptionItem,
} from './model.ts';
import { formObject, formText, formTexts, type Form } from './parse-form.ts';
import type { PaymentBook } from './payment-book.ts';

const apiVersion = '2025-03-31.basil';
const sessionLifetimeSeconds = 24 * 3600;
const defaultUnitAmount = 19_900;

export interface ProcessorParts {
  readonly book: PaymentBook;
  readonly events: EventSender;
  readonly clock: Clock;
  /** Known once the simulator listens. */
  readonly siteUrl: () => string;
}

/** What the payment processor does: each change is stored, then told by events. */
export class Processor {
  readonly #book: PaymentBook;
  readonly #events: EventSender;
  readonly #clock: Clock;
  readonly #siteUrl: () => string;

  constructor(parts: ProcessorParts) {
    this.#book = parts.book;
    this.#events = parts.events;
    this.#clock = parts.clock;
    this.#siteUrl = parts.siteUrl;
  }

  createCustomer(form: Form): Customer {
    const id = newId('cus');
    const text = { email: formText(form, 'email'), name: formText(form, 'name') };
    const customer: Customer = {
      id,
      object: 'customer',
      created: this.#now(),
      ...text,
      metadata: formTexts(form, 'metadata'),
      livemode: false,
    };
    this.#book.put({ type: 'customer', id, value: customer });
    return customer;
  }

  createSession(form: Form): CheckoutSession {
    if (formText(form, 'mode') !== 'subscription')
      throw invalid('mode', 'mode must be subscription: this simulator sells nothing else');
    const customer = formText(form, 'customer');
    if (customer !== null && !this.#book.customers.has(customer)) throw missingIn('customer', customer);
    const price = readPrice(form);
    const id = newId('cs_test');
    const session: CheckoutSession = {
      id,
      object: 'checkout.session',
      mode: 'subscription',
      status: 'open',
      payment_status: 'unpaid',
      customer,
      customer_email: formText(form, 'customer_email'),
      client_reference_id: formText(form, 'client_reference_id'),
      subscription: null,
      metadata: formTexts(form, 'metadata'),
      amount_total: price.unit_amount,
      currency: price.currency,
      success_url: required(form, 'success_url'),
      cancel_url: formText(form, 'cancel_url'),
      url: `${this.#siteUrl()}/pay/${id}`,
      created: this.#now(),
      expires_at: this.#now() + sessionLifetimeSeconds,
      livemode: false,
    };
    this.#putSession({
      session,
      price,
      subscriptionMetadata: formTexts(formObject(form, 'subscription_data'), 'metadata'),
    });
    return session;
  }

  session(id: string): SessionRecord {
    const record = this.#book.sessions.get(id);
    if (record === undefined) throw missing('checkout.session', id);
    return record;
  }

  subscription(id: string): Subscription {
    const subscription = this.#book.subscriptions.get(id);
    if (subscription === undefined) throw missing('subscription', id);
    return subscription;
  }

  /** The customer pays. */
  completeSession(id: string): CheckoutSession {
    const record = this.#openSession(id);
    const customer = record.session.customer ?? this.createCustomer({ email: record.session.customer_email ?? '' }).id;
    const subscription = this.#createSubscription(record, customer);
    const paid = {
      status: 'complete',
      payment_status: 'paid',
      customer,
      subscription: subscription.id,
      url: null,
    } as const;
    const session = { ...record.session, ...paid };
    this.#putSession({ ...record, session });
    this.#tell('customer.subscription.created', subscription);
    this.#tell('checkout.session.completed', session);
    this.#tell('invoice.paid', this.#invoiceOf(subscription, 'paid'));
    return session;
  }

  /** The customer abandons the payment: the session can't be paid any more. */
  cancelSession(id: string): CheckoutSession {
    const record = this.#openSession(id);
    const session = { ...record.session, status: 'expired', url: null } as const;
    this.#putSession({ ...record, session });
    this.#tell('checkout.session.expired', session);
    return session;
  }

  /** Subscriptions that have not ended, newest first. */
  runningOf(customer: string): Subscription[] {
    if (!this.#book.customers.has(customer)) throw missingIn('customer', customer);
    const all = [...this.#book.subscriptions.values()].toReversed();
    return all.filter((one) => one.customer === customer && one.status !== 'canceled');
  }

  /** Pays the next period, or the one that is still owed. */
  renewSubscription(id: string): Subscription {
    const before = this.#runningSubscription(id);
    const items = before.status === 'past_due' ? before.items : nextPeriod(before.items);
    const subscription: Subscription = { ...before, status: 'active', items };
    this.#putSubscription(subscription);
    this.#tell('invoice.paid', this.#invoiceOf(subscription, 'paid'));
    this.#tell('customer.subscription.updated', subscription);
    return subscription;
  }

  /** Begins the next period with a failed payment, or retries the owed one without success. */
  failPayment(id: string): Subscription {
    const before = this.#runningSubscription(id);
    const items = before.status === 'past_due' ? before.items : nextPeriod(before.items);
    const subscription: Subscription = { ...before, status: 'past_due', items };
    this.#putSubscription(subscription);
    this.#tell('invoice.payment_failed', this.#invoiceOf(subscription, 'open'));
    this.#tell('customer.subscription.updated', subscription);
    return subscription;
  }

  /** The customer cancels for the end of the period. Its end is reported by the call that ends it. */
  cancelAtPeriodEnd(id: string): Subscription {
    const before = this.#runningSubscription(id);
    const [{ current_period_end: end }] = before.items.data;
    const told = { cancel_at_period_end: true, cancel_at: end, canceled_at: this.#now() };
    const subscription: Subscription = { ...before, ...told };
    this.#putSubscription(subscription);
    this.#tell('customer.subscription.updated', subscription);
    return subscription;
  }

  endSubscription(id: string): Subscription {
    const now = this.#now();
    const subscription: Subscription = {
      ...this.#runningSubscription(id),
      status: 'canceled',
      canceled_at: now,
      ended_at: now,
    };
    this.#putSubscription(subscription);
    this.#tell('customer.subscription.deleted', subscription);
    return subscription;
  }

  #createSubscription(record: SessionRecord, customer: string): Subscription {
    const id = newId('sub');
    const now = this.#now();
    const period = { current_period_start: now, current_period_end: endOfPeriod(now, record.price) };
    const item: SubscriptionItem = {
      id: newId('si'),
      object: 'subscription_item',
      subscription: id,
      quantity: 1,
      price: record.price,
      ...period,
    };
    const subscription: Subscription = {
      id,
      object: 'subscription',
      status: 'active',
      customer,
      currency: record.price.currency,
      metadata: record.subscriptionMetadata,
      cancel_at_period_end: false,
      cancel_at: null,
      canceled_at: null,
      ended_at: null,
      created: now,
      start_date: now,
      items: { object: 'list', has_more: false, url: `/v1/subscription_items?subscription=${id}`, data: [item] },
      livemode: false,
    };
    this.#putSubscription(subscription);
    return subscription;
  }

  #invoiceOf(subscription: Subscription, status: 'paid' | 'open'): unknown {
    const { price } = subscription.items.data[0];
    return {
      id: newId('in'),
      object: 'invoice',
      customer: subscription.customer,
      status,
      currency: price.currency,
      amount_due: price.unit_amount,
      amount_paid: status === 'paid' ? price.unit_amount : 0,
      created: this.#now(),
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
      },
      livemode: false,
    };
  }

  #openSession(id: string): SessionRecord {
    const record = this.session(id);
    if (record.session.status === 'open') return record;
    throw new Refusal(400, 'checkout_session_not_open', `the session is ${record.session.status}`);
  }

  #runningSubscription(id: string): Subscription {
    const subscription = this.subscription(id);
    if (subscription.status !== 'canceled') return subscription;
    throw new Refusal(400, 'subscription_canceled', 'the subscription has ended');
  }

  #putSession(record: SessionRecord): void {
    this.#book.put({ type: 'session', id: record.session.id, value: record });
  }

  #putSubscription(subscription: Subscription): void {
    this.#book.put({ type: 'subscription', id: subscription.id, value: subscription });
  }

  #tell(type: string, object: unknown): void {
    const about = { api_version: apiVersion, created: this.#now(), livemode: false, pending_webhooks: 1 } as const;
    const event: PaymentEvent = {
      id: newId('evt'),
      object: 'event',
      type,
      data: { object },
      ...about,
      request: { id: null, idempotency_key: null },
    };
    this.#events.add(event);
  }

  #now(): number {
    return Math.floor(this.#clock.now() / 1000);
  }
}

/** The price of the first line; a price id without data means 199 kr per month. */
function readPrice(form: Form): Price {
  const line = formObject(formObject(form, 'line_items'), '0');
  const data = formObject(line, 'price_data');
  const id = formText(line, 'price');
  const unitAmount = Number(formText(data, 'unit_amount') ?? defaultUnitAmount);
  const interval = formText(formObject(data, 'recurring'), 'interval') ?? 'month';
  if (id === null && formText(data, 'currency') === null)
    throw invalid('line_items', 'line_items[0] must have price or price_data');
  if (!Number.isInteger(unitAmount) || unitAmount < 0)
    throw invalid('line_items[0][price_data][unit_amount]', 'unit_amount must be a whole number');
  if (interval !== 'day' && interval !== 'week' && interval !== 'month' && interval !== 'year')
    throw invalid('line_items[0][price_data][recurring][interval]', 'interval must be day, week, month or year');
  const currency = formText(data, 'currency') ?? 'sek';
  return {
    id: id ?? newId('price'),
    object: 'price',
    currency,
    unit_amount: unitAmount,
    recurring: { interval, interval_count: 1 },
  };
}

function nextPeriod(items: Subscription['items']): Subscription['items'] {
  const [item] = items.data;
  const start = item.current_period_end;
  const next = { ...item, current_period_start: start, current_period_end: endOfPeriod(start, item.price) };
  return { ...items, data: [next] };
}

/** The same day of the next month, or its last day when that month is shorter. */
function endOfPeriod(startSeconds: number, { recurring }: Price): number {
  const daySeconds = 24 * 3600;
  if (recurring.interval === 'day') return startSeconds + daySeconds;
  if (recurring.interval === 'week') return startSeconds + 7 * daySeconds;
  const end = new Date(startSeconds * 1000);
  const day = end.getUTCDate();
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + (recurring.interval === 'year' ? 12 : 1));
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, lastDay));
  return end.getTime() / 1000;
}

function required(form: Form, name: string): string {
  const value = formText(form, name);
  if (value === null) throw invalid(name, `Missing required param: ${name}.`);
  return value;
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** A refusal that is about one parameter, which the error then names. */
export class ParameterRefusal extends Refusal {
  readonly param: string;

  constructor(param: string, error: { readonly code: string; readonly message: string; readonly status?: number }) {
    super(error.status ?? 400, error.code, error.message);
    this.param = param;
  }
}

function invalid(param: string, message: string): Refusal {
  return new ParameterRefusal(param, { code: 'parameter_invalid', message });
}

/** An unknown object in the parameters is a 400; one in the path is a 404. */
function missingIn(param: string, id: string): Refusal {
  return new ParameterRefusal(param, { code: 'resource_missing', message: `No such ${param}: '${id}'` });
}

function missing(kind: string, id: string): Refusal {
  return new ParameterRefusal('id', { code: 'resource_missing', message: `No such ${kind}: '${id}'`, status: 404 });
}
