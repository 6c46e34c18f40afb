import type { ClientSession } from 'mongoose';
import type { CommissionContribution } from '../../core/orders/commission.ts';
import type { AccountId } from '../../core/ids.ts';
import { commissionRowId, commissionSums, summed } from './commission-sums.ts';
import type { StoreConnection } from '../database/connection.ts';
import { orderRows } from './orders.ts';
import type { RebuildOptions } from './rebuild-sums.ts';
import { inTransaction } from '../database/transaction.ts';

/**
 * Rebuilds the commission sums of a member from its orders. Returns the number of resellers whose sums were wrong. It may run
 * while orders change: a concurrent write conflicts, and one of the two transactions restarts.
 */
export function rebuildCommissionSums(
  store: StoreConnection,
  member: AccountId,
  { dryRun }: RebuildOptions = { dryRun: false },
): Promise<number> {
  return inTransaction(store, async (session) => {
    const stored = await readStored(store, member, session);
    const right = await sumOrders(store, member, session);
    const wrong = resellersThatDiffer(stored, right);
    if (wrong === 0 || dryRun) return wrong;
    await commissionSums(store).deleteMany({ memberAccountId: member }, { session });
    const rows = right.map((sums) => ({
      ...sums,
      _id: commissionRowId({ ...sums, memberAccountId: member }, 0),
      memberAccountId: member,
    }));
    await commissionSums(store).insertMany(rows, { session });
    return wrong;
  });
}

type Grouped = Omit<CommissionContribution, 'resellerAccountId'> & { readonly _id: AccountId };

const named = ({ _id, ...sums }: Grouped): CommissionContribution => ({ resellerAccountId: _id, ...sums });

async function readStored(
  store: StoreConnection,
  memberAccountId: AccountId,
  session: ClientSession,
): Promise<CommissionContribution[]> {
  const found = await commissionSums(store)
    .aggregate<Grouped>([{ $match: { memberAccountId } }, { $group: { _id: '$resellerAccountId', ...summed } }])
    .session(session)
    .exec();
  return found.map(named);
}

async function sumOrders(
  store: StoreConnection,
  accountId: AccountId,
  session: ClientSession,
): Promise<CommissionContribution[]> {
  const owing = { accountId, state: 'completed', 'commission.resellerAccountId': { $type: 'string' } };
  const sums = {
    orders: { $sum: 1 },
    salesOre: { $sum: '$amountOre' },
    owedOre: { $sum: '$commission.commissionOre' },
  };
  const found = await orderRows(store)
    .aggregate<Grouped>([{ $match: owing }, { $group: { _id: '$commission.resellerAccountId', ...sums } }])
    .session(session)
    .exec();
  return found.map(named);
}

/** A reseller whose rows sum up to zero equals one without rows. */
function resellersThatDiffer(
  stored: readonly CommissionContribution[],
  right: readonly CommissionContribution[],
): number {
  const textOf = ({ orders, salesOre, owedOre }: CommissionContribution): string => `${orders}/${salesOre}/${owedOre}`;
  const texts = (sums: readonly CommissionContribution[]): Map<AccountId, string> =>
    new Map(sums.map((one) => [one.resellerAccountId, textOf(one)]));
  const [found, wanted] = [texts(stored), texts(right)];
  const resellers = new Set([...found.keys(), ...wanted.keys()]);
  return [...resellers].filter((id) => (found.get(id) ?? '0/0/0') !== (wanted.get(id) ?? '0/0/0')).length;
}
