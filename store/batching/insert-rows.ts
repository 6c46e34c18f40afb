import type { ClientSession } from 'mongoose';
import type { StoreConnection } from '../database/connection.ts';

export interface InsertOptions {
  readonly session: ClientSession;
  /** Whether those behind one that fails are left out. */
  readonly ordered: boolean;
}

/**
 * Inserts rows that our own code has made, as they are: mongoose's documents would cast each field of each once more, which takes
 * longer than all the rest of storing an event. What is undefined is left out.
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
