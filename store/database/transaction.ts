import { mongo, type ClientSession } from 'mongoose';
import type { StoreConnection } from './connection.ts';

/** Groups the reads and writes of one transaction. */
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

/**
 * Runs `work` in one transaction. A conflict with another one is thrown, because the caller has another way to proceed.
 */
export async function inTransactionOnce<T>(
  store: StoreConnection,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const session = await store.connection.startSession();
  try {
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    const result = await work(session);
    await session.commitTransaction();
    return result;
  } catch (error) {
    if (session.inTransaction()) await session.abortTransaction();
    throw error;
  } finally {
    await session.endSession();
  }
}

/** Whether two transactions wrote the same row, and this one was ended for it. */
export const isConflict = (error: unknown): boolean => error instanceof mongo.MongoServerError && error.code === 112;
