import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import type { AccountId } from '../../core/ids.ts';
import { recordAudit } from '../accounts/audit.ts';
import type { StoreConnection } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { confirmSums } from './commission-sums.ts';
import { orderRows } from './orders.ts';

/** All orders of one member that wait for its reseller, as the reseller was shown them. Money in öre. */
export interface ShownOrders {
  readonly memberAccountId: AccountId;
  readonly orders: number;
  readonly salesOre: number;
}

/**
 * The reseller confirms the orders of one member that wait, so that it owes their commission. Returns false, and changes
 * nothing, when they are not the shown ones any more. `audit` makes the entry for its log.
 */
export function confirmCommission(
  store: StoreConnection,
  resellerAccountId: AccountId,
  { memberAccountId, ...shown }: ShownOrders & { readonly audit: (owedOre: number) => AuditEntry },
): Promise<boolean> {
  const waiting = {
    accountId: memberAccountId,
    'commission.resellerAccountId': resellerAccountId,
    'commission.confirmation': 'waiting',
    // A voided one waits no more.
    state: 'completed',
  } as const;
  const sums = {
    orders: { $sum: 1 },
    salesOre: { $sum: '$amountOre' },
    owedOre: { $sum: '$commission.commissionOre' },
  };
  return inTransaction(store, async (session) => {
    const [found] = await orderRows(store)
      .aggregate<{ orders: number; salesOre: number; owedOre: number }>([
        { $match: waiting },
        { $group: { _id: null, ...sums } },
        { $unset: '_id' },
      ])
      .session(session)
      .exec();
    if (found?.orders !== shown.orders || found.salesOre !== shown.salesOre) return false;
    await orderRows(store).updateMany(waiting, { $set: { 'commission.confirmation': 'given' } }, { session });
    await confirmSums(store, { resellerAccountId, memberAccountId, isWaiting: true, ...found }, session);
    await recordAudit(store, shown.audit(found.owedOre), session);
    return true;
  });
}
