import { accountId, type AccountId } from '../rules/ids.ts';
import { describeListEntry } from '../items/rules/describe-item.ts';
import { pageOf } from '../rules/page-of.ts';
import type { Scope } from '../rules/scope.ts';
import {
  writeMembersCursor,
  type MembersDeliveryQuery,
  type MembersItemQuery,
  type MembersOrderQuery,
} from '../../schemas/resellers/members-lists.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { listAttemptsAbout } from '../webhooks/store/attempts-about-members.ts';
import { listItemsOfAccounts } from '../items/store/items-of-accounts.ts';
import { listOrdersOfAccounts } from '../orders/store/orders-of-accounts.ts';
import { findConnectionsOfMembers, type MemberConnectionRow } from './store/member-connections.ts';
import type { Context } from '../context.ts';
import { imageAddress } from '../images/hosted-image.ts';
import { describeOrders } from '../orders/read-orders.ts';
import { describeAttempt } from '../webhooks/webhook-deliveries.ts';
import { findSeenMembers, isSharing } from './seen-members.ts';

/** The member that the row belongs to: its user id, and the reseller's reference. */
interface OfMember {
  readonly memberUserId: string;
  readonly memberExternalId: string;
}

/** The items of all members of the caller, the last created first; empty for an account that is no reseller. */
export async function listMembersItems(
  { store, imagesUrl }: Pick<Context, 'store' | 'imagesUrl'>,
  scope: Scope,
  { filter, behind, limit }: MembersItemQuery,
) {
  const { all: accounts } = await findSeenMembers(store, scope);
  const found = await listItemsOfAccounts(store, accounts, { filter, behind, limit: limit + 1 });
  const { shown, last } = pageOf(found, limit);
  const memberOf = await present(store, scope, { ids: shown.map((item) => item.accountId), may: () => true });
  const tellsProblem = filter.problem !== undefined;
  const items = shown.flatMap((item) => {
    const member = memberOf(item.accountId);
    const thumbnailUrl = (hash: string): string => imageAddress(imagesUrl, item.accountId, hash, 'thumb');
    return member === undefined ? [] : [{ ...describeListEntry(item, thumbnailUrl, { tellsProblem }), ...member }];
  });
  return {
    items,
    nextCursor: last === undefined ? null : writeMembersCursor({ at: last.createdAt, id: last.id }, filter),
  };
}

/** The orders of all members that share theirs with the caller, the last recorded first. */
export async function listMembersOrders(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  { filter, behind, limit }: MembersOrderQuery,
) {
  const { sharing: accounts } = await findSeenMembers(store, scope);
  const found = await listOrdersOfAccounts(store, accounts, { filter, behind, limit: limit + 1 });
  const { shown, last } = pageOf(found, limit);
  const described = await describeOrders(store, shown);
  const memberOf = await present(store, scope, { ids: shown.map((order) => order.accountId), may: isSharing });
  const orders = described.flatMap((order, n) => {
    const member = memberOf(shown[n]?.accountId ?? accountId(''));
    return member === undefined ? [] : [{ ...order, ...member }];
  });
  return {
    orders,
    nextCursor: last === undefined ? null : writeMembersCursor({ at: last.createdAt, id: last._id }, filter),
  };
}

/** The attempts at the caller's own endpoints that were about its members, or about one of them, the newest first. */
export async function listMembersDeliveries(
  { store }: Pick<Context, 'store'>,
  scope: Scope,
  { filter, memberExternalId, behind, limit }: MembersDeliveryQuery,
) {
  const isAsked: May = ({ externalId }) => memberExternalId === undefined || externalId === memberExternalId;
  const { all: members } = await findSeenMembers(store, scope, isAsked);
  const about = { reseller: scope.actingAccountId, members };
  const found = await listAttemptsAbout(store, about, { filter, behind, limit: limit + 1 });
  const { shown, last } = pageOf(found, limit);
  const ids = shown.flatMap(({ aboutAccountId = [] }) => aboutAccountId);
  const memberOf = await present(store, scope, { ids, may: () => true });
  const deliveries = shown.flatMap((attempt) => {
    const member = attempt.aboutAccountId && memberOf(attempt.aboutAccountId);
    return member === undefined ? [] : [{ ...describeAttempt(attempt), ...member }];
  });
  const place = { ...filter, memberExternalId };
  return {
    deliveries,
    nextCursor: last === undefined ? null : writeMembersCursor({ at: last.createdAt, id: last._id }, place),
  };
}

type May = (link: MemberConnectionRow) => boolean;

/**
 * The members are read again after the rows, so that leaving or ending the sharing takes effect at once. Rows of such a member
 * are left out, so a page may have fewer rows than its limit.
 */
async function present(
  store: StoreConnection,
  { actingAccountId }: Scope,
  { ids, may }: { ids: readonly AccountId[]; may: May },
): Promise<(account: AccountId) => OfMember | undefined> {
  const links = await findConnectionsOfMembers(store, [...new Set(ids)]);
  return (account) => {
    const link = links.get(account);
    if (link === undefined || link.resellerAccountId !== actingAccountId || !may(link)) return undefined;
    return { memberUserId: account, memberExternalId: link.externalId };
  };
}
