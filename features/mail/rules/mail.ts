import type { AccessGrant } from '../../accounts/rules/account-access.ts';
import type { AccountId } from '../../rules/ids.ts';

export const mailLanguages = ['sv', 'en'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** The language of an account that has chosen none. */
export const usualLanguage: MailLanguage = 'sv';

/**
 * A mail as it is stored until it is sent: its content without links. The token of a link is created when the mail is
 * sent, so the database holds at most its hash.
 */
export type Mail =
  /** Requested with an address alone; whether it has an account is looked up when the mail is due. */
  | { readonly kind: 'password_reset'; readonly email: string }
  /** Goes to the address that must be confirmed. Not sent when the password has changed since. */
  | {
      readonly kind: 'confirm_address';
      readonly accountId: AccountId;
      readonly email: string;
      readonly passwordNumber: number;
    }
  /** `revoked` and `active`: only after a reset by a mail, what it has taken back and what it has left. */
  | {
      readonly kind: 'password_changed';
      readonly accountId: AccountId;
      readonly revoked?: readonly AccessGrant[];
      readonly active?: readonly AccessGrant[];
    }
  | { readonly kind: 'notice'; readonly accountId: AccountId; readonly notice: Notice }
  /** Usually for a person without an account. `accountId` is the reseller that invites. */
  | {
      readonly kind: 'invitation';
      readonly accountId: AccountId;
      readonly invitationId: string;
      readonly email: string;
    }
  /** Covers the seven days before `until`, an ISO time. Its figures are read when it is sent. */
  | { readonly kind: 'weekly_summary'; readonly accountId: AccountId; readonly until: string }
  /** Goes to the former address. */
  | { readonly kind: 'address_changed'; readonly accountId: AccountId; readonly email: string };

const hourMs = 3_600_000;

/**
 * How long sending is retried. A later mail would confuse its reader, who has asked again or has seen the matter in the
 * dashboard.
 */
export const triedMs: Readonly<Record<Mail['kind'], number>> = {
  password_reset: hourMs,
  confirm_address: 24 * hourMs,
  password_changed: 72 * hourMs,
  address_changed: 72 * hourMs,
  notice: 72 * hourMs,
  weekly_summary: 24 * hourMs,
  invitation: 72 * hourMs,
};

/** How long a link works after its mail was sent. */
export const linkMs = { password_reset: hourMs, confirm_address: 24 * hourMs, revoke_access: 24 * hourMs } as const;
export type LinkKind = keyof typeof linkMs;

/** An occurrence that an account may be notified of by mail. */
export type Notice =
  | { readonly what: 'webhook_disabled'; readonly webhookId: string; readonly origin: string }
  | { readonly what: 'token_expired' }
  /** `endsAt`: ISO 8601. */
  | { readonly what: 'token_expires'; readonly endsAt: string }
  | { readonly what: 'renewal_failed' }
  | { readonly what: 'sale'; readonly externalId: string; readonly priceKronor: number };

/** Which notices an account wants. A failed renewal is always sent, because a paid service ends. */
export interface NoticeChoice {
  readonly webhookDisabled: boolean;
  readonly tokenExpired: boolean;
  readonly sale: boolean;
  readonly weeklySummary: boolean;
}

/** The default: only what stops the account's work. */
export const usualChoice: NoticeChoice = {
  webhookDisabled: true,
  tokenExpired: true,
  sale: false,
  weeklySummary: false,
};

export function isWanted({ what }: Notice, choice: NoticeChoice): boolean {
  switch (what) {
    case 'webhook_disabled':
      return choice.webhookDisabled;
    case 'token_expired':
    case 'token_expires':
      return choice.tokenExpired;
    case 'sale':
      return choice.sale;
    case 'renewal_failed':
      return true;
  }
}

/** The dashboard page of the notice, below `/dashboard`. */
export function noticePage(notice: Notice): string {
  switch (notice.what) {
    case 'webhook_disabled':
      return `/webhooks/${notice.webhookId}`;
    case 'token_expired':
    case 'token_expires':
      return '/connection';
    case 'renewal_failed':
      return '/subscription';
    case 'sale':
      return `/items/${encodeURIComponent(notice.externalId)}`;
  }
}
