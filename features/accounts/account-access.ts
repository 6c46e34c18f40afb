import type { AccessGrant } from './rules/account-access.ts';
import type { AuditActor, AuditEntry } from './rules/audit-entry.ts';
import type { AccountId } from '../rules/ids.ts';
import { linkMs } from '../mail/rules/mail.ts';
import { apiKeyModeOf } from '../../platform/security/api-key.ts';
import { hashLinkToken, newLinkToken } from '../../platform/security/fingerprint.ts';
import { runExclusive, type AccountRow } from './store/accounts.ts';
import { listActiveKeys, revokeKeys, type ApiKeyRow } from './store/api-keys.ts';
import { recordAudits } from './store/audit.ts';
import { findSandboxOf } from './store/sandboxes.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Session } from '../../platform/database/transaction.ts';
import { insertLink } from '../mail/store/links.ts';
import { findMarketplaceConnection, removeMarketplaceConnection } from '../listings/store/marketplace-connections.ts';
import { findJoinRequest, removeJoinRequest } from '../resellers/store/join-requests.ts';
import { findConnectionOfMember } from '../resellers/store/member-connections.ts';
import { leaveWithin } from '../resellers/store/memberships.ts';
import { findProfile } from '../resellers/store/profiles.ts';
import { listEndpoints, removeEndpoints, type WebhookEndpointRow } from '../webhooks/store/webhook-endpoints.ts';
import { findSettings, removeSettings } from '../webhooks/store/webhook-settings.ts';
import { requestEndedEntries } from '../resellers/join-requests.ts';
import { leaveEntries } from '../resellers/leave-reseller.ts';
import { originOf } from '../webhooks/webhook-target.ts';

/** What acts for an account, or is told of it, without its password: its own and that of its sandbox. */
interface AccountAccess {
  /** The account and its sandbox. */
  readonly accounts: readonly AccountId[];
  readonly keys: readonly ApiKeyRow[];
  readonly endpoints: readonly WebhookEndpointRow[];
  /** The account-level URLs. */
  readonly urls: readonly { readonly accountId: AccountId; readonly url: string }[];
  /** The reseller whose member the account is. */
  readonly reseller: AccountId | null;
  /** The user at the marketplace that the account is connected as. */
  readonly marketplaceUserId: string | null;
}

/** Reads within a transaction, so that what it reads is what {@link revokeAccess} takes back. */
export async function readAccess(
  store: StoreConnection,
  account: AccountId,
  session?: Session,
): Promise<AccountAccess> {
  const sandbox = await findSandboxOf(store, account, session);
  const own = await readOwnAccess(store, account, session);
  const ofSandbox = sandbox === null ? null : await readOwnAccess(store, sandbox, session);
  const membership = await findConnectionOfMember(store, account, session);
  const connection = await findMarketplaceConnection(store, account, session);
  return {
    accounts: sandbox === null ? [account] : [account, sandbox],
    keys: [...own.keys, ...(ofSandbox?.keys ?? [])],
    endpoints: [...own.endpoints, ...(ofSandbox?.endpoints ?? [])],
    urls: [...own.urls, ...(ofSandbox?.urls ?? [])],
    reseller: membership?.resellerAccountId ?? null,
    marketplaceUserId: connection === null || connection.state === 'removed' ? null : connection.marketplaceUserId,
  };
}

async function readOwnAccess(
  store: StoreConnection,
  accountId: AccountId,
  session: Session | undefined,
): Promise<Pick<AccountAccess, 'keys' | 'endpoints' | 'urls'>> {
  const keys = await listActiveKeys(store, accountId, session);
  const endpoints = await listEndpoints(store, accountId, session);
  const url = (await findSettings(store, accountId, session))?.url ?? null;
  return { keys, endpoints, urls: url === null ? [] : [{ accountId, url }] };
}

