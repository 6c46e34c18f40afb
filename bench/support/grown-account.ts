import { randomBytes, randomUUID } from 'node:crypto';
import { composeContext } from '../../compose/context.ts';
import type { Foundation } from '../../compose/foundation.ts';
import { domainRows } from '../../features/rules/domains.ts';
import {
  accountId,
  deliveryId,
  endpointId,
  eventId,
  itemId,
  orderId,
  type AccountId,
} from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { feeOre } from '../../features/orders/rules/commission.ts';
import type { Scope } from '../../features/rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { attemptRows, type DeliveryAttemptRow } from '../../features/webhooks/store/delivery-attempts.ts';
import { rowFromItem } from '../../features/items/store/item-row.ts';
import { itemCollection } from '../../features/items/store/item-collection.ts';
import { noSteps, orderRows, type OrderRow } from '../../features/orders/store/orders.ts';
import { settledItem } from './catalogue.ts';
import { registerAccount } from '../../features/accounts/log-in.ts';
import { generateApiKey } from '../../features/accounts/create-api-key.ts';

/** A session's and a key's way into one account. */
export interface GrownAccount {
  readonly id: AccountId;
  readonly size: number;
  readonly email: string;
  readonly apiKeyHeaders: Readonly<Record<string, string>>;
}

export const grownPassword = 'a password for the bench';
const rowsAtOnce = 5_000;
const monthMs = 30.4375 * 86_400_000;
/** Loading only: what counts is written by the product later. */
const loading = { ordered: false, writeConcern: { w: 1, journal: false } } as const;

/** Words that all items have, one in two hundred, and twenty whatever the size. */
export const words = { frequent: 'strålkastare', middling: 'kupevarmare', rare: 'raritetsfynd' } as const;
const rareCount = 20;
const middlingEach = 200;

/** Registers an account that is still empty. */
export async function openGrownAccount(foundation: Foundation, size: number): Promise<GrownAccount> {
  const { context, close } = composeContext(foundation);
  const email = `grown-${size}@example.com`;
  const caller = { address: '127.0.0.1', requestId: randomUUID() };
  const person = { email, name: 'Bench', password: grownPassword };
  const id = accountId((await registerAccount(context, caller, person)).session.account.id);
  const scope: Scope = { accountId: id, actingAccountId: id, credential: { kind: 'system' } };
  const { apiKey } = await generateApiKey(context, scope, { name: 'ERP' });
  await close();
  return { id, size, email, apiKeyHeaders: { 'x-api-key': apiKey, 'content-type': 'application/json' } };
}

/** Takes the indexes off while the rows go in: `ensureIndexes` then builds each in one go, which takes a fraction of the time. */
export async function dropIndexesOfRows(store: StoreConnection): Promise<void> {
  for (const name of ['items', 'delivery_attempts', 'orders']) await store.connection.collection(name).dropIndexes();
}

/** As many settled items as its size, half as many orders, and as many attempts in the delivery log. */
export async function fillGrownAccount(store: StoreConnection, account: GrownAccount): Promise<void> {
  const { id, size } = account;
  const templates = templatesOf(id);
  for (let from = 0; from < size; from += rowsAtOnce) {
    const numbers = Array.from({ length: Math.min(rowsAtOnce, size - from) }, (_, n) => from + n);
    const items = numbers.map((n) => rowFromItem(anItem(templates, n)));
    const orders = numbers.filter((n) => n % 2 === 0).map((n) => anOrderOf(id, n / 2));
    await Promise.all([
      itemCollection(store).insertMany(items, loading),
      orderRows(store).collection.insertMany(orders as unknown as { _id: never }[], loading),
      attemptRows(store).insertMany(
        numbers.map((n) => anAttempt(id, n)),
        loading,
      ),
    ]);
  }
}

/** One of 24 months, of any category; every tenth is pending. */
function anOrderOf(account: AccountId, n: number): OrderRow {
  const at = new Date(Date.now() - ((n * 7_919) % 100_000) * ((24 * monthMs) / 100_000));
  const row = domainRows[n % domainRows.length];
  const amountOre = 1_000 + ((n * 104_729) % 500_000);
  const state = n % 10 === 0 ? 'pending' : 'completed';
  const completedAt = state === 'completed' ? at : null;
  return {
    _id: orderId(`ord_${randomBytes(12).toString('hex')}`),
    accountId: account,
    itemId: itemId(randomUUID()),
    externalId: `known-${n}`,
    platform: 'service',
    amountOre,
    feeBps: 500,
    feeOre: feeOre(amountOre, 500),
    state,
    domain: row?.slug ?? 'other',
    category: row?.analyticsName ?? '',
    dealId: null,
    commission: null,
    adId: null,
    paidAt: completedAt,
    completedAt,
    cancelledAt: null,
    soldAt: at,
    createdAt: at,
    updatedAt: at,
    ...noSteps,
    changedAt: at,
  };
}

type Templates = Readonly<Record<keyof typeof words, Item>>;

/** One object of content each: rows that share it share the reading of its words. */
function templatesOf(account: AccountId): Templates {
  const frequent = settledItem(account, 'template');
  const named = (word: string): Item => {
    const title = `${frequent.content.title} ${word}`;
    return { ...frequent, content: { ...frequent.content, title } };
  };
  return { frequent, middling: named(words.middling), rare: named(words.rare) };
}

const statuses = ['active', 'active', 'active', 'not_listed', 'draft'] as const;

export const externalIdOf = (n: number): string => `known-${n}`;
const secondsAgo = (n: number): Date => new Date(Date.now() - n * 1_000);

function anItem({ rare, middling, frequent }: Templates, n: number): Item {
  const template = n < rareCount ? rare : n % middlingEach === 0 ? middling : frequent;
  const serviceStatus = statuses[n % statuses.length] ?? 'active';
  return {
    ...template,
    id: itemId(randomUUID()),
    externalId: externalIdOf(n),
    serviceStatus,
    createdAt: secondsAgo(n),
    updatedAt: secondsAgo(n),
  };
}

const endpoint = endpointId(`whk_${'0'.repeat(24)}`);

/** Every twentieth has failed. */
function anAttempt(account: AccountId, n: number): DeliveryAttemptRow {
  const hasFailed = n % 20 === 19;
  const id = randomUUID();
  return {
    _id: id,
    accountId: account,
    deliveryId: deliveryId(id),
    endpointId: endpoint,
    eventId: eventId(`evt_${id}`),
    externalId: externalIdOf(n),
    eventType: 'item.created',
    attempt: 1,
    durationMs: 12,
    responseStart: '',
    status: hasFailed ? 'failed' : 'success',
    errorMessage: hasFailed ? 'HTTP 500' : null,
    httpStatus: hasFailed ? 500 : 200,
    createdAt: secondsAgo(n),
  };
}
