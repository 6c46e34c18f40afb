import type { AuditEntry } from '../../accounts/rules/audit-entry.ts';
import type { AccountId } from '../../rules/ids.ts';
import { runExclusive } from '../../accounts/store/accounts.ts';
import { recordAudit, recordAudits } from '../../accounts/store/audit.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction, type Session } from '../../../platform/database/transaction.ts';
import { endCurrentDeal, endMemberDeals, findCurrentDeal, insertDeal, type DealRow } from './deals.ts';
import { markInvitationUsed, type UsedInvitation } from './invitations.ts';
import { findJoinRequest, removeJoinRequest, storeJoinRequest, type JoinRequestRow } from './join-requests.ts';
import {
  findConnectionOfMember,
  insertConnection,
  listConnections,
  removeConnectionOfMember,
  removeConnections,
  type MemberConnectionRow,
} from './member-connections.ts';
import { findProfile, hasProfileSlug, isSlugTaken, setProfileSlug } from './profiles.ts';

// Membership and deal always change together, so the transactions over both are here. Each reads the clock only when it has its
// turn and knows its change. So a transaction that waited does not date its version before those written meanwhile.

export interface Membership {
  readonly connection: MemberConnectionRow;
  readonly deal: DealRow;
  readonly isNew: boolean;
}

export interface JoinRows {
  readonly connection: MemberConnectionRow;
  readonly deal: DealRow;
  /** Entries of both logs. */
  readonly audit: readonly AuditEntry[];
  /** The invitation that the joining uses up; null without one. */
  readonly invitation: UsedInvitation | null;
}

export interface Asking {
  readonly request: JoinRequestRow;
  /** Entries of both logs. */
  readonly audit: readonly AuditEntry[];
}

/**
 * Makes an account a reseller's member, if `decide` allows it for the deal in force. Throws what `decide` throws, and
 * then changes nothing. Returns `no_agreement` when the reseller holds no agreement. `rowsAt` chooses ids and the first
 * reference; the database sets the connection's `createdAt`. `rowsAt` is called again when the transaction restarts.
 * `askAt` makes the request that is stored in place of the membership if the reseller approves its members; it is absent when
 * the reseller has approved this account. An earlier request to this reseller stays, and is returned. `rowsAt` gets that request;
 * it returns null when the membership depends on one and there is none, and the answer is `no_request`.
 */
export function joinReseller(
  store: StoreConnection,
  member: AccountId,
  join: {
    reseller: AccountId;
    decide: (inForce: DealRow | null) => 'join' | 'keep';
    /** Called when the member's turn has come; its error aborts the transaction and is thrown on. */
    confirm: () => Promise<void>;
    rowsAt: (at: Date, request: JoinRequestRow | null) => JoinRows | null;
    askAt?: ((at: Date) => Asking) | undefined;
    now: () => Date;
  },
): Promise<Membership | JoinRequestRow | 'no_agreement' | 'no_request'> {
  const { reseller, decide, confirm, rowsAt, askAt, now } = join;
  return inTransaction(store, async (session) => {
    await runExclusive(store, member, session);
    await confirm();
    const inForce = await findCurrentDeal(store, member, session);
    if (decide(inForce) === 'keep' && inForce !== null) {
      const connection = await findConnectionOfMember(store, member, session);
      if (connection === null) throw new Error(`account ${member} has a sub_account deal but no connection`);
      return { connection, deal: inForce, isNew: false };
    }
    // The end of an agreement takes the same turn, or a member without an agreement could remain.
    await runExclusive(store, reseller, session);
    if ((await findCurrentDeal(store, reseller, session))?.kind !== 'reseller_agreement') return 'no_agreement';
    const at = now();
    const asked = await findJoinRequest(store, member, session);
    const request = asked?.resellerAccountId === reseller ? asked : null;
    if (askAt !== undefined && (await findProfile(store, reseller, session))?.needsApproval === true)
      return request ?? ask(store, askAt(at), session);
    const rows = rowsAt(at, request);
    if (rows === null) return 'no_request';
    const { connection: wished, deal, audit, invitation } = rows;
    await endCurrentDeal(store, member, { at, session });
    await insertDeal(store, deal, session);
    const connection = await insertConnection(store, wished, session);
    if (invitation !== null) await markInvitationUsed(store, { ...invitation, memberAccountId: member, at }, session);
    await removeJoinRequest(store, member, session);
    await recordAudits(store, audit, session);
    return { connection, deal, isNew: true };
  });
}

async function ask(store: StoreConnection, { request, audit }: Asking, session: Session): Promise<JoinRequestRow> {
  await storeJoinRequest(store, request, session);
  await recordAudits(store, audit, session);
  return request;
}

/**
 * Ends the request of an account, if it asks this reseller, or without `reseller` any. `audit` makes the entries of both logs.
 * Returns whether there was one.
 */
