import { auditBy, type AuditActor, type AuditEntry } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { actorOf } from '../../core/items/journal.ts';
import type { Scope } from '../../core/scope.ts';
import { findAccountNames } from '../../store/accounts/accounts.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import type { Session } from '../../store/database/transaction.ts';
import {
  changeSharing,
  findConnectionOfMember,
  listConnections,
  renameConnection,
  type MemberConnectionRow,
} from '../../store/resellers/member-connections.ts';
import { leaveReseller } from '../../store/resellers/memberships.ts';
import type { Context } from '../context.ts';
import { requireShown } from './profiles.ts';
import { isSharing, membersMax } from './seen-members.ts';

/** The caller's members, oldest first, at most {@link membersMax}; empty for an account that is no reseller. */
export async function listMembers(context: Pick<Context, 'store'>, scope: Scope): Promise<readonly MemberView[]> {
  const rows = await listConnections(context.store, scope.actingAccountId, membersMax);
  const names = await findAccountNames(
    context.store,
    rows.map((row) => row.memberAccountId),
  );
  return rows.map((row) => describeMember(row, names.get(row.memberAccountId) ?? ''));
}

export interface MemberView {
  readonly memberUserId: string;
  readonly memberName: string;
  readonly externalId: string;
  readonly sharesOrders: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const describeMember = (row: MemberConnectionRow, memberName: string): MemberView => ({
  memberUserId: row.memberAccountId,
  memberName,
  externalId: row.externalId,
  sharesOrders: isSharing(row),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Throws {@link Refusal} NOT_FOUND when the account is no member of the caller, REFERENCE_TAKEN when another member has it. */
export async function renameMember(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  { memberAccountId, externalId }: { memberAccountId: AccountId; externalId: string },
): Promise<MemberView> {
  const now = context.now();
  const told = { memberAccountId, externalId, at: now };
  const audit = ({ externalId: before }: { externalId: string }) => renameEntries(scope, { ...told, before });
  const change = { memberAccountId, externalId, now, audit };
  await context.confirmCredential(scope);
  const renamed = await renameConnection(context.store, scope.actingAccountId, change);
  if (renamed === 'unknown') throw new Refusal('NOT_FOUND', 'No connected member with this id');
  if (renamed === 'taken') throw new Refusal('REFERENCE_TAKEN', 'Another member has this reference');
  const names = await findAccountNames(context.store, [memberAccountId]);
  return describeMember(renamed, names.get(memberAccountId) ?? '');
}

interface Rename {
  readonly memberAccountId: AccountId;
  readonly before: string;
  readonly externalId: string;
  readonly at: Date;
}

function renameEntries(scope: Scope, { memberAccountId, before, externalId, at }: Rename): AuditEntry[] {
  const own = auditBy(scope, {
    ...{ kind: 'member_renamed', at, details: { memberUserId: memberAccountId, before, externalId } },
  });
  return [
    own,
    {
      ...own,
      accountId: memberAccountId,
      actor: { ...own.actor, kind: 'reseller' },
      kind: 'member_renamed',
      details: { resellerUserId: scope.actingAccountId, before, externalId },
    },
  ];
}

/**
 * The member leaves its reseller; without one nothing happens. Items, marketplace connection and paid deals stay as
 * they are. `expected` is the user id of the reseller that the page showed. Throws {@link Refusal} CONFLICT when the
 * member belongs to another one.
 */
export async function disconnectMember(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  expected?: string,
): Promise<void> {
  await context.confirmCredential(scope);
  return leaveReseller(context.store, scope.actingAccountId, {
    now: context.now,
    requireLeavable: (reseller) => {
      if (expected !== undefined) requireShown(reseller, expected);
    },
    audit: (connection, at) => leaveEntries(actorOf(scope), connection, at),
  });
}

/** The entries for the logs of both sides. */
export function leaveEntries(actor: AuditActor, row: MemberConnectionRow, at: Date): AuditEntry[] {
  const { memberAccountId, resellerAccountId, externalId } = row;
  const kind = 'member_left';
  return [
    {
      ...{ accountId: memberAccountId, actor, kind, at },
      details: { resellerUserId: resellerAccountId, isAgreementEnded: false },
    },
    {
      ...{ accountId: resellerAccountId, actor: { ...actor, kind: 'member' }, kind, at },
      details: { memberUserId: memberAccountId, externalId },
    },
  ];
}

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
    audit: (link) => sharingEntries(scope, link, at),
  });
}

/** The entries for the logs of both sides. */
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
