import { takeTurn } from './accounts.ts';
import type { AuditEntry } from '../core/audit/audit-entry.ts';
import type { AccountId } from '../core/ids.ts';
import { recordAudit } from './audit.ts';
import { isDuplicateKey, type StoreConnection } from './connection.ts';
import { endCurrentDeal, findCurrentDeal, insertDeal, type DealRow } from './deals.ts';
import {
  findConnectionOfMember,
  insertConnection,
  removeConnectionOfMember,
  type MemberConnectionRow,
} from './member-connections.ts';
import { hasProfileSlug, setProfileSlug } from './profiles.ts';
import { inTransaction } from './transaction.ts';

// Membership and deal always change together, so the transactions over both live here.

export interface Membership {
  readonly connection: MemberConnectionRow;
  readonly deal: DealRow;
  readonly isNew: boolean;
}

/**
 * Makes an account a reseller's member as `decide` says after seeing the deal in force; what `decide` throws comes out
 * and nothing is changed. Answers `no_agreement` when the reseller holds none (any more). The new rows are stored as given, so the caller chooses ids and the first reference. `audit` is
 * what both logs say of it.
 */
export function joinReseller(
  store: StoreConnection,
  member: AccountId,
  join: {
    connection: MemberConnectionRow;
    deal: DealRow;
    decide: (inForce: DealRow | null) => 'join' | 'keep';
    audit: readonly AuditEntry[];
  },
): Promise<Membership | 'no_agreement'> {
  const reseller = join.connection.resellerAccountId;
  return inTransaction(store, async (session) => {
    await takeTurn(store, member, session);
    const inForce = await findCurrentDeal(store, member, session);
    if (join.decide(inForce) === 'keep' && inForce !== null) {
      const connection = await findConnectionOfMember(store, member, session);
      if (connection === null) throw new Error(`account ${member} has a sub_account deal but no connection`);
      return { connection, deal: inForce, isNew: false };
    }
    // Whoever ends the agreement meanwhile takes the same turn, or a member would be left under none.
    await takeTurn(store, reseller, session);
    if ((await findCurrentDeal(store, reseller, session))?.kind !== 'reseller_agreement') return 'no_agreement';
    await endCurrentDeal(store, member, { at: join.deal.validFrom, session });
    await insertDeal(store, join.deal, session);
    await insertConnection(store, join.connection, session);
    for (const entry of join.audit) await recordAudit(store, entry, session);
    return { connection: join.connection, deal: join.deal, isNew: true };
  });
}

/**
 * Back to the default deal. Changes nothing for an account that is no member: a paid deal is never touched. `audit` is what
 * both logs say of it.
 */
export function leaveReseller(
  store: StoreConnection,
  member: AccountId,
  { now, audit }: { now: Date; audit: (left: MemberConnectionRow) => readonly AuditEntry[] },
): Promise<void> {
  return inTransaction(store, async (session) => {
    await takeTurn(store, member, session);
    const inForce = await findCurrentDeal(store, member, session);
    if (inForce?.kind !== 'sub_account') return;
    const connection = await findConnectionOfMember(store, member, session);
    await endCurrentDeal(store, member, { at: now, session });
    await removeConnectionOfMember(store, member, session);
    for (const entry of connection === null ? [] : audit(connection)) await recordAudit(store, entry, session);
  });
}

/**
 * Puts a reseller_agreement in force, ending the version before it, and gives the account its page. Answers `slug_taken`
 * when the slug is another account's, `is_member` when the account is itself a reseller's member; then nothing is changed.
 */
export async function grantAgreement(
  store: StoreConnection,
  deal: DealRow,
  page: { slug: string; displayName: string; audit: AuditEntry },
): Promise<'granted' | 'slug_taken' | 'is_member'> {
  try {
    return await inTransaction(store, async (session) => {
      await takeTurn(store, deal.accountId, session);
      const inForce = await findCurrentDeal(store, deal.accountId, session);
      if (inForce?.kind === 'sub_account') return 'is_member';
      const { audit, ...wanted } = page;
      const isSameDeal = inForce?.commissionBps === deal.commissionBps;
      if (isSameDeal && (await hasProfileSlug(store, deal.accountId, { slug: page.slug, session }))) return 'granted';
      await recordAudit(store, audit, session);
      await setProfileSlug(store, deal.accountId, { ...wanted, now: deal.validFrom, session });
      if (isSameDeal) return 'granted';
      await endCurrentDeal(store, deal.accountId, { at: deal.validFrom, session });
      await insertDeal(store, deal, session);
      return 'granted';
    });
  } catch (error) {
    if (isDuplicateKey(error)) return 'slug_taken';
    throw error;
  }
}