export function endJoinRequest(
  store: StoreConnection,
  account: AccountId,
  { reseller, audit }: { reseller: string | undefined; audit: (ended: JoinRequestRow) => readonly AuditEntry[] },
): Promise<boolean> {
  return inTransaction(store, async (session) => {
    const request = await findJoinRequest(store, account, session);
    if (request === null || (reseller !== undefined && request.resellerAccountId !== reseller)) return false;
    await removeJoinRequest(store, account, session);
    await recordAudits(store, audit(request), session);
    return true;
  });
}

/**
 * Ends a membership, so that the account has the default deal again. No effect for an account that is no member: a paid deal
 * never changes here. Throws what `requireLeavable` throws, and then changes nothing. `audit` makes the entries of both logs.
 */
export function leaveReseller(store: StoreConnection, member: AccountId, leave: Leaving): Promise<void> {
  return inTransaction(store, async (session) => {
    await runExclusive(store, member, session);
    await leaveWithin(store, member, { ...leave, session });
  });
}

interface Leaving {
  /** Its error is thrown on. It is given the account's reseller, null for an account that is no member. */
  readonly requireLeavable?: (reseller: AccountId | null) => void;
  readonly now: () => Date;
  readonly audit: (left: MemberConnectionRow, at: Date) => readonly AuditEntry[];
}

/** The same in a transaction that has the member's turn. */
export async function leaveWithin(
  store: StoreConnection,
  member: AccountId,
  { requireLeavable, now, audit, session }: Leaving & { readonly session: Session },
): Promise<void> {
  const inForce = await findCurrentDeal(store, member, session);
  requireLeavable?.(inForce?.resellerAccountId ?? null);
  if (inForce?.kind !== 'sub_account') return;
  const connection = await findConnectionOfMember(store, member, session);
  const at = now();
  await endCurrentDeal(store, member, { at, session });
  await removeConnectionOfMember(store, member, session);
  if (connection !== null) await recordAudits(store, audit(connection, at), session);
}

/**
 * Puts a reseller_agreement in force, ends the version before it, and gives the account its page. A version that names no sum
 * of direct sales keeps that of the version before. Returns `slug_taken` when
 * another account has the slug or has it reserved, `is_member` when the account is itself a reseller's member. Both change
 * nothing.
 */
export async function grantAgreement(
  store: StoreConnection,
  agreement: Omit<DealRow, 'validFrom'>,
  page: { slug: string; displayName: string; now: () => Date; audit: (granted: DealRow) => AuditEntry },
): Promise<'granted' | 'slug_taken' | 'is_member'> {
  try {
    return await inTransaction(store, async (session) => {
      const { accountId } = agreement;
      await runExclusive(store, accountId, session);
      const inForce = await findCurrentDeal(store, accountId, session);
      if (inForce?.kind === 'sub_account') return 'is_member';
      const { slug, displayName, now, audit } = page;
      const { commissionBps, directSalesMaxOre = inForce?.directSalesMaxOre } = agreement;
      const isSameDeal = inForce?.commissionBps === commissionBps && inForce.directSalesMaxOre === directSalesMaxOre;
      if (isSameDeal && (await hasProfileSlug(store, accountId, { slug, session }))) return 'granted';
      const deal = { ...agreement, directSalesMaxOre, validFrom: now() };
      await recordAudit(store, audit(deal), session);
      await setProfileSlug(store, accountId, { slug, displayName, now: deal.validFrom, session });
      if (isSameDeal) return 'granted';
      await endCurrentDeal(store, accountId, { at: deal.validFrom, session });
      await insertDeal(store, deal, session);
      return 'granted';
    });
  } catch (error) {
    if (isSlugTaken(error)) return 'slug_taken';
    throw error;
  }
}

/**
 * Ends a reseller_agreement, its memberships and the deals of its members in one transaction, so that no membership exists
 * without an agreement. Returns the former members, or `no_agreement` when there is no agreement to end. `audit` makes the log
 * entries. `now` is read when the transaction has its turn.
 */
export function endAgreement(
  store: StoreConnection,
  reseller: AccountId,
  how: { now: () => Date; audit: (members: readonly MemberConnectionRow[], at: Date) => readonly AuditEntry[] },
): Promise<readonly MemberConnectionRow[] | 'no_agreement'> {
  return inTransaction(store, async (session) => {
    // A joining account takes the same turn, so that no membership remains.
    await runExclusive(store, reseller, session);
    const inForce = await findCurrentDeal(store, reseller, session);
    if (inForce?.kind !== 'reseller_agreement') return 'no_agreement';
    const members = await listConnections(store, reseller, session);
    const memberIds = members.map(({ memberAccountId }) => memberAccountId);
    const at = how.now();
    await endCurrentDeal(store, reseller, { at, session });
    await endMemberDeals(store, reseller, { members: memberIds, at, session });
    await removeConnections(store, reseller, session);
    await recordAudits(store, how.audit(members, at), session);
    return members;
  });
}
