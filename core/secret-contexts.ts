import type { AccountId, EndpointId } from './ids.ts';

/**
 * What a stored secret is bound to (the additional authenticated data of its encryption): a ciphertext copied into another
 * row does not decrypt there. Both the writer and the reader of a secret take the words from here.
 */
export const secretContexts = {
  webhookEndpoint: (id: EndpointId): string => `webhook-endpoint:${id}`,
  webhookSettings: (id: AccountId): string => `webhook-settings:${id}`,
  marketplaceToken: (id: AccountId): string => `marketplace-token:${id}`,
  /** By the row's id, a fingerprint of account, path and key. */
  idempotentAnswer: (id: string): string => `idempotent-answer:${id}`,
} as const;
