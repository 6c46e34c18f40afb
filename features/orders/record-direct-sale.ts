import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import { orderId, type OrderId } from '../rules/ids.ts';
import { isFarAbovePrice, sellDirectly, whyNotForSale, type DirectSale } from '../items/rules/direct-sale.ts';
import type { Item } from '../items/rules/item.ts';
import { actorOf } from '../items/rules/journal.ts';
import { sekFromOre } from '../rules/money.ts';
import type { Scope } from '../rules/scope.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import type { NewOrder } from '../../schemas/orders/order-requests.ts';
import { findItemWithOrder } from '../items/store/items.ts';
import { findOrder, type OrderRow } from './store/orders.ts';
import type { Context } from '../context.ts';
import { requireCurrent, writeItem, type Written } from '../items/write-item.ts';
import { describeOne, type OrderDescription } from './read-orders.ts';

type Needs = Pick<
  Context,
  'store' | 'items' | 'platformFeeBps' | 'confirmCredential' | 'runExclusive' | 'now' | 'newId'
>;

/**
 * Records a sale made by the partner itself: one write sells the item and stores the order (protocol 6). With an
 * `Idempotency-Key` the order's id is reserved, so another attempt finds the result of the first. Throws {@link Refusal} NOT_FOUND, and as {@link writeItem}. CONFLICT means an item that
 * is sold, archived, in an order, or held by bids; VALIDATION_FAILED an amount far above the price that is not confirmed.
 */
export async function recordDirectSale(context: Needs, scope: Scope, wish: NewOrder): Promise<OrderDescription> {
  const { store } = context;
  const id = orderId(`ord_${context.newId()}`);
  try {
    const { item } = await sellItem(context, scope, { ...wish, orderId: id, feeBps: context.platformFeeBps });
    const order = await findOrder(store, scope.accountId, { orderId: id });
    if (order === null) throw new Error(`the sale ${id} of item ${item.id} has left no order`);
    return await describeOne(store, order);
  } catch (error) {
    if (error instanceof KnownSale) return describeOne(store, error.order);
    throw error;
  }
}

/** Another attempt has recorded the sale, so there is nothing to sell. */
class KnownSale extends Error {
  readonly order: OrderRow;

  constructor(order: OrderRow) {
    super(`${order._id} is an order already`);
    this.order = order;
  }
}

function sellItem(
  context: Needs,
  scope: Scope,
  { externalId, isAmountConfirmed, ...sale }: DirectSale & NewOrder,
): Promise<Written> {
  const { now } = context;
  return writeItem(context, scope, {
    externalId,
    find: () => findForSale(context, scope, { externalId, orderId: sale.orderId }),
    decide: (found) => ({
      item: decideSale(found, { sale, externalId, isAmountConfirmed, scope, now: now() }),
      warnings: [],
    }),
  });
}

/**
 * An item sold by another attempt comes first: it may be deleted by now, and a new item may have its external id. Any attempt may
 * have been overtaken, even the first. The visible item is read before the rest, so a later sale makes the write fail.
 * Throws {@link KnownSale}.
 */
async function findForSale(
  { store, items }: Needs,
  scope: Scope,
  sold: { externalId: string; orderId: OrderId },
): Promise<Item | null> {
  const visible = await items.findVisible(scope.accountId, sold.externalId);
  if (scope.reserved === undefined) return visible;
  const soldItem = await findItemWithOrder(store, scope.accountId, sold);
  if (soldItem !== null) return soldItem;
  const order = await findOrder(store, scope.accountId, sold);
  if (order !== null) throw new KnownSale(order);
  return visible;
}

interface SaleDecision extends Pick<NewOrder, 'externalId' | 'isAmountConfirmed'> {
  readonly sale: DirectSale;
  readonly scope: Scope;
  readonly now: Date;
}

function decideSale(found: Item | null, decision: SaleDecision): Item {
  const { sale, externalId, isAmountConfirmed, scope, now } = decision;
  if (found?.openOrderIds.includes(sale.orderId) === true) return found;
  const item = requireCurrent(found, externalId);
  const obstacle = whyNotForSale(item);
  if (obstacle !== null) throw new Refusal('CONFLICT', obstacle);
  if (isAmountConfirmed !== true && isFarAbovePrice(item, sale.amountOre)) throw farAbovePrice(item);
  return sellDirectly(item, sale, { now, actor: actorOf(scope) });
}

const farAbovePrice = ({ content }: Item): Refusal =>
  validationFailed([problem('isAmountConfirmed', 'unconfirmed_amount', { price: sekFromOre(content.priceOre) })]);
