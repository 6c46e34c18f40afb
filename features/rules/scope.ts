import type { Trace } from './trace.ts';
import type { AccountId, SessionId } from './ids.ts';

/**
 * How the caller proved its identity. `system`: the platform's own work (relays, workflows, the command line). `operator`:
 * the operator of the service, by command line.
 */
export type Credential =
  /** `sandboxOf`: only of a test key, the account whose sandbox it acts as. */
  | { readonly kind: 'api-key'; readonly keyId: string; readonly sandboxOf?: AccountId }
  | { readonly kind: 'session'; readonly sessionId: SessionId }
  | { readonly kind: 'system' }
  | { readonly kind: 'operator'; readonly name?: string | undefined };

/** The acting account and the account it acts for. A function that touches a partner's data takes a scope or account first. */
export interface Scope {
  /** The account whose data is read or written: the member's when a reseller acts for it. */
  readonly accountId: AccountId;
  /** The account the credential belongs to; the same as `accountId` unless a reseller acts for a member. */
  readonly actingAccountId: AccountId;
  readonly credential: Credential;
  /** `X-Request-Id` of the call that asked for it, for logs and workflow memos. */
  readonly requestId?: string;
  /** Of that call. */
  readonly trace?: Trace;
  /** Only of a call with an `Idempotency-Key`: the id of what it creates (protocol 22). */
  readonly reserved?: ReservedId;
}

/** An API key, and the account that it belongs or belonged to. */
export interface KeyHolder {
  readonly accountId: AccountId;
  readonly keyId: string;
  /** The account is the sandbox of this one. */
  readonly sandboxOf?: AccountId;
}

/** The account whose limits a key's calls count against: a sandbox has none of its own. */
export const payerOf = ({ accountId, sandboxOf }: KeyHolder): AccountId => sandboxOf ?? accountId;

/** The same for any caller: a reseller pays for what it does for its members. */
export function payerOfScope(scope: Scope): AccountId {
  const holder = keyHolderOf(scope);
  return holder === undefined ? scope.actingAccountId : payerOf(holder);
}

/** undefined for a caller without a key. */
export const keyHolderOf = ({ actingAccountId, credential }: Scope): KeyHolder | undefined =>
  credential.kind === 'api-key'
    ? {
        accountId: actingAccountId,
        keyId: credential.keyId,
        ...(credential.sandboxOf !== undefined && { sandboxOf: credential.sandboxOf }),
      }
    : undefined;

/** An id reserved for one creation over all its attempts, so that a retry finds what a crashed attempt has created. */
export interface ReservedId {
  readonly id: string;
  /** 1 for the first attempt; each attempt that takes over an unfinished one adds 1. */
  readonly attempt: number;
}
