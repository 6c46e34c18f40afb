import { setTimeout as pause } from 'node:timers/promises';
import { mongo, type ClientSession } from 'mongoose';
import { NotBegun } from '../concurrency/batcher.ts';
import type { StoreConnection } from './connection.ts';

/** Groups the reads and writes of one transaction. */
export type Session = ClientSession;

/** The driver alone would try for two minutes, and the rows of a dead process stay locked so long. */
const againMaxMs = 10_000;

/**
 * Runs `work` in one transaction, and again from its start after a conflict with another one. `work` may therefore run several
 * times: it must touch nothing but the database, through its session. Throws {@link NotBegun} when the conflicts do not end.
 */
export async function inTransaction<T>(
  store: StoreConnection,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const session = await store.connection.startSession();
  const until = performance.now() + againMaxMs;
  const once = (): Promise<T> => {
    tellEnd(session, false);
    if (performance.now() > until) throw new NotBegun(`others kept its rows for more than ${againMaxMs} ms`);
    return work(session);
  };
  try {
    const result = await session.withTransaction(once, { readConcern: { level: 'snapshot' } });
    tellEnd(session, true);
    return result;
  } finally {
    tellEnd(session, false);
    await session.endSession();
  }
}

type OnEnd = (isStored: boolean) => void;
const onEnds = new WeakMap<ClientSession, OnEnd[]>();

/** Has `act` called when the present try of {@link inTransaction} has ended: whether what it wrote is stored. */
export const whenEnded = (session: ClientSession, act: OnEnd): void => {
  onEnds.set(session, [...(onEnds.get(session) ?? []), act]);
};

function tellEnd(session: ClientSession, isStored: boolean): void {
  const acts = onEnds.get(session) ?? [];
  onEnds.delete(session);
  for (const act of acts) act(isStored);
}

/**
 * Runs `work` in one transaction. A conflict with another one is thrown, because the caller has another way to proceed. A commit
 * without an answer is sent again until it has one: what it stores is known then.
 */
export async function inTransactionOnce<T>(
  store: StoreConnection,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const session = await store.connection.startSession();
  try {
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    const result = await work(session);
    await commit(session);
    return result;
  } catch (error) {
    if (session.inTransaction()) await session.abortTransaction();
    throw error;
  } finally {
    await session.endSession();
  }
}

const [commitMaxMs, commitAgainMs] = [60_000, 100] as const;

async function commit(session: ClientSession): Promise<void> {
  const until = performance.now() + commitMaxMs;
  for (;;)
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      const isUnknown = error instanceof mongo.MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
      if (!isUnknown || performance.now() > until) throw error;
      await pause(commitAgainMs);
    }
}

/** Nothing of the transaction is stored, and the same may succeed at once: two transactions wrote one row, or the primary changed. */
export const isTransient = (error: unknown): boolean =>
  error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError');
