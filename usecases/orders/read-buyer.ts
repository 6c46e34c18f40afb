import { auditBy } from '../../core/audit/audit-entry.ts';
import type { OrderId } from '../../core/ids.ts';
import type { Buyer } from '../../core/orders/order.ts';
import type { Scope } from '../../core/scope.ts';
import { recordAudit } from '../../store/accounts/audit.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { findBuyer, markBuyerRead } from '../../store/orders/buyers.ts';
import type { Context } from '../context.ts';

export interface BuyerDescription extends Buyer {
  readonly keptUntil: string;
}

/**
 * The buyer of an order, null when none is known or kept. The account's log has who read it: once a day for each credential, so
 * that a program that asks again and again does not fill the log.
 */
export async function readBuyer(
  { store, now }: Pick<Context, 'store' | 'now'>,
  scope: Scope,
  { orderId }: { readonly orderId: OrderId },
): Promise<BuyerDescription | null> {
  const at = now();
  const row = await findBuyer(store, scope.accountId, { orderId, now: at });
  if (row === null) return null;
  const reading = `${readerOf(scope)}/${at.toISOString().slice(0, 10)}`;
  if (!row.readBy.includes(reading))
    await inTransaction(store, async (session) => {
      if (!(await markBuyerRead(store, scope.accountId, { orderId, reading, session }))) return;
      await recordAudit(store, auditBy(scope, { kind: 'buyer_read', at, details: { orderId } }), session);
    });
  const { marketplaceUserId, alias, name, email, phone, address, purgeAt } = row;
  return { marketplaceUserId, alias, name, email, phone, address, keptUntil: purgeAt.toISOString() };
}

function readerOf({ actingAccountId, credential }: Scope): string {
  switch (credential.kind) {
    case 'api-key':
      return credential.keyId;
    // All sessions of an account are its dashboard.
    case 'session':
      return actingAccountId;
    case 'system':
    case 'operator':
      return credential.kind;
  }
}
