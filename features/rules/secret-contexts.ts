import type { AccountId, EndpointId } from './ids.ts';

/**
 * A ciphertext copied into another row does not decrypt there: each secret is bound to its row by the additional authenticated
 * data of its encryption. The writer and the reader of a secret both take that text from here.
 */
export const secretContexts = {
  webhookEndpoint: (id: EndpointId): string => `webhook-endpoint:${id}`,
  webhookSettings: (id: AccountId): string => `webhook-settings:${id}`,
  marketplaceToken: (id: AccountId): string => `marketplace-token:${id}`,
  marketplaceLogin: (id: string): string => `marketplace-login:${id}`,
  /** `id` is the row's id, a fingerprint of account, path and key. */
  idempotentAnswer: (id: string): string => `idempotent-answer:${id}`,
} as const;
