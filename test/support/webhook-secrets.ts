import type { Foundation } from '../../compose/foundation.ts';
import { endpointId, type AccountId } from '../../features/rules/ids.ts';
import { secretContexts } from '../../features/rules/secret-contexts.ts';
import { createEncryption } from '../../platform/security/encryption.ts';

/**
 * Reads the secrets with which deliveries for an account's targets may have been signed. Each call adds those of now: a rotated
 * secret signs what is sent from then on, and what the old one signed stays signed.
 */
export function webhookSecretsOf({ config, store }: Foundation, account: AccountId): () => Promise<readonly string[]> {
  const encryption = createEncryption(config.secrets.encryptionKeys);
  const rows = (name: string, filter: object) =>
    store.connection.collection<{ _id: string; secretEncrypted: string }>(name).find(filter).toArray();
  const known = new Set<string>();
  return async () => {
    const endpoints = await rows('webhook_endpoints', { accountId: account });
    const settings = await rows('webhook_settings', { _id: account });
    for (const { _id, secretEncrypted } of endpoints)
      known.add(encryption.decrypt(secretEncrypted, secretContexts.webhookEndpoint(endpointId(_id))));
    for (const { secretEncrypted } of settings)
      known.add(encryption.decrypt(secretEncrypted, secretContexts.webhookSettings(account)));
    return [...known];
  };
}
