import type { AuditActor, AuditEntry } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import { actorOf } from '../items/rules/journal.ts';
import type { Scope } from '../rules/scope.ts';
import { findAccountNames } from '../accounts/store/accounts.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Session } from '../../platform/database/transaction.ts';
import {
  changeSharing,
  findConnectionOfMember,
  listConnections,
  renameConnection,
  type MemberConnectionRow,
} from './store/member-connections.ts';
import { endJoinRequest, leaveReseller } from './store/memberships.ts';
import type { Context } from '../context.ts';
import { inBothLogs, memberBy, resellerBy, sharingEntries } from './both-logs.ts';
import { approveMember } from './connect-member.ts';
import { requestEndedEntries } from './join-requests.ts';
import { requireShown } from './profiles.ts';
import { isSharing } from './seen-members.ts';

/** The caller's members, oldest first; empty for an account that is no reseller. */
export async function listMembers(context: Pick<Context, 'store'>, scope: Scope): Promise<readonly MemberView[]> {
  const rows = await listConnections(context.store, scope.actingAccountId);
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

/**
 * Gives a member another reference. An account that asks to become one is approved under it. Throws {@link Refusal} NOT_FOUND
 * when the account is neither, REFERENCE_TAKEN when another member has it.
 */
export async function renameMember(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now' | 'newId'>,
  scope: Scope,
  { memberAccountId, externalId }: { memberAccountId: AccountId; externalId: string },
): Promise<MemberView> {
  const now = context.now();
  const told = { memberAccountId, externalId, at: now };
  const audit = ({ externalId: before }: { externalId: string }) => renameEntries(scope, { ...told, before });
  const change = { memberAccountId, externalId, now, audit };
  await context.confirmCredential(scope);
  const found = await renameConnection(context.store, scope.actingAccountId, change);
  if (found === 'taken') throw new Refusal('REFERENCE_TAKEN', 'Another member has this reference');
  const renamed = found === 'unknown' ? await approveMember(context, scope, { memberAccountId, externalId }) : found;
  if (renamed === null) throw new Refusal('NOT_FOUND', 'No member with this id, and no request of it');
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
  const resellerAccountId = scope.actingAccountId;
  const [kind, references] = ['member_renamed' as const, { before, externalId }];
  return inBothLogs(resellerBy(scope), {
    ...{ memberAccountId, resellerAccountId, at },
    toMember: { kind, details: { resellerUserId: resellerAccountId, ...references } },
    toReseller: { kind, details: { memberUserId: memberAccountId, ...references } },
  });
}

/**
 * The member leaves its reseller, or no longer asks one; without either nothing happens. Items, marketplace connection and
 * paid deals stay as they are. `expected` is the user id of the reseller that the page showed. Throws {@link Refusal}
 * CONFLICT when the member belongs to another one.
 */
export async function disconnectMember(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  expected?: string,
): Promise<void> {
  await context.confirmCredential(scope);
  // First, so that an approval at the same moment leaves no membership behind.
  await endJoinRequest(context.store, scope.actingAccountId, {
    reseller: expected,
    audit: (ended) => requestEndedEntries(memberBy(scope), ended, context.now()),
  });
  await leaveReseller(context.store, scope.actingAccountId, {
    now: context.now,
    requireLeavable: (reseller) => {
      if (expected !== undefined && reseller !== null) requireShown(reseller, expected);
    },
    audit: (connection, at) => leaveEntries(actorOf(scope), connection, at),
  });
}

/** The entries for the logs of both sides. */
export function leaveEntries(actor: AuditActor, row: MemberConnectionRow, at: Date): AuditEntry[] {
  const { memberAccountId, resellerAccountId, externalId } = row;
  const kind = 'member_left';
  return inBothLogs(
    { side: 'member', actor },
    {
      ...{ memberAccountId, resellerAccountId, at },
      toMember: { kind, details: { resellerUserId: resellerAccountId, isAgreementEnded: false } },
      toReseller: { kind, details: { memberUserId: memberAccountId, externalId } },
    },
  );
}

/**
 * A reseller ends the membership of an account, or declines its request to become a member. The account may join or ask again.
 * Throws {@link Refusal} NOT_FOUND when the account is neither.
 */
export async function removeMember(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  member: AccountId,
): Promise<void> {
  const { store, confirmCredential, now } = context;
  const reseller = scope.actingAccountId;
  await confirmCredential(scope);
  const declined = await endJoinRequest(store, member, {
    reseller,
    audit: (ended) => requestEndedEntries(resellerBy(scope), ended, now()),
  });
  if (declined) return;
  await leaveReseller(store, member, {
    now,
    requireLeavable: (of) => {
      if (of !== reseller) throw new Refusal('NOT_FOUND', 'No connected member with this id');
    },
    audit: (connection, at) => removalEntries(scope, connection, at),
  });
}

function removalEntries(scope: Scope, row: MemberConnectionRow, at: Date): AuditEntry[] {
  const { memberAccountId, resellerAccountId, externalId } = row;
  const kind = 'member_removed';
  return inBothLogs(resellerBy(scope), {
    ...{ memberAccountId, resellerAccountId, at },
    toMember: { kind, details: { resellerUserId: resellerAccountId } },
    toReseller: { kind, details: { memberUserId: memberAccountId, externalId } },
  });
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
    audit: (link) => sharingEntries(link, at, memberBy(scope)),
  });
}
