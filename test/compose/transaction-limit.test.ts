import test from 'ava';
import { warnOfLongTransactions } from '../../compose/foundation.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { readTransactionLimit } from '../../platform/database/transaction-limit.ts';
import { withDatabase } from '../support/with-database.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

async function warningsAt(read: () => Promise<number | null>): Promise<unknown[]> {
  const warned: unknown[] = [];
  await warnOfLongTransactions(store, { warn: (...told: unknown[]) => void warned.push(told) }, read);
  return warned;
}

test('a server that ends a dead transaction after 5 seconds is started without a word', async (t) => {
  t.deepEqual(await warningsAt(() => Promise.resolve(5)), []);
});

test('a start warns of a server that keeps the locks of a dead transaction longer, or does not say how long', async (t) => {
  t.deepEqual(await warningsAt(() => Promise.resolve(60)), [
    [{ transactionLifetimeLimitSeconds: 60, wanted: 5 }, 'database.transaction_limit_long'],
  ]);
  t.deepEqual(await warningsAt(() => Promise.resolve(null)), [
    [{ transactionLifetimeLimitSeconds: null, wanted: 5 }, 'database.transaction_limit_unknown'],
  ]);
});

test('the limit is read of the server', async (t) => {
  t.true(Number(await readTransactionLimit(store)) > 0);
});
