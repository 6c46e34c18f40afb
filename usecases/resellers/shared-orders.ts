import { auditBy, type AuditEntry } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import type { Session } from '../../store/database/transaction.ts';
import {
  changeSharing,
  findConnectionOfMember,
  type MemberConnectionRow,
} from '../../store/resellers/member-connections.ts';
import type { Context } from '../context.ts';
import { requireShown } from './profiles.ts';

/**
 * A reseller touches a member's orders only while the member shares them. Called in the transaction of a write, and of a read
 * after the rows were read, so that a withdrawal counts at once. Throws {@link Refusal} PARTNER_ACCOUNT_FORBIDDEN.
 */
export async function requireSharedOrders(
  store: StoreConnection,
  { accountId, actingAccountId }: Scope,
  session?: Session,
): Promise<void> {
  if (accountId === actingAccountId) return;
  const link = await findConnectionOfMember(store, accountId, session);
  if (link?.resellerAccountId === actingAccountId && link.sharesOrders === true) return;
  throw new Refusal('PARTNER_ACCOUNT_FORBIDDEN', 'The member does not share its orders with this account');
}

/**
 * A member lets its reseller read and handle its orders, or no longer. What is so already changes nothing. `expected` is the user
 * id of the reseller that the page showed. Throws {@link Refusal} CONFLICT for an account that is no member, or that of another.
 */
export async function shareOrders(
  { store, confirmCredential, now }: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  { sharesOrders, expected }: { readonly sharesOrders: boolean; readonly expected?: string },
): Promise<void> {
  await confirmCredential(scope);
  const at = now();
  await changeSharing(store, scope.actingAccountId, {
    sharesOrders,
    now: at,
    require: (link) => {
      if (expected !== undefined) requireShown(link?.resellerAccountId ?? null, expected);
      if (link === null) throw new Refusal('CONFLICT', 'The account is no member of a reseller');
    },
    audit: (link) => sharingEntries(scope, link, at),
  });
}

/** In the logs of both sides. */
export function sharingEntries(scope: Scope, link: MemberConnectionRow, at: Date): AuditEntry[] {
  const { memberAccountId, resellerAccountId, sharesOrders: isShared = false } = link;
  const kind = 'order_sharing_changed';
  const own = auditBy(scope, { kind, at, details: { isShared, resellerUserId: resellerAccountId } });
  return [
    own,
    {
      ...{ accountId: resellerAccountId, kind, at, actor: { ...own.actor, kind: 'member' } },
      details: { isShared, memberUserId: memberAccountId },
    },
  ];
}
