import type { AccountId } from '../../rules/ids.ts';
import type { ListedItem } from '../rules/describe-item.ts';
import type { ItemProblem } from '../../operations/rules/reasons.ts';
import {
  marketplaceStatuses,
  serviceStatuses,
  type MarketplaceStatus,
  type ServiceStatus,
} from '../rules/transitions.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { behindCreated, newestOfAccounts, type CreatedPlace } from '../../resellers/store/rows-of-accounts.ts';
import { accountsIndex, havingProblem, listIndex, problemIndex, problemsMeant } from './item-list-fields.ts';
import { itemCollection } from './item-collection.ts';
import { listedFields, listedFromRow, type ListedRow } from './listed-items.ts';

export interface AccountsItemFilter {
  readonly serviceStatus: ServiceStatus | undefined;
  readonly marketplaceStatus: MarketplaceStatus | undefined;
  readonly externalId: string | undefined;
  readonly problem: ItemProblem | 'any' | undefined;
}

/** Items of many accounts, the last created first. */
export async function listItemsOfAccounts(
  store: StoreConnection,
  accounts: readonly AccountId[],
  { filter, behind, limit }: { filter: AccountsItemFilter; behind: CreatedPlace | null; limit: number },
): Promise<readonly ListedItem[]> {
  const { conditions, hint, rangesEach } = planOf(filter);
  const rows = await newestOfAccounts(accounts, {
    rangesEach,
    limit,
    find: async (some) =>
      itemCollection(store)
        .find<ListedRow>(
          { accountId: { $in: [...some] }, isListed: true, ...conditions, ...behindCreated(behind) },
          { projection: listedFields },
        )
        .hint(hint)
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .toArray(),
  });
  return rows.map(listedFromRow);
}

/** Uses the index in which every key matches, so that no other rows are read. */
function planOf({ serviceStatus, marketplaceStatus, externalId, problem }: AccountsItemFilter) {
  const states = {
    ...(problem !== undefined && havingProblem(problem)),
    ...(serviceStatus !== undefined && { serviceStatus }),
    ...(marketplaceStatus !== undefined && { marketplaceStatus }),
  };
  // An account has only a few items with one external id, and one of them is current.
  if (externalId !== undefined)
    return { conditions: { ...states, externalId, current: true }, hint: byExternalId, rangesEach: 1 };
  if (problem !== undefined)
    return { conditions: states, hint: problemIndex, rangesEach: problemsMeant(problem).length };
  if (serviceStatus === undefined && marketplaceStatus === undefined)
    return { conditions: {}, hint: accountsIndex, rangesEach: 1 };
  const [service, market] = [
    serviceStatus ?? { $in: [...serviceStatuses] },
    marketplaceStatus ?? { $in: [...marketplaceStatuses] },
  ];
  const rangesEach =
    (serviceStatus === undefined ? serviceStatuses.length : 1) *
    (marketplaceStatus === undefined ? marketplaceStatuses.length : 1);
  const conditions = { serviceStatus: service, marketplaceStatus: market };
  return { conditions, hint: listIndex('created', false), rangesEach };
}

const byExternalId = { accountId: 1, externalId: 1 } as const;
