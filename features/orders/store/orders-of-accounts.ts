import type { AccountId } from '../../rules/ids.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { behindCreated, newestOfAccounts, type CreatedPlace } from '../../resellers/store/rows-of-accounts.ts';
import type { OrderFilter } from './order-list.ts';
import { orderRows, type OrderRow } from './orders.ts';

export type AccountsOrderFilter = Omit<OrderFilter, 'updatedSince'>;

/** Orders of many accounts, the last recorded first. */
export function listOrdersOfAccounts(
  store: StoreConnection,
  accounts: readonly AccountId[],
  { filter, behind, limit }: { filter: AccountsOrderFilter; behind: CreatedPlace | null; limit: number },
): Promise<readonly OrderRow[]> {
  const { status, externalId, from, to } = filter;
  const range = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
  const prefix = externalId !== undefined ? 'externalId' : status !== undefined ? 'state' : undefined;
  const hint = { accountId: 1, ...(prefix !== undefined && { [prefix]: 1 }), createdAt: -1, _id: -1 } as const;
  return newestOfAccounts(accounts, {
    rangesEach: 1,
    limit,
    find: async (some) =>
      orderRows(store)
        .find({
          accountId: { $in: [...some] },
          ...(status !== undefined && { state: status }),
          ...(externalId !== undefined && { externalId }),
          ...(Object.keys(range).length > 0 && { createdAt: range }),
          ...behindCreated(behind),
        })
        .hint(hint)
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean<OrderRow[]>()
        .exec(),
  });
}
