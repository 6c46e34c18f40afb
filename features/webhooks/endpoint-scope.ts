import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { hasResellerAgreement } from '../resellers/store/deals.ts';

/** Throws {@link Refusal} RESELLER_AGREEMENT_REQUIRED for scope members without an agreement. */
export async function checkTargetScope(
  store: StoreConnection,
  account: AccountId,
  scope: 'self' | 'members' | undefined,
): Promise<void> {
  if (scope !== 'members' || (await hasResellerAgreement(store, account))) return;
  throw new Refusal('RESELLER_AGREEMENT_REQUIRED', 'Scope members requires a reseller agreement');
}
