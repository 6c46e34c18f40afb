import { randomUUID } from 'node:crypto';
import type { AccountId } from '../../features/rules/ids.ts';
import type { HeldSubscription } from '../../features/partner/rules/subscription.ts';
import {
  UnknownCustomer,
  type Checkout,
  type CheckoutWish,
  type PaymentEvent,
  type Payments,
} from '../../gateways/payments/port.ts';

const day = 86_400_000;

interface Session extends CheckoutWish {
  readonly id: string;
  readonly expiresAt: Date;
  state: Checkout['state'];
}

interface Subscription {
  readonly customerId: string;
  held: HeldSubscription;
}

/** A payment processor in this process, whose whole truth a test can see, and which can be held up between reading and answering. */
export class FakePayments implements Payments {
  readonly customers = new Set<string>();
  readonly sessions = new Map<string, Session>();
  readonly subscriptions = new Map<string, Subscription>();
  /** Awaited with each call's name: before the work, and again before the answer. May throw, as the port does. */
  before: (call: string) => Promise<void> = async () => undefined;
  after: (call: string) => Promise<void> = async () => undefined;
  readonly #now: () => Date;
  readonly #replies = new Map<string, string>();
  #count = 0;

  constructor(now: () => Date) {
    this.#now = now;
  }

  createCustomer(_wish: object, key: string): Promise<string> {
    return this.#call('createCustomer', () =>
      this.#once(key, () => {
        const id = this.#id('cus');
        this.customers.add(id);
        return id;
      }),
    );
  }

  createCheckout(wish: CheckoutWish, key: string): Promise<Checkout> {
    return this.#call('createCheckout', () => {
      if (!this.customers.has(wish.customerId)) throw new UnknownCustomer('unknown');
      const id = this.#once(key, () => {
        const made = this.#id('cs');
        this.sessions.set(made, { ...wish, id: made, state: 'open', expiresAt: new Date(this.#now().getTime() + day) });
        return made;
      });
      return this.#checkout(id) ?? never();
    });
  }

  readCheckout(id: string): Promise<Checkout | null> {
    return this.#call('readCheckout', () => this.#checkout(id));
  }

  listRunning(customerId: string): Promise<readonly HeldSubscription[] | null> {
    return this.#call('listRunning', () => (this.customers.has(customerId) ? this.runningOf(customerId) : null));
  }

  /** Unsigned: the bytes are the event. */
  readEvent(bytes: Buffer): PaymentEvent {
    const event = JSON.parse(bytes.toString()) as PaymentEvent;
    return { ...event, createdAt: new Date(event.createdAt) };
  }

  runningOf(customerId: string): HeldSubscription[] {
    return [...this.subscriptions.values()].filter((one) => one.customerId === customerId).map(({ held }) => held);
  }

  /** The customer pays on the page. */
  pay(sessionId: string): string {
    const session = this.sessions.get(sessionId) ?? never();
    if (this.#checkout(sessionId)?.state !== 'open') throw new Error('the session is over');
    session.state = 'complete';
    return this.subscribe(session.accountId, session.customerId);
  }

  subscribe(accountId: AccountId | null, customerId: string): string {
    this.customers.add(customerId);
    const id = this.#id('sub');
    const [startedAt, status] = [this.#now(), 'active'] as const;
    const period = { periodStart: startedAt, periodEnd: new Date(startedAt.getTime() + 30 * day) };
    this.subscriptions.set(id, { customerId, held: { id, accountId, status, startedAt, endsAt: null, ...period } });
    return id;
  }

  change(id: string, changes: Partial<HeldSubscription>): void {
    const subscription = this.subscriptions.get(id) ?? never();
    subscription.held = { ...subscription.held, ...changes };
  }

  /** The next period, paid or not; the one that is owed, if one is. */
  goOn(id: string, status: 'active' | 'past_due'): void {
    const { held } = this.subscriptions.get(id) ?? never();
    const isOwed = held.status === 'past_due' || held.status === 'other';
    const next = { periodStart: held.periodEnd, periodEnd: new Date(held.periodEnd.getTime() + 30 * day) };
    this.change(id, { status, ...(!isOwed && next) });
  }

  end(id: string): void {
    this.subscriptions.delete(id);
  }

  #checkout(id: string): Checkout | null {
    const session = this.sessions.get(id);
    if (session === undefined) return null;
    const { expiresAt } = session;
    const state = session.state === 'open' && expiresAt <= this.#now() ? 'expired' : session.state;
    return { id, state, expiresAt, url: state === 'open' ? `https://pay.test/${id}` : null };
  }

  async #call<Result>(name: string, work: () => Result): Promise<Result> {
    await this.before(name);
    const result = work();
    await this.after(name);
    return result;
  }

  #once(key: string, make: () => string): string {
    const id = this.#replies.get(key) ?? make();
    this.#replies.set(key, id);
    return id;
  }

  #id(kind: string): string {
    this.#count += 1;
    return `${kind}_${String(this.#count)}_${randomUUID()}`;
  }
}

function never(): never {
  throw new Error('the processor has no such thing');
}
