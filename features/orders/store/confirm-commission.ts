import type { AuditEntry } from '../../accounts/rules/audit-entry.ts';
import type { AccountId, OrderId } from '../../rules/ids.ts';
import { recordAudit } from '../../accounts/store/audit.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { orderRows, type OrderRow } from './orders.ts';

/** All orders of one member that wait for its reseller, as the reseller was shown them. Money in öre. */
export interface ShownOrders {
  readonly memberAccountId: AccountId;
  readonly orders: number;
  readonly salesOre: number;
}

interface Confirmed {
  readonly orders: number;
  readonly salesOre: number;
  readonly owedOre: number;
}

/** A transaction over many more orders takes longer than the database lets one last. */
const orderedAtOnce = 1_000;

/**
 * The reseller confirms the orders of one member that wait, so that it owes their commission. Returns false, and changes
 * nothing, when they are not the shown ones any more. More than 1,000 are confirmed in parts: what a process that dies leaves
 * waits as before, and is shown so. `audit` makes the entry for the reseller's log of each part.
 */
export async function confirmCommission(
  store: StoreConnection,
  resellerAccountId: AccountId,
  { memberAccountId, audit, ...shown }: ShownOrders & { readonly audit: (confirmed: Confirmed) => AuditEntry },
): Promise<boolean> {
  const pair = { resellerAccountId, memberAccountId };
  const found = await orderRows(store)
    .find(waitingOf(pair), { amountOre: 1 })
    .lean<Pick<OrderRow, '_id' | 'amountOre'>[]>();
  const salesOre = found.reduce((sum, { amountOre }) => sum + amountOre, 0);
  if (found.length !== shown.orders || salesOre !== shown.salesOre) return false;
  for (let begin = 0; begin < found.length; begin += orderedAtOnce) {
    const part = found.slice(begin, begin + orderedAtOnce).map(({ _id }) => _id);
    const isWhole = await confirmPart(store, pair, { part, audit });
    // Another confirmation was faster, or an operator has voided one.
    if (!isWhole && begin === 0) return false;
  }
  return true;
}

type Pair = Readonly<Record<'resellerAccountId' | 'memberAccountId', AccountId>>;

const waitingOf = ({ resellerAccountId, memberAccountId }: Pair) =>
  ({
    accountId: memberAccountId,
    'commission.resellerAccountId': resellerAccountId,
    'commission.confirmation': 'waiting',
    // A voided one waits no more.
    state: 'completed',
  }) as const;

/** Returns false, and changes nothing, when not all of them wait any more. */
function confirmPart(
  store: StoreConnection,
  pair: Pair,
  { part, audit }: { readonly part: readonly OrderId[]; readonly audit: (confirmed: Confirmed) => AuditEntry },
): Promise<boolean> {
  const waiting = { ...waitingOf(pair), _id: { $in: [...part] } };
  const sums = {
    orders: { $sum: 1 },
    salesOre: { $sum: '$amountOre' },
    owedOre: { $sum: '$commission.commissionOre' },
  };
  return inTransaction(store, async (session) => {
    const [found] = await orderRows(store)
      .aggregate<Confirmed>([{ $match: waiting }, { $group: { _id: null, ...sums } }, { $unset: '_id' }])
      .session(session)
      .exec();
    if (found?.orders !== part.length) return false;
    await orderRows(store).updateMany(waiting, { $set: { 'commission.confirmation': 'given' } }, { session });
    await recordAudit(store, audit(found), session);
    return true;
  });
}
