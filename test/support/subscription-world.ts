import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { accountId, sessionId, type AccountId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { insertAccount } from '../../features/accounts/store/accounts.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readSubscription, reconcileSubscriptions } from '../../features/partner/refresh-subscription.ts';
import { startCheckout } from '../../features/partner/start-checkout.ts';
import { takePaymentEvent } from '../../features/partner/take-payment-event.ts';
import { FakePayments } from './fake-payments.ts';
import { inEnglish } from '../../features/items/rules/history-in-english.ts';
import type { Fact } from '../../features/items/rules/history-facts.ts';
import { present } from './clock.ts';

export type SubscriptionWorld = Awaited<ReturnType<typeof startSubscriptionWorld>>;

/** The subscription use cases of one account, on a processor of its own. */
export async function startSubscriptionWorld(store: StoreConnection) {
  // Far ahead, because the database removes by its own clock the events that are old.
  const clock = { ms: Date.parse('2126-03-01T12:00:00Z') };
  const now = (): Date => new Date(clock.ms);
  const payments = new FakePayments(now);
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  // Without turns, as if each call came to another process.
  const runExclusive = <Result>(_key: string, work: () => Promise<Result>): Promise<Result> => work();
  const confirmCredential = (): Promise<void> => Promise.resolve();
  const context = { store, payments, publicUrl: 'https://shop.test', confirmCredential, logger, now, runExclusive };
  const id = await newAccount(store);
  const scope: Scope = {
    accountId: id,
    actingAccountId: id,
    credential: { kind: 'session', sessionId: sessionId(randomUUID()) },
  };
  const rows = (collection: string) => store.connection.collection(collection);
  let made = 0;
  const event = (type: string, about: { customerId?: string | null; accountId?: string | null } = {}) => ({
    id: `evt_${id}_${String((made += 1))}`,
    type,
    createdAt: now(),
    customerId: about.customerId ?? null,
    accountId: about.accountId ?? null,
  });
  return {
    id,
    scope,
    clock,
    context,
    payments,
    lines,
    event,
    pass: (ms: number) => {
      clock.ms += ms;
    },
    take: (sent: object, changes: Partial<typeof context> = {}) =>
      takePaymentEvent({ ...context, ...changes }, { bytes: Buffer.from(JSON.stringify(sent)), signature: undefined }),
    read: () => readSubscription(context, scope),
    checkout: () => startCheckout(context, scope),
    /** Pays on the page that a checkout gives; its events are for the test to send. */
    subscribe: async () => {
      const { url } = await startCheckout(context, scope);
      return payments.pay(url.replace('https://pay.test/', ''));
    },
    customerId: async () => (await rows('subscriptions').findOne({ _id: id }))?.['customerIds'][0] as string,
    reconcile: () => reconcileSubscriptions(context),
    applied: () => rows('payment_events').find({ accountId: id }).toArray(),
    /** Oldest first. */
    audit: async (kind: string) =>
      (await rows('audit').find({ accountId: id, kind }).sort({ at: 1, number: 1 }).toArray()).map((row) =>
        inEnglish(row as unknown as Fact),
      ),
  };
}

async function newAccount(store: StoreConnection): Promise<AccountId> {
  const id = accountId(randomUUID());
  const person = { email: `${id}@example.se`, name: 'Testbolaget AB', passwordHash: 'x', createdAt: present() };
  await inTransaction(store, (session) => insertAccount(store, { _id: id, ...person }, session));
  return id;
}
