import type { AuditLog } from '../../../../../client/generated/types.gen.ts';

export type AuditEntry = AuditLog['entries'][number];
export type AuditKind = AuditEntry['kind'];
export type AuditActorKind = AuditEntry['actor']['kind'];

/** Grouped by subject, in the order of the filter. */
export const auditKinds = [
  // the account and its sessions
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
  'account_suspended',
  'account_resumed',
  'operator_granted',
  'operator_revoked',
  // keys and webhooks
  'api_key_generated',
  'api_key_revoked',
  'webhook_created',
  'webhook_changed',
  'webhook_enabled',
  'webhook_disabled',
  'webhook_deleted',
  'webhook_secret_rotated',
  'webhook_url_changed',
  'webhook_url_secret_generated',
  'webhook_url_secret_rotated',
  'test_event_sent',
  'redelivery_requested',
  'recovery_requested',
  // the marketplace
  'marketplace_connected',
  'marketplace_reconnected',
  'marketplace_expired',
  'marketplace_removed',
  'listing_defaults_changed',
  // resellers and members
  'reseller_agreement_granted',
  'reseller_agreement_ended',
  'profile_changed',
  'members_invited',
  'invitation_withdrawn',
  'member_joined',
  'member_renamed',
  'order_sharing_changed',
  'member_left',
  // the subscription
  'checkout_started',
  'subscription_changed',
  // many items at once
  'bulk_sync_accepted',
  'bulk_sync_cancelled',
  // buyers
  'buyer_read',
  'buyer_erased',
  // an item
  'created',
  'updated',
  'price_changed',
  'status_changed',
  'quantity_changed',
  'publish_requested',
  'retry_requested',
  'deleted',
  'images_ready',
  'enriched',
  'published',
  'repriced',
  'change_refused',
  'taken_down',
  'take_down_refused',
  'ended',
  'relisted',
  'sold',
  'paid',
  'order_shipped',
  'order_completed',
  'order_cancelled',
  'waiting',
  'given_up',
] as const satisfies readonly AuditKind[];

export const auditActors = [
  'dashboard',
  'api_key',
  'reseller',
  'member',
  'service',
  'marketplace',
  'payments',
  'operator',
] as const satisfies readonly AuditActorKind[];
