export const accessKinds = ['api_key', 'webhook', 'membership', 'marketplace'] as const;

/** One thing that acts for an account, or is told of it, without its password. */
export interface AccessGrant {
  readonly kind: (typeof accessKinds)[number];
  /**
   * By what its owner tells it: the beginning of a key, the origin of a webhook, the page name of a reseller, the user id at the
   * marketplace. Never a text that a stranger could have chosen freely, because mails name it.
   */
  readonly name: string;
  /** It belongs to the account's sandbox. */
  readonly isTest: boolean;
}
