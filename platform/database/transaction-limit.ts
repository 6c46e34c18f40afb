import type { StoreConnection } from './connection.ts';

/**
 * After how many seconds the server ends a transaction whose process was killed; null where the service may not ask. Until then the
 * rows of that transaction stay locked, and their writers get 503.
 */
export async function readTransactionLimit({ connection }: StoreConnection): Promise<number | null> {
  const name = 'transactionLifetimeLimitSeconds';
  const admin = connection.getClient().db('admin');
  const answer = await admin.command({ getParameter: 1, [name]: 1 }).catch(() => null);
  const limit: unknown = answer?.[name];
  return typeof limit === 'number' ? limit : null;
}
