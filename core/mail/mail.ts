import type { AccountId } from '../ids.ts';

export const mailLanguages = ['sv', 'en'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** Where the account has chosen none. */
export const usualLanguage: MailLanguage = 'sv';

/**
 * A mail as it is stored until it is sent: what it says, never a link. A link's token is made when the mail is sent, so the database
 * holds a hash of it at most.
 */
export type Mail =
  /** Asked for with an address alone: whether it has an account is looked up when the mail is due. */
  | { readonly kind: 'password_reset'; readonly email: string }
  /** To the address that is to be confirmed. Not sent when the password has changed since. */
  | {
      readonly kind: 'confirm_address';
      readonly accountId: AccountId;
      readonly email: string;
      readonly passwordNumber: number;
    }
  | { readonly kind: 'password_changed'; readonly accountId: AccountId }
  | { readonly kind: 'notice'; readonly accountId: AccountId; readonly notice: Notice }
  /** To somebody who has no account, as a rule. `accountId` is the reseller that invites. */
  | {
      readonly kind: 'invitation';
      readonly accountId: AccountId;
      readonly invitationId: string;
      readonly email: string;
    }
  /** Of the seven days before `until`, an ISO time. What it tells is read when it is sent. */
  | { readonly kind: 'weekly_summary'; readonly accountId: AccountId; readonly until: string }
  /** To the former address. */
  | { readonly kind: 'address_changed'; readonly accountId: AccountId; readonly email: string };

const hourMs = 3_600_000;

/** How long a mail is tried. Later it would only confuse: its reader has asked again, or has seen it in the dashboard. */
export const triedMs: Readonly<Record<Mail['kind'], number>> = {
  password_reset: hourMs,
  confirm_address: 24 * hourMs,
  password_changed: 72 * hourMs,
  address_changed: 72 * hourMs,
  notice: 72 * hourMs,
  weekly_summary: 24 * hourMs,
  invitation: 72 * hourMs,
};

/** How long a link works, from when its mail was sent. */
export const linkMs = { password_reset: hourMs, confirm_address: 24 * hourMs } as const;
export type LinkKind = keyof typeof linkMs;

/** An occurrence that an account is told of by mail. */
export type Notice =
  | { readonly what: 'webhook_disabled'; readonly webhookId: string; readonly origin: string }
  | { readonly what: 'token_expired' }
  | { readonly what: 'renewal_failed' }
  | { readonly what: 'sale'; readonly externalId: string; readonly priceKronor: number };

/** What an account wants to be told of. A failed renewal is always told, because a service ends that is paid for. */
export interface NoticeChoice {
  readonly webhookDisabled: boolean;
  readonly tokenExpired: boolean;
  readonly sale: boolean;
  readonly weeklySummary: boolean;
}

/** Of an account that has chosen nothing: only what stops its work. */
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
      return choice.tokenExpired;
    case 'sale':
      return choice.sale;
    case 'renewal_failed':
      return true;
  }
}

/** The page of the dashboard that shows it, below `/dashboard`. */
export function noticePage(notice: Notice): string {
  switch (notice.what) {
    case 'webhook_disabled':
      return `/webhooks/${notice.webhookId}`;
    case 'token_expired':
      return '/connection';
    case 'renewal_failed':
      return '/subscription';
    case 'sale':
      return `/items/${encodeURIComponent(notice.externalId)}`;
  }
}
