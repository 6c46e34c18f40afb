import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { isAllowedHost, type AddressPolicy } from '../../platform/public-address-guard.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { hasResellerAgreement } from '../../store/resellers/deals.ts';

/**
 * An early answer about addresses that deliveries would never reach; names are resolved and checked when they are connected to.
 * Throws VALIDATION_FAILED. The schema has made sure of HTTPS and of no credentials.
 */
export function checkTargetUrl(url: string | null | undefined, field: string, policy: AddressPolicy): void {
  if (url === null || url === undefined) return;
  if (url.includes('#')) throw validationFailed([{ field, message: 'must not have a fragment (#): it is never sent' }]);
  if (!isAllowedHost(new URL(url).hostname, policy))
    throw validationFailed([{ field, message: 'must be a public address' }]);
}

/** Throws {@link Refusal} RESELLER_AGREEMENT_REQUIRED for scope members without an agreement. */
export async function checkTargetScope(
  store: StoreConnection,
  account: AccountId,
  scope: 'self' | 'members' | undefined,
): Promise<void> {
  if (scope !== 'members' || (await hasResellerAgreement(store, account))) return;
  throw new Refusal('RESELLER_AGREEMENT_REQUIRED', 'Scope members requires a reseller agreement');
}
