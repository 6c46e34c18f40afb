import type { AccountId } from '../../rules/ids.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { behindCreated, newestOfAccounts, type CreatedPlace } from '../../resellers/store/rows-of-accounts.ts';
import {
  aboutIndex,
  attemptRows,
  eitherStatus,
  listed,
  logIndex,
  type DeliveryAttemptRow,
} from './delivery-attempts.ts';

export interface AboutMembersFilter {
  readonly status: DeliveryAttemptRow['status'] | undefined;
  readonly externalId: string | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/** Attempts at the endpoints of one account that were about these others, the newest first. */
export function listAttemptsAbout(
  store: StoreConnection,
  { reseller, members }: { readonly reseller: AccountId; readonly members: readonly AccountId[] },
  { filter, behind, limit }: { filter: AboutMembersFilter; behind: CreatedPlace | null; limit: number },
): Promise<readonly DeliveryAttemptRow[]> {
  const { status, externalId, from, to } = filter;
  const range = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
  const find = async (some: readonly AccountId[]): Promise<readonly DeliveryAttemptRow[]> =>
    attemptRows(store)
      .find(
        {
          accountId: reseller,
          aboutAccountId: { $in: [...some] },
          status: status ?? { $in: [...eitherStatus] },
          ...(externalId !== undefined && { externalId }),
          ...(Object.keys(range).length > 0 && { createdAt: range }),
          ...behindCreated(behind),
        },
        { projection: listed, hint: externalId === undefined ? aboutIndex : logIndex('externalId') },
      )
      .sort({ createdAt: -1, _id: -1 })
      .limit(limit)
      .toArray();
  // The index of external ids has no ranges of members, so one query reads those of all.
  if (externalId !== undefined) return find(members);
  return newestOfAccounts(members, { rangesEach: status === undefined ? eitherStatus.length : 1, limit, find });
}
