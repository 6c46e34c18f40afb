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
