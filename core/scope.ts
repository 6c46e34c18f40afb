import type { AccountId, SessionId } from './ids.ts';

/**
 * What the caller proved to be with. `system` is the platform's own work (sweeps, workflows, the command line); `operator` is who
 * runs the service, by command line.
 */
export type Credential =
  | { readonly kind: 'api-key'; readonly keyId: string }
  | { readonly kind: 'session'; readonly sessionId: SessionId }
  | { readonly kind: 'system' }
  | { readonly kind: 'operator' };

/** Who acts for whom: every use case and store function that touches a partner's data takes it, or its account, first. */
export interface Scope {
  /** The account whose data is read or written: the member's when a reseller acts for it. */
  readonly accountId: AccountId;
  /** The account the credential belongs to; the same as `accountId` unless a reseller acts for a member. */
  readonly actingAccountId: AccountId;
  readonly credential: Credential;
  /** `X-Request-Id` of the call that asked for it, for logs and workflow memos. */
  readonly requestId?: string;
  /** Only of a call with an `Idempotency-Key`: the id of what it creates (protocol 21). */
  readonly reserved?: Reservation;
}

/** An id kept for one creation, over all attempts at it: what an attempt that died has created is found under it. */
export interface Reservation {
  readonly id: string;
  /** 1, and one more for each attempt that took an unfinished one over. */
  readonly attempt: number;
}
