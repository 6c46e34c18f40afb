import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { KeyHolder, Scope } from '../../core/scope.ts';
import { hashApiKey, isApiKeyForm } from '../../security/api-key.ts';
import { findKey } from '../../store/accounts/api-keys.ts';
import { findMemberByReference } from '../../store/resellers/member-connections.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { accountSuspended } from '../accounts/suspended.ts';
import type { KeyUseRecorder } from './key-use-recorder.ts';

export interface ApiKeyClaim {
  /** Value of `x-api-key`. */
  readonly apiKey: string | undefined;
  /** Value of `X-Partner-Account`: the reseller's reference of the member to act for. */
  readonly partnerAccount: string | undefined;
}

/**
 * Returns the scope of an API call: the calling account and the account it acts for. At most two reads by unique index.
 * Throws {@link Refusal} UNAUTHORIZED, ACCOUNT_SUSPENDED, or PARTNER_ACCOUNT_FORBIDDEN. The last has the same words for an
 * unknown member and for an account that is no reseller.
 */
export async function authenticateApiKey(
  context: { readonly store: StoreConnection; readonly keyUse: KeyUseRecorder },
  claim: ApiKeyClaim,
): Promise<Scope> {
  const { store, keyUse } = context;
  const isPlausible = claim.apiKey !== undefined && isApiKeyForm(claim.apiKey);
  const key = isPlausible ? await findKey(store, hashApiKey(claim.apiKey)) : null;
  if (key === null) throw invalidKey();
  const holder = { accountId: key.accountId, keyId: key._id };
  if (key.revokedAt !== null) throw invalidKey(holder);
  if (key.suspended === true) throw accountSuspended(holder);
  keyUse.note(key);
  return {
    accountId: await accountActedFor(store, holder, claim.partnerAccount),
    actingAccountId: key.accountId,
    credential: { kind: 'api-key', keyId: key._id },
  };
}

async function accountActedFor(
  store: StoreConnection,
  holder: KeyHolder,
  reference: string | undefined,
): Promise<AccountId> {
  if (reference === undefined) return holder.accountId;
  const member = await findMemberByReference(store, holder.accountId, reference);
  if (member === null) throw forbiddenMember(holder);
  return member;
}

/** The wording is the same for an unknown and a revoked key, so the answer reveals nothing. */
export const invalidKey = (holder?: KeyHolder): Refusal =>
  new Refusal('UNAUTHORIZED', 'Invalid or missing API key (x-api-key)', { holder });

export const forbiddenMember = (holder?: KeyHolder): Refusal =>
  new Refusal('PARTNER_ACCOUNT_FORBIDDEN', 'X-Partner-Account names no member that this account may act for', {
    holder,
  });
