import { ChangeSet, type Change } from './rules/change-set.ts';
import { accountId as accountIdOf, type AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { batchReads, perStore } from '../../platform/database/batch.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { findConnectionsOfMembers } from '../resellers/store/member-connections.ts';
import { findSeenMembers, isSharing } from '../resellers/seen-members.ts';

/** The accounts whose changes a stream hears: its own with the one that it acts for, or with all members. */
export async function findHeardAccounts(
  store: StoreConnection,
  { accountId, actingAccountId }: Scope,
  { isOfAllMembers }: { readonly isOfAllMembers: boolean },
): Promise<ReadonlySet<AccountId>> {
  const members = isOfAllMembers ? await membersHeard(store)('members', actingAccountId) : undefined;
  return members ?? new Set([accountId, actingAccountId]);
}

/** All streams of a reseller learn of a new member at the same time, so they share one read and one set. */
const membersHeard = perStore((store: StoreConnection) =>
  batchReads<'members', ReadonlySet<AccountId>>(async (_group, resellers) => {
    const found = resellers.map(async (reseller) => {
      const actingAccountId = accountIdOf(reseller);
      const { all } = await findSeenMembers(store, { actingAccountId });
      return [reseller, new Set([actingAccountId, ...all])] as const;
    });
    return new Map(await Promise.all(found));
  }),
);

/**
 * What the session may be told of these changes, one for each kind: all of its own account, and of a member what it may
 * read, items, and orders while the member shares them. Memberships are read now, so that leaving takes effect at once.
 */
export async function pickTold(
  store: StoreConnection,
  { actingAccountId }: Scope,
  changes: readonly Change[],
): Promise<Change[]> {
  const others = changes.map(({ accountId }) => accountId).filter((id) => id !== actingAccountId);
  const links = await findConnectionsOfMembers(store, [...new Set(others)]);
  const isTold = ({ accountId, kind }: Change): boolean => {
    if (accountId === actingAccountId) return true;
    const link = links.get(accountId);
    if (link?.resellerAccountId !== actingAccountId) return false;
    return kind === 'items' || (kind === 'orders' && isSharing(link));
  };
  const told = new ChangeSet();
  for (const change of changes) if (isTold(change)) told.add({ ...change, accountId: actingAccountId });
  return told.take(told.size);
}
