import { auditBy } from '../../core/audit/audit-entry.ts';
import type { ListingDefaults } from '../../core/listings/listing-terms.ts';
import type { Scope } from '../../core/scope.ts';
import { recordAudit } from '../../store/accounts/audit.ts';
import { inTransaction } from '../../store/database/transaction.ts';
import { findListingDefaults, setListingDefaults } from '../../store/marketplace/marketplace-connections.ts';
import type { Context } from '../context.ts';

/** The terms of the account's auctions; `{}` when it has set none. */
export const readListingDefaults = ({ store }: Pick<Context, 'store'>, scope: Scope): Promise<ListingDefaults> =>
  findListingDefaults(store, scope.accountId);

/** Replaces them all. They count for auctions whose draft is made afterwards. */
export async function changeListingDefaults(
  { store, confirmCredential, now }: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  terms: ListingDefaults,
): Promise<ListingDefaults> {
  const at = now();
  await inTransaction(store, async (session) => {
    await confirmCredential(scope);
    await setListingDefaults(store, scope.accountId, { terms, now: at, session });
    const details = { fields: Object.keys(terms) };
    await recordAudit(store, auditBy(scope, { kind: 'listing_defaults_changed', details, at }), session);
  });
  return terms;
}
