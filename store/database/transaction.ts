import type { ClientSession } from 'mongoose';
import type { StoreConnection } from './connection.ts';

/** What keeps the reads and writes of one transaction together. */
export type Session = ClientSession;

/**
 * Runs `work` in one transaction, again from its start when it meets another one. So `work` may run several times:
 * it touches nothing but the database, through the session it is given.
 */
export async function inTransaction<T>(
  store: StoreConnection,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const session = await store.connection.startSession();
  try {
    return await session.withTransaction(() => work(session), { readConcern: { level: 'snapshot' } });
  } finally {
    await session.endSession();
  }
}