export async function describeAccess(
  store: StoreConnection,
  { accounts: [account], keys, endpoints, urls, reseller, marketplaceUserId }: AccountAccess,
): Promise<readonly AccessGrant[]> {
  const page = reseller === null ? null : await findProfile(store, reseller);
  const targets = [...endpoints, ...urls].map(({ accountId, url }) => ({
    kind: 'webhook' as const,
    name: originOf(url),
    isTest: accountId !== account,
  }));
  return [
    ...keys.map(({ prefix }) => ({ kind: 'api_key' as const, name: prefix, isTest: apiKeyModeOf(prefix) === 'test' })),
    ...targets,
    ...(reseller === null ? [] : [{ kind: 'membership' as const, name: page?.displayName ?? reseller, isTest: false }]),
    ...(marketplaceUserId === null ? [] : [{ kind: 'marketplace' as const, name: marketplaceUserId, isTest: false }]),
  ];
}

interface Revocation {
  readonly actor: AuditActor;
  readonly at: Date;
  readonly session: Session;
}

/**
 * Part of a transaction: takes back all access, with an entry in the log for each. Whatever makes access takes the turn of its
 * account too, and confirms its own credential then: so none is left that was being made meanwhile.
 */
export async function revokeAccess(
  store: StoreConnection,
  account: AccountId,
  { actor, at, session }: Revocation,
): Promise<AccountAccess> {
  const sandbox = await findSandboxOf(store, account, session);
  for (const accountId of sandbox === null ? [account] : [account, sandbox])
    await runExclusive(store, accountId, session);
  const access = await readAccess(store, account, session);
  for (const accountId of access.accounts) {
    await revokeKeys(store, accountId, { at, session });
    await removeEndpoints(store, accountId, session);
    // With its secret, with which the squatter could sign events for a URL that the owner sets later.
    await removeSettings(store, accountId, session);
  }
  await leaveWithin(store, account, {
    now: () => at,
    session,
    audit: (membership) => leaveEntries(actor, membership, at),
  });
  // A reseller might approve it later, and then have the orders.
  const request = await findJoinRequest(store, account, session);
  if (request !== null) {
    await removeJoinRequest(store, account, session);
    await recordAudits(store, requestEndedEntries({ side: 'member', actor }, request, at), session);
  }
  await removeMarketplaceConnection(store, account, { now: at, session });
  await recordAudits(store, revokedEntries(access, { accountId: account, actor, at }), session);
  return access;
}

function revokedEntries(
  { keys, endpoints, urls, marketplaceUserId }: AccountAccess,
  about: Pick<AuditEntry, 'accountId' | 'actor' | 'at'>,
): AuditEntry[] {
  return [
    ...keys.map(({ _id: keyId, name, prefix }) => ({
      ...about,
      kind: 'api_key_revoked' as const,
      details: { keyId, name, prefix },
    })),
    ...endpoints.map(({ _id: webhookId, url }) => ({
      ...about,
      kind: 'webhook_deleted' as const,
      details: { webhookId, origin: originOf(url) },
    })),
    ...urls.map(() => ({ ...about, kind: 'webhook_url_changed' as const, details: { origin: null } })),
    ...(marketplaceUserId === null ? [] : [{ ...about, kind: 'marketplace_removed' as const, details: {} }]),
  ];
}

/** Part of a transaction: a token with which the reader of a mail to `email` may take all access back. */
export async function offerRevocation(
  store: StoreConnection,
  { _id: accountId, email, passwordNumber = 0 }: Pick<AccountRow, '_id' | 'email' | 'passwordNumber'>,
  { at, session }: { readonly at: Date; readonly session: Session },
): Promise<string> {
  const token = newLinkToken();
  const expiresAt = new Date(at.getTime() + linkMs.revoke_access);
  const row = {
    _id: hashLinkToken(token),
    kind: 'revoke_access',
    accountId,
    email,
    passwordNumber,
    expiresAt,
  } as const;
  await insertLink(store, row, session);
  return token;
}
