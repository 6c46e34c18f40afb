import { randomUUID } from 'node:crypto';
import { Refusal } from '../../features/rules/errors.ts';
import { accountId, itemId, orderId, sessionId, type AccountId } from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import type { OrderState } from '../../features/orders/rules/order.ts';
import type { Scope } from '../../features/rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { hintsOfCommand } from '../../compose/starts.ts';
import { createItemStore, type ItemStore } from '../../features/items/store/items.ts';
import { createOrderStore, type OrderRow } from '../../features/orders/store/orders.ts';
import { reservedFirst } from '../../features/accounts/answer-once.ts';
import { advanceItem, type AdvanceDependencies } from '../../features/items/advance-item.ts';
import { createItemWrites } from './item-writes.ts';
import { createKeyedMutex } from '../../platform/concurrency/keyed-mutex.ts';
import { changeOrder } from '../../features/orders/change-order.ts';
import type { OrderDescription } from '../../features/orders/read-orders.ts';
import { recordDirectSale } from '../../features/orders/record-direct-sale.ts';
import { anItemRequest } from './an-item-request.ts';

const confirmCredential = (): Promise<void> => Promise.resolve();
const noHints = hintsOfCommand;

/** What dies in the middle. */
export class Crash extends Error {}

export interface SaleWish {
  readonly platform?: 'service' | 'service_card' | 'service_mobile';
  readonly amountOre?: number;
  readonly isPaid?: boolean;
  /** Of an `Idempotency-Key`. */
  readonly reserved?: { readonly id: string; readonly attempt: number };
  /** The process dies right after the item's write. */
  readonly dies?: true;
  readonly feeBps?: number;
}

/** An account's items and orders with the real use cases on a real database; the engine works when it is told to. */
export class OrderLife {
  readonly account: AccountId = accountId(randomUUID());
  readonly scope: Scope = {
    accountId: this.account,
    actingAccountId: this.account,
    credential: { kind: 'session', sessionId: sessionId(randomUUID()) },
    requestId: 'request-1',
  };
  readonly store: StoreConnection;
  readonly items;
  readonly orders;
  readonly writes;
  nowMs = Date.parse('2026-11-21T12:00:00Z');
  readonly #runExclusive = createKeyedMutex();
  readonly #advance: AdvanceDependencies;

  constructor(store: StoreConnection) {
    this.store = store;
    this.items = createItemStore(store);
    this.orders = createOrderStore(store);
    this.#advance = { items: this.items, now: this.now };
    this.writes = createItemWrites({
      items: this.items,
      confirmCredential,
      newItemId: () => itemId(randomUUID()),
      now: this.now,
    });
  }

  readonly now = (): Date => new Date(this.nowMs);

  put(externalId: string): Promise<unknown> {
    return this.writes.upsert(this.scope, { externalId, request: anItemRequest() });
  }

  remove(externalId: string): Promise<{ outcome: string }> {
    return this.writes.remove(this.scope, { externalId });
  }

  sell(externalId: string, wish: SaleWish = {}): Promise<OrderDescription> {
    const { platform = 'service', amountOre = 34_950, isPaid = false, reserved, dies, feeBps = 500 } = wish;
    const scope: Scope = reserved === undefined ? this.scope : { ...this.scope, reserved };
    const replace: ItemStore['replace'] = async (...write) => {
      const stored = await this.items.replace(...write);
      if (dies === true) throw new Crash('after the write of the item');
      return stored;
    };
    const context = {
      store: this.store,
      items: { ...this.items, replace },
      platformFeeBps: feeBps,
      runExclusive: this.#runExclusive,
      now: this.now,
      confirmCredential,
      newId: reservedFirst(scope, randomUUID),
    };
    return recordDirectSale(context, scope, { externalId, platform, amountOre, isPaid });
  }

  async change(id: string, status: OrderState, scope = this.scope): Promise<OrderDescription> {
    const { order } = await changeOrder(
      { store: this.store, hints: noHints, confirmCredential, now: this.now },
      scope,
      {
        orderId: orderId(id),
        status,
      },
    );
    return order;
  }

  /** The feed: the marketplace reports a payment. */
  pay(id: string): Promise<void> {
    return this.orders.markPaid(this.account, orderId(id), this.now());
  }

  /** The item's workflow works until it has to wait for something else. */
  async work(id: string): Promise<void> {
    await advanceItem(this.#advance, { accountId: this.account, id: itemId(id) });
  }

  async item(externalId: string): Promise<Item> {
    const item = await this.items.findVisible(this.account, externalId);
    if (item === null) throw new Error(`no item ${externalId}`);
    return item;
  }

  rows(): Promise<OrderRow[]> {
    return this.#all<OrderRow>('orders');
  }

  async soldEvents(): Promise<string[]> {
    const events = await this.#all<{ _id: string; type: string }>('events');
    return events.filter(({ type }) => type === 'item.sold').map(({ _id }) => _id);
  }

  #all<Row extends object>(name: string): Promise<Row[]> {
    return this.store.connection.collection(name).find<Row>({ accountId: this.account }).sort({ _id: 1 }).toArray();
  }
}

/** The code of the refusal, or what came instead. */
export const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );
