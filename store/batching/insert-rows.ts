import type { ClientSession } from 'mongoose';
import type { StoreConnection } from '../database/connection.ts';

export interface InsertOptions {
  readonly session: ClientSession;
  /** Whether the rows behind a failed row are skipped. */
  readonly ordered: boolean;
}

/**
 * Inserts rows as our own code has made them: mongoose documents would cast each field again, which takes longer than the rest of
 * storing an event. Undefined fields are left out.
 */
export async function insertRows(
  store: StoreConnection,
  collection: string,
  { rows, session, ordered }: InsertOptions & { readonly rows: readonly { readonly _id: string }[] },
): Promise<void> {
  if (rows.length === 0) return;
  const options = { session, ordered, ignoreUndefined: true } as const;
  await store.connection.collection<{ _id: string }>(collection).insertMany([...rows], options);
}
