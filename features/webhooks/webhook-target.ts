import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import type { AccountId, EndpointId } from '../rules/ids.ts';
import { targetKeyOf } from './rules/delivery.ts';
import { isAllowedHost, type AddressPolicy } from '../../platform/public-address-guard.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import type { Encryption } from '../../platform/security/encryption.ts';
import { maskWebhookSecret, newWebhookSecret } from './signature.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { findEndpoint } from './store/webhook-endpoints.ts';
import { findSettings } from './store/webhook-settings.ts';
import { hasResellerAgreement } from '../resellers/store/deals.ts';

/**
 * Refuses addresses that deliveries would never reach, and fragments; host names are resolved and checked at each connection.
 * Throws {@link Refusal} VALIDATION_FAILED. The schema has already ensured HTTPS, and that there are no credentials.
 */
export function checkTargetUrl(url: string | null | undefined, field: string, policy: AddressPolicy): void {
  if (url === null || url === undefined) return;
  if (url.includes('#')) throw validationFailed([problem(field, 'has_fragment')]);
  if (!isAllowedHost(new URL(url).hostname, policy)) throw validationFailed([problem(field, 'not_public')]);
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

/** One target of an account: an endpoint, or the account-level URL. */
export interface FoundTarget {
  readonly accountId: AccountId;
  readonly endpointId: EndpointId | null;
  /** Key in deliveries and recoveries. */
  readonly target: string;
  readonly scope: 'self' | 'members';
  readonly active: boolean;
}

/**
 * `endpointId` null: the account-level URL. Throws {@link Refusal} NOT_FOUND for an endpoint the account does not have, CONFLICT
 * without a URL.
 */
export async function findTarget(
  store: StoreConnection,
  accountId: AccountId,
  endpointId: EndpointId | null,
): Promise<FoundTarget> {
  const target = targetKeyOf({ accountId, endpointId });
  if (endpointId === null) {
    const settings = await findSettings(store, accountId);
    if (settings?.url == null) throw new Refusal('CONFLICT', 'The account has no webhook URL; set one first');
    return { accountId, endpointId, target, scope: 'self', active: true };
  }
  const endpoint = await findEndpoint(store, accountId, endpointId);
  if (endpoint === null) throw new Refusal('NOT_FOUND', 'No webhook endpoint with this id');
  return { accountId, endpointId, target, scope: endpoint.scope, active: endpoint.active };
}

/** The part of an address for logs, because paths and queries of webhook URLs are often as good as a password. */
export const originOf = (url: string): string => new URL(url).origin;

/** The host that is called, where the address writes it otherwise: letters beyond ASCII may look like those of another name. */
export function calledHostOf(url: string | null): { readonly calledHost?: string } {
  if (url === null) return {};
  const { host } = new URL(url);
  return url.toLowerCase().startsWith(`https://${host}`) ? {} : { calledHost: host };
}

/** A new signing secret, plain and stored; `secret` goes into one answer and nowhere else. */
export interface PreparedSecret {
  readonly secret: string;
  readonly stored: { readonly secretEncrypted: string; readonly secretHint: string };
}

/** `place` is one of `secretContexts`: the field that will hold the ciphertext. */
export function prepareSecret(encryption: Encryption, place: string): PreparedSecret {
  const secret = newWebhookSecret();
  return {
    secret,
    stored: { secretEncrypted: encryption.encrypt(secret, place), secretHint: maskWebhookSecret(secret) },
  };
}
