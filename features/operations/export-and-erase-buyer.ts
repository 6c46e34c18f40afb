import { groupBy } from '../rules/group-by.ts';
import type { AccountId } from '../rules/ids.ts';
import { operatorCalled } from '../items/rules/journal.ts';
import type { Buyer } from '../orders/rules/order.ts';
import { recordAudit } from '../accounts/store/audit.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { deleteBuyer, findRowsOfBuyer, type BuyerKey, type BuyerRow } from '../orders/store/buyers.ts';
import { findOrder, writeOrder } from '../orders/store/orders.ts';
import type { OperationsContext } from './find-account.ts';

export type { BuyerKey };

type Needs = Pick<OperationsContext, 'store' | 'now' | 'operator'>;

/** All stored data of a buyer about one order. Times are ISO 8601. */
export interface ExportedOrder {
  readonly orderId: string;
  /** The account that sold it. */
  readonly sellerUserId: string;
  /** The seller's identifier of the item. */
  readonly externalId: string | null;
  readonly soldAt: string | null;
  readonly amountOre: number | null;
  readonly carrier: string | null;
  readonly trackingNumber: string | null;
  readonly buyer: Buyer;
  readonly storedAt: string;
  readonly keptUntil: string;
  /** `<credential>/<day>` of each reading of these data. */
  readonly readBy: readonly string[];
}

/**
 * The stored data of a buyer who asks for them (docs/personal-data.md): over all sellers, empty when there are none. Each seller's
 * log has an entry before anything is returned.
 */
export async function exportBuyer({ store, now, operator }: Needs, key: BuyerKey): Promise<readonly ExportedOrder[]> {
  const rows = await findRowsOfBuyer(store, key);
  const about = { actor: operatorCalled(operator), at: now(), kind: 'buyer_exported' } as const;
  for (const [seller, { length: orders }] of groupBy(rows, ({ accountId }) => accountId))
    await recordAudit(store, { ...about, accountId: seller, details: { orders } });
  return Promise.all(
    rows.map(async (row) => {
      const order = await findOrder(store, row.accountId, { orderId: row._id });
      const { marketplaceUserId, alias, name, email, phone, address } = row;
      return {
        orderId: row._id,
        sellerUserId: row.accountId,
        externalId: order?.externalId ?? null,
        soldAt: order?.soldAt.toISOString() ?? null,
        amountOre: order?.amountOre ?? null,
        carrier: order?.carrier ?? null,
        trackingNumber: order?.trackingNumber ?? null,
        buyer: { marketplaceUserId, alias, name, email, phone, address },
        storedAt: row.storedAt.toISOString(),
        keptUntil: row.purgeAt.toISOString(),
        readBy: row.readBy,
      };
    }),
  );
}

export interface Erased {
  readonly orders: number;
  readonly sellers: number;
}

/**
 * Erases a buyer from all orders, and prevents later answers of the marketplace from storing it again. The orders stay
 * for the sellers' books: item, amounts, times. Each seller's log has an entry. A repeated call finds nothing.
 */
export async function eraseBuyer(context: Needs, key: BuyerKey): Promise<Erased> {
  const bySeller = groupBy(await findRowsOfBuyer(context.store, key), ({ accountId }) => accountId);
  for (const [seller, rows] of bySeller) await eraseAt(context, seller, rows);
  return { orders: [...bySeller.values()].flat().length, sellers: bySeller.size };
}

async function eraseAt({ store, now, operator }: Needs, seller: AccountId, rows: readonly BuyerRow[]): Promise<void> {
  const at = now();
  await inTransaction(store, async (session) => {
    for (const { _id: orderId } of rows) {
      const before = await findOrder(store, seller, { orderId, session });
      const gone = { buyerErasedAt: at, isBuyerAwaited: false, carrier: null, trackingNumber: null };
      if (before !== null)
        await writeOrder(store, { before, after: { ...before, ...gone, revision: before.revision + 1 } }, session);
      await deleteBuyer(store, seller, { orderId, session });
    }
    const told = { accountId: seller, actor: operatorCalled(operator), at } as const;
    await recordAudit(store, { ...told, kind: 'buyer_erased', details: { orders: rows.length } }, session);
  });
}
