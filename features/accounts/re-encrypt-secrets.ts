import { accountId, endpointId } from '../rules/ids.ts';
import { secretContexts } from '../rules/secret-contexts.ts';
import { DecryptionFailed, keyIdOf, type Encryption } from '../../platform/security/encryption.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import {
  encryptedFields,
  listEncrypted,
  replaceEncrypted,
  type EncryptedField,
  type EncryptedValue,
} from './store/encrypted-fields.ts';

export interface SecretCount {
  readonly collection: string;
  /** Number of ciphertexts per key, before this run. */
  readonly byKeyId: Readonly<Record<string, number>>;
  /** Ciphertexts of an older key that were encrypted again with the newest; 0 in a dry run. */
  readonly reEncrypted: number;
  /** Rows changed by another process at the same moment; that process encrypted them with the newest key it holds. */
  readonly overtaken: number;
  /** Ciphertexts whose key is no longer configured, or that do not decrypt with it. They are not changed. */
  readonly unreadable: number;
}

interface Context {
  readonly store: StoreConnection;
  readonly encryption: Encryption;
}

const batchSize = 200;

/**
 * Encrypts every ciphertext of an older key again with the newest, so the older key can be removed. Each is one compare-and-set,
 * so partners may rotate their secrets meanwhile. The run may be stopped at any time and repeated: finished rows are skipped.
 * `dryRun` only counts.
 */
export async function reEncryptSecrets(
  context: Context,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<readonly SecretCount[]> {
  const counts: SecretCount[] = [];
  for (const field of encryptedFields) counts.push(await reEncryptField(context, field, dryRun));
  return counts;
}

/** The context that the writer of each ciphertext has bound it to. */
const placeOf: Readonly<Record<EncryptedField['collection'], (rowId: string) => string>> = {
  webhook_endpoints: (rowId) => secretContexts.webhookEndpoint(endpointId(rowId)),
  webhook_settings: (rowId) => secretContexts.webhookSettings(accountId(rowId)),
  marketplace_connections: (rowId) => secretContexts.marketplaceToken(accountId(rowId)),
  idempotency_keys: (rowId) => secretContexts.idempotentAnswer(rowId),
};

async function reEncryptField(context: Context, field: EncryptedField, dryRun: boolean): Promise<SecretCount> {
  const byKeyId: Record<string, number> = {};
  const outcomes = { reEncrypted: 0, overtaken: 0, unreadable: 0, newest: 0 };
  for (let after = ''; ;) {
    const page = await listEncrypted(context.store, field, { after, limit: batchSize });
    for (const value of page) {
      const keyId = keyIdOf(value.encrypted) ?? '?';
      byKeyId[keyId] = (byKeyId[keyId] ?? 0) + 1;
    }
    for (const outcome of await Promise.all(page.map((value) => reEncrypt(context, field, { value, dryRun }))))
      if (outcome !== 'outdated') outcomes[outcome] += 1;
    const last = page.at(-1);
    if (last === undefined || page.length < batchSize) break;
    after = last.rowId;
  }
  const { newest: _newest, ...counted } = outcomes;
  return { collection: field.collection, byKeyId, ...counted };
}

async function reEncrypt(
  { store, encryption }: Context,
  field: EncryptedField,
  { value, dryRun }: { value: EncryptedValue; dryRun: boolean },
): Promise<'newest' | 'outdated' | 'reEncrypted' | 'overtaken' | 'unreadable'> {
  const place = placeOf[field.collection](value.rowId);
  const plain = readable(() => encryption.decrypt(value.encrypted, place));
  if (plain === undefined) return 'unreadable';
  if (!encryption.isOutdated(value.encrypted)) return 'newest';
  if (dryRun) return 'outdated';
  const replacement = encryption.encrypt(plain, place);
  return (await replaceEncrypted(store, field, { ...value, replacement })) ? 'reEncrypted' : 'overtaken';
}

function readable(decrypt: () => string): string | undefined {
  try {
    return decrypt();
  } catch (error) {
    if (error instanceof DecryptionFailed) return undefined;
    throw error;
  }
}
