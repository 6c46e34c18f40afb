import type { StoreConnection } from '../../../platform/database/connection.ts';

/** Every field of the database that holds a ciphertext. A new field must be added, or its encryption key can never be retired. */
export const encryptedFields = [
  { collection: 'webhook_endpoints', field: 'secretEncrypted' },
  { collection: 'webhook_settings', field: 'secretEncrypted' },
  { collection: 'marketplace_connections', field: 'tokenEncrypted' },
  { collection: 'idempotency_keys', field: 'answerEncrypted' },
] as const;

export type EncryptedField = (typeof encryptedFields)[number];

export interface EncryptedValue {
  readonly rowId: string;
  readonly encrypted: string;
}

interface Row {
  readonly _id: string;
  readonly [field: string]: unknown;
}

/** The values after the id `after`, ordered by id. Rows without a value (a removed token) are left out. */
export async function listEncrypted(
  store: StoreConnection,
  { collection, field }: EncryptedField,
  page: { after: string; limit: number },
): Promise<EncryptedValue[]> {
  const rows = await store.connection
    .collection<Row>(collection)
    .find({ _id: { $gt: page.after }, [field]: { $type: 'string', $ne: '' } }, { projection: { [field]: 1 } })
    .sort({ _id: 1 })
    .limit(page.limit)
    .toArray();
  return rows.map((row) => ({ rowId: row._id, encrypted: String(row[field]) }));
}

/** Returns false when nothing was replaced: a value that has changed since it was read is newer, and stays. */
export async function replaceEncrypted(
  store: StoreConnection,
  { collection, field }: EncryptedField,
  { rowId, encrypted, replacement }: EncryptedValue & { readonly replacement: string },
): Promise<boolean> {
  const result = await store.connection
    .collection<Row>(collection)
    .updateOne({ _id: rowId, [field]: encrypted }, { $set: { [field]: replacement } });
  return result.modifiedCount === 1;
}
