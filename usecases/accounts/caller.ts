import type { AuditActor } from '../../core/audit/audit-entry.ts';
import type { AccountId } from '../../core/ids.ts';

/** Who calls without a credential. */
export interface Caller {
  /** IP address. */
  readonly address: string;
  readonly requestId: string;
  /** What its program calls itself. */
  readonly userAgent?: string | undefined;
  /** The token of its device cookie, as it was sent. */
  readonly deviceToken?: string | undefined;
}

/** Whoever has shown that the account is theirs. */
export const ownerBy = (accountId: AccountId, { requestId }: Pick<Caller, 'requestId'>): AuditActor => ({
  kind: 'dashboard',
  accountId,
  keyId: null,
  requestId,
});
