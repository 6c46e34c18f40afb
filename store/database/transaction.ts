import type { ClientSession } from 'mongoose';
import type { StoreConnection } from './connection.ts';

/** Joins the reads and writes of one transaction. */
export type Session = ClientSession;

/**
 * Runs `work` in one transaction, and again from its start after a conflict with another one. `work` may therefore run several
 * times: it must touch nothing but the database, through its session.
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
