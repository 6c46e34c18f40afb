import { runExclusive } from '../accounts/accounts.ts';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import type { AccountId } from '../../core/ids.ts';
import { recordAudit } from '../accounts/audit.ts';
import type { StoreConnection } from '../database/connection.ts';
import { endCurrentDeal, findCurrentDeal, insertDeal, type DealRow } from './deals.ts';
import {
  findConnectionOfMember,
  insertConnection,
  removeConnectionOfMember,
  type MemberConnectionRow,
} from './member-connections.ts';
import { hasProfileSlug, isSlugTaken, setProfileSlug } from './profiles.ts';
import { inTransaction } from '../database/transaction.ts';

// Membership and deal always change together, so the transactions over both live here. Each takes its time when it has its turn
// and knows what it changes: who waited for others must not say that its version was in force while they wrote theirs.

export interface Membership {
  readonly connection: MemberConnectionRow;
  readonly deal: DealRow;
  readonly isNew: boolean;
}

export interface JoinRows {
  readonly connection: MemberConnectionRow;
  readonly deal: DealRow;
  /** What both logs say of it. */
  readonly audit: readonly AuditEntry[];
}

/**
 * Makes an account a reseller's member as `decide` says after seeing the deal in force; what `decide` throws comes out
 * and nothing is changed. Answers `no_agreement` when the reseller holds none (any more). The rows of `rowsAt` are stored as given,
 * so the caller chooses ids and the first reference; it is asked again when the transaction is.
 */
export function joinReseller(
  store: StoreConnection,
  member: AccountId,
  join: {
    reseller: AccountId;
    decide: (inForce: DealRow | null) => 'join' | 'keep';
    rowsAt: (at: Date) => JoinRows;
    now: () => Date;
  },
): Promise<Membership | 'no_agreement'> {
  const { reseller, decide, rowsAt, now } = join;
  return inTransaction(store, async (session) => {
    await runExclusive(store, member, session);
    const inForce = await findCurrentDeal(store, member, session);
    if (decide(inForce) === 'keep' && inForce !== null) {
      const connection = await findConnectionOfMember(store, member, session);
      if (connection === null) throw new Error(`account ${member} has a sub_account deal but no connection`);
      return { connection, deal: inForce, isNew: false };
    }
    // Whoever ends the agreement meanwhile takes the same turn, or a member would be left under none.
    await runExclusive(store, reseller, session);
    if ((await findCurrentDeal(store, reseller, session))?.kind !== 'reseller_agreement') return 'no_agreement';
    const at = now();
    const { connection: wished, deal, audit } = rowsAt(at);
    await endCurrentDeal(store, member, { at, session });
    await insertDeal(store, deal, session);
    const connection = await insertConnection(store, wished, session);
    for (const entry of audit) await recordAudit(store, entry, session);
    return { connection, deal, isNew: true };
  });
}

/**
 * Back to the default deal. Changes nothing for an account that is no member: a paid deal is never touched. What `requireLeavable`
 * throws comes out and nothing is changed; `audit` is what both logs say of it.
 */
export function leaveReseller(
  store: StoreConnection,
  member: AccountId,
  leave: {
    requireLeavable: (reseller: AccountId | null) => void;
    now: () => Date;
    audit: (left: MemberConnectionRow, at: Date) => readonly AuditEntry[];
  },
): Promise<void> {
  const { requireLeavable, now, audit } = leave;
  return inTransaction(store, async (session) => {
    await runExclusive(store, member, session);
    const inForce = await findCurrentDeal(store, member, session);
    if (inForce?.kind !== 'sub_account') return;
    requireLeavable(inForce.resellerAccountId);
    const connection = await findConnectionOfMember(store, member, session);
    const at = now();
    await endCurrentDeal(store, member, { at, session });
    await removeConnectionOfMember(store, member, session);
    for (const entry of connection === null ? [] : audit(connection, at)) await recordAudit(store, entry, session);
  });
}

/**
 * Puts a reseller_agreement in force, ending the version before it, and gives the account its page. Answers `slug_taken`
 * when the slug is another account's, `is_member` when the account is itself a reseller's member; then nothing is changed.
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
      const isSameDeal = inForce?.commissionBps === agreement.commissionBps;
      if (isSameDeal && (await hasProfileSlug(store, accountId, { slug, session }))) return 'granted';
      const deal = { ...agreement, validFrom: now() };
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
