import { Refusal } from '../../../features/rules/errors.ts';
import { orderId, type OrderId } from '../../../features/rules/ids.ts';
import { sellDirectly, whyNotForSale } from '../../../features/items/rules/direct-sale.ts';
import { actorOf } from '../../../features/items/rules/journal.ts';
import { followOrder } from '../../../features/orders/rules/follow-order.ts';
import { moveOrder, type OrderState } from '../../../features/orders/rules/order.ts';
import type { Scope } from '../../../features/rules/scope.ts';
import { requireCurrent, writeItem } from '../../../features/items/write-item.ts';
import { createKeyedMutex } from '../../../platform/concurrency/keyed-mutex.ts';
import type { FakeItems } from './fake-items.ts';
import type { FakeOrders } from './fake-orders.ts';
import type { Offer } from './model-sales.ts';

const platformFeeBps = 500;

export interface DeskSurroundings {
  readonly items: FakeItems;
  readonly orders: FakeOrders;
  readonly scope: Scope;
  readonly externalId: string;
  readonly now: () => Date;
}

/** Direct sales and changes of orders, as their use cases put them together, over the stores in memory. */
export class SalesDesk {
  readonly #around: DeskSurroundings;
  readonly #runExclusive = createKeyedMutex();

  constructor(around: DeskSurroundings) {
    this.#around = around;
  }

  /** A sale, or another attempt at one. */
  async sell(offer: Offer): Promise<{ outcome: string }> {
    const { items, orders, scope, externalId, now } = this.#around;
    const sale = { ...offer, orderId: orderId(offer.orderId), feeBps: platformFeeBps };
    if (orders.get(sale.orderId) !== null) return { outcome: 'unchanged' };
    const sold = items.all.find(({ openOrderIds }) => openOrderIds.includes(sale.orderId));
    const doors = { items, confirmCredential: () => Promise.resolve() };
    return writeItem({ ...doors, runExclusive: this.#runExclusive, now }, scope, {
      externalId,
      find: () => Promise.resolve(sold ?? items.visible(externalId)),
      decide: (found) => {
        if (found?.openOrderIds.includes(sale.orderId) === true) return { item: found, warnings: [] };
        const item = requireCurrent(found, externalId);
        const obstacle = whyNotForSale(item);
        if (obstacle !== null) throw new Refusal('CONFLICT', obstacle);
        return { item: sellDirectly(item, sale, { now: now(), actor: actorOf(scope) }), warnings: [] };
      },
    });
  }

  /** Order and item at once, as in a transaction. */
  async changeOrder(id: OrderId, to: OrderState): Promise<{ outcome: string }> {
    const { items, orders, scope, now } = this.#around;
    const before = orders.get(id);
    if (before === null) throw new Refusal('NOT_FOUND', 'no such order');
    const after = moveOrder(before, to, now());
    if (after === null) throw new Refusal('CONFLICT', `${before.state} can't become ${to}`);
    if (after === before || to === 'pending') return { outcome: 'unchanged' };
    const item = items.byId(before.itemId);
    orders.replace(after);
    const followed = followOrder(
      item,
      { orderId: id, state: to, platform: before.platform, adId: before.adId },
      { now: now(), actor: actorOf(scope) },
    );
    if ((await items.replace(item, followed)) === null) throw new Error('overtaken within a transaction');
    return { outcome: 'updated' };
  }
}
