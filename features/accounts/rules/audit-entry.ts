import type { AccountDetails, AccountFact } from '../../items/rules/history-facts.ts';
import type { AccountId } from '../../rules/ids.ts';
import { actorOf, theService, type Actor } from '../../items/rules/journal.ts';
import type { Scope } from '../../rules/scope.ts';

/** Actor of an audit entry: one of the item journal, or one that acts on accounts only. */
export type AuditActor = Omit<Actor, 'kind'> & { readonly kind: AuditActorKind };

/**
 * `operator`: the operator of the service, by command line. `member`: in a reseller's log, the account that joined or left it.
 * `payments`: the payment processor.
 */
export const auditActorKinds = [
  'api_key',
  'reseller',
  'dashboard',
  'service',
  'marketplace',
  'operator',
  'member',
  'payments',
] as const satisfies readonly (Actor['kind'] | 'member' | 'payments')[];
export type AuditActorKind = (typeof auditActorKinds)[number];

export const thePaymentProcessor: AuditActor = { ...theService, kind: 'payments' };

/** One event of an account's history. The partner gets it unchanged, so it never holds a secret or another account's data. */
export type AuditEntry = AccountFact & {
  /** The account whose log holds the entry. */
  readonly accountId: AccountId;
  readonly actor: AuditActor;
  readonly at: Date;
};

/** An entry in the log of the account that a call acts on. Its actor is the caller. */
export const auditBy = (scope: Scope, told: AccountFact & { readonly at: Date }): AuditEntry => ({
  accountId: scope.accountId,
  actor: actorOf(scope),
  ...told,
});

/** Kinds of entries about an account. The list is closed, so that a dashboard can give each kind its own words and icon. */
export const auditKinds = [
  'account_registered',
  'signed_in',
  'signed_out',
  'session_reuse_detected',
  'sessions_ended',
  'password_changed',
  'password_reset',
  'email_change_requested',
  'email_confirmed',
  'email_changed',
  'notices_changed',
  'api_key_generated',
  'api_key_revoked',
  'webhook_created',
  'webhook_changed',
  'webhook_deleted',
  'webhook_secret_rotated',
  'webhook_disabled',
  'webhook_enabled',
  'webhook_url_changed',
  'webhook_url_secret_generated',
  'webhook_url_secret_rotated',
  'test_event_sent',
  'redelivery_requested',
  'recovery_requested',
  'bulk_sync_accepted',
  'bulk_sync_cancelled',
  'marketplace_connected',
  'marketplace_reconnected',
  'marketplace_removed',
  'marketplace_expired',
  'listing_defaults_changed',
  'members_invited',
  'invitation_withdrawn',
  'join_requested',
  'join_request_ended',
  'member_joined',
  'member_left',
  'member_removed',
  'member_renamed',
  'order_sharing_changed',
  'order_voided',
  'buyer_read',
  'buyer_erased',
  'buyer_exported',
  'commission_confirmed',
  'reseller_agreement_granted',
  'reseller_agreement_ended',
  'profile_changed',
  'account_suspended',
  'account_resumed',
  'account_exported',
  'account_erased',
  'operator_granted',
  'operator_revoked',
  'checkout_started',
  'subscription_changed',
] as const satisfies readonly (keyof AccountDetails)[];
export type AuditKind = (typeof auditKinds)[number];
