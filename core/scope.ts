import type { AccountId } from './ids.ts';

/** What the caller proved to be with. `system` is the platform's own work (sweeps, workflows, the command line). */
export type Credential =
  { readonly kind: 'api-key'; readonly keyId: string } | { readonly kind: 'session' } | { readonly kind: 'system' };

/** Who acts for whom: every use case and store function that touches a partner's data takes it, or its account, first. */
export interface Scope {
  /** The account whose data is read or written: the member's when a reseller acts for it. */
  readonly accountId: AccountId;
  /** The account the credential belongs to; the same as `accountId` unless a reseller acts for a member. */
  readonly actingAccountId: AccountId;
  readonly credential: Credential;
  /** `X-Request-Id` of the call that asked for it, for logs and workflow memos. */
  readonly requestId?: string;
}
