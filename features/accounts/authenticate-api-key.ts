import { isScopeGranted, type KeyScope } from './rules/api-key.ts';
import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import type { KeyHolder, Scope } from '../rules/scope.ts';
import { isInNetworks } from '../../platform/caller-address.ts';
import { apiKeyModeOf, hashApiKey, isApiKeyForm } from '../../platform/security/api-key.ts';
import { isSuspended } from './store/accounts.ts';
import { findKey, isExpired, isKeyActive, type FoundKey } from './store/api-keys.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { isMemberOf } from '../resellers/store/member-connections.ts';
import type { Context } from '../context.ts';
import type { Sandbox } from './sandbox.ts';
import { accountActedFor, forbiddenMember } from '../resellers/partner-account.ts';

export interface ApiKeyClaim {
  /** Value of `x-api-key`. */
  readonly apiKey: string | undefined;
  /** Value of `X-Partner-Account`: the reseller's reference of the member to act for. */
  readonly partnerAccount: string | undefined;
  /** What the call needs; null: any key will do. */
  readonly needs: KeyScope | null;
  /** Address of the socket, or the one a trusted proxy reports. */
  readonly address: string;
}

/**
 * Returns the scope of an API call: the calling account and the account it acts for. At most two reads by unique index.
 * Throws {@link Refusal} UNAUTHORIZED, ACCOUNT_SUSPENDED, KEY_ADDRESS_FORBIDDEN, KEY_SCOPE_MISSING or
 * PARTNER_ACCOUNT_FORBIDDEN. The last has the same words for an unknown member and for an account that is no reseller.
 */
export async function authenticateApiKey(
  context: Pick<Context, 'store' | 'keyUse' | 'sandbox' | 'now'>,
  claim: ApiKeyClaim,
): Promise<Scope> {
  const { store, keyUse, sandbox, now } = context;
  const isPlausible = claim.apiKey !== undefined && isApiKeyForm(claim.apiKey);
  const key = isPlausible ? await findKey(store, hashApiKey(claim.apiKey)) : null;
  if (key === null) throw invalidKey();
  const holder = holderOf(key);
  if (key.revokedAt !== null) throw invalidKey(holder);
  if (isExpired(key, now())) throw expiredKey(key);
  refuseWithoutSandbox(key, sandbox, claim.apiKey);
  if (key.suspended === true) throw accountSuspended(holder);
  // The address is checked first, so that elsewhere a stolen key reveals neither its scopes nor its members.
  refuseAddress(key, claim.address);
  refuseScope(key, claim.needs);
  keyUse.note(key);
  return {
    accountId: await accountActedFor(store, holder, claim.partnerAccount),
    actingAccountId: key.accountId,
    credential: { kind: 'api-key', keyId: key._id, ...(key.sandboxOf !== undefined && { sandboxOf: key.sandboxOf }) },
  };
}

const holderOf = ({ _id: keyId, accountId, sandboxOf }: FoundKey): KeyHolder => ({
  accountId,
  keyId,
  ...(sandboxOf !== undefined && { sandboxOf }),
});
/**
 * The caller has the key itself, so the answer may say why the key is refused. A revoked key is answered like an
 * unknown one.
 */
export class ExplainedKey extends Refusal {
  constructor(key: FoundKey, reason: string) {
    super('UNAUTHORIZED', `Invalid API key (x-api-key): ${reason}`, { holder: holderOf(key) });
  }
}

const expiredKey = (key: FoundKey): ExplainedKey =>
  new ExplainedKey(key, `it expired at ${key.expiresAt?.toISOString() ?? ''}`);

/**
 * A test key never works where its items could reach the real marketplace. That is so without a sandbox. It is also so
 * when the key was made while the whole installation was simulated, and acts as the account itself beside a real
 * marketplace.
 */
function refuseWithoutSandbox(key: FoundKey, { kind }: Sandbox, apiKey: string | undefined): void {
  if (apiKey === undefined || apiKeyModeOf(apiKey) === 'live' || kind === 'whole') return;
  if (kind === 'apart' && key.sandboxOf !== undefined) return;
  throw new ExplainedKey(
    key,
    kind === 'none'
      ? 'it is a test key, and this service has no sandbox'
      : 'it is a test key of another sandbox; generate another',
  );
}

function refuseAddress(key: FoundKey, address: string): void {
  const { addresses } = key;
  if (addresses === undefined || isInNetworks(address, addresses)) return;
  throw new Refusal('KEY_ADDRESS_FORBIDDEN', `This API key is not taken from the address ${address.slice(0, 60)}`, {
    holder: holderOf(key),
  });
}

function refuseScope(key: FoundKey, needed: KeyScope | null): void {
  if (needed === null || isScopeGranted(key.scopes, needed)) return;
  throw new Refusal('KEY_SCOPE_MISSING', `This API key has not the scope ${needed}, which the call needs`, {
    holder: holderOf(key),
  });
}

/** Has its own code: on the code of a wrong key, a partner's program would ask for a new key. */
export const accountSuspended = (holder?: KeyHolder): Refusal =>
  new Refusal('ACCOUNT_SUSPENDED', 'This account is suspended; ask those who run the service', { holder });

/**
 * Returns the refusal for a key or session that is no longer valid: `otherwise`, or ACCOUNT_SUSPENDED for a suspended account.
 */
export async function refusalOf(store: StoreConnection, account: AccountId, otherwise: Refusal): Promise<Refusal> {
  return (await isSuspended(store, account)) ? accountSuspended() : otherwise;
}

/** The wording is the same for an unknown and a revoked key, so the answer reveals nothing. */
const invalidKey = (holder?: KeyHolder): Refusal =>
  new Refusal('UNAUTHORIZED', 'Invalid or missing API key (x-api-key)', { holder });

/**
 * Repeats the check of {@link authenticateApiKey}. So a key that is revoked, suspended or expired meanwhile fails at once, also
 * for requests in flight (specification "Authentication" 1). Called right before a write takes effect and before a call without
 * effect is answered. A reseller no longer acts for a member that left it meanwhile. Throws `Refusal` as authenticateApiKey
 * does.
 */
export async function confirmKeyActive(
  { store, now }: { readonly store: StoreConnection; readonly now: () => Date },
  scope: Scope,
): Promise<void> {
  const { accountId, actingAccountId, credential } = scope;
  if (credential.kind !== 'api-key') return;
  const [isActive, isLinked] = await Promise.all([
    isKeyActive(store, actingAccountId, { keyId: credential.keyId, now: now() }),
    accountId === actingAccountId || isMemberOf(store, actingAccountId, accountId),
  ]);
  if (!isActive) throw await refusalOf(store, actingAccountId, invalidKey());
  if (!isLinked) throw forbiddenMember();
}
