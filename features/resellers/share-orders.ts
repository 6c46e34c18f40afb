import { Refusal } from '../rules/errors.ts';
import type { Scope } from '../rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Session } from '../../platform/database/transaction.ts';
import { changeSharing, findConnectionOfMember } from './store/member-connections.ts';
import type { Context } from '../context.ts';
import { memberBy, sharingEntries } from './both-logs.ts';
import { requireShown } from './profiles.ts';
import { isSharing } from './seen-members.ts';

/**
 * A reseller may use a member's orders only while the member shares them. Called in the transaction of a write, and for
 * a read after the rows were read, so that a withdrawal takes effect at once. Throws {@link Refusal}
 * PARTNER_ACCOUNT_FORBIDDEN.
 */
export async function requireSharedOrders(
  store: StoreConnection,
  { accountId, actingAccountId }: Scope,
  session?: Session,
): Promise<void> {
  if (accountId === actingAccountId) return;
  const link = await findConnectionOfMember(store, accountId, session);
  if (link?.resellerAccountId === actingAccountId && isSharing(link)) return;
  throw ordersNotShared();
}

export const ordersNotShared = (): Refusal =>
  new Refusal('PARTNER_ACCOUNT_FORBIDDEN', 'The member does not share its orders with this account');

/**
 * A member starts or ends sharing its orders with its reseller. A value that is set already changes nothing. `expected`
 * is the user id of the reseller that the page showed. Throws {@link Refusal} CONFLICT for an account that is no
 * member, or belongs to another reseller.
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
    audit: (link) => sharingEntries(link, at, memberBy(scope)),
  });
}
