import type { AuditEntry } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { orderId } from '../rules/ids.ts';
import { operatorCalled, type Actor } from '../items/rules/journal.ts';
import { sekFromOre } from '../rules/money.ts';
import { voidOrder as withoutOrder, type OrderState } from '../orders/rules/order.ts';
import { recordAudits } from '../accounts/store/audit.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { findOrderOfAnyone, type OrderRow } from '../orders/store/orders.ts';
import { writeStep } from '../orders/change-order.ts';
import type { OperationsContext } from './find-account.ts';

export interface VoidedOrder {
  readonly orderId: string;
  readonly accountId: string;
  /** Money in SEK. */
  readonly amount: number;
  readonly stateBefore: OrderState;
}

/**
 * Cancels an order whatever its state, also a completed one, so that it is in no sum of its seller or of the seller's
 * reseller. Both logs say so. A repeated call changes nothing. Throws {@link Refusal} NOT_FOUND.
 */
export async function voidOrder(
  { store, now, operator }: Pick<OperationsContext, 'store' | 'now' | 'operator'>,
  id: string,
): Promise<VoidedOrder> {
  const before = await inTransaction(store, async (session) => {
    const found = await findOrderOfAnyone(store, orderId(id), session);
    if (found === null) throw new Refusal('NOT_FOUND', `There is no order ${id}`);
    const [at, actor] = [now(), operatorCalled(operator)];
    const after = withoutOrder(found, at);
    if (after === found) return found;
    await writeStep(store, { before: found, after, cause: { now: at, actor } }, session);
    await recordAudits(store, entriesOf(found, actor, at), session);
    return found;
  });
  const { _id, accountId, amountOre, state } = before;
  return { orderId: _id, accountId, amount: sekFromOre(amountOre), stateBefore: state };
}

function entriesOf({ _id, accountId, amountOre, commission }: OrderRow, actor: Actor, at: Date): AuditEntry[] {
  const told = { kind: 'order_voided', actor, at } as const;
  const details = { orderId: _id, amount: sekFromOre(amountOre) };
  const own = { ...told, accountId, details };
  if (commission === null) return [own];
  return [own, { ...told, accountId: commission.resellerAccountId, details: { ...details, memberUserId: accountId } }];
}
