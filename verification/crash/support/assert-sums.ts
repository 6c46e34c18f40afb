import type { ExecutionContext } from 'ava';
import { describeAnalytics } from '../../../features/partner/rules/analytics.ts';
import { readItemCounts } from '../../../features/items/store/inventory-counts.ts';
import { readOrderSums } from '../../../features/orders/store/order-sums.ts';
import { rebuildItemCounts, rebuildOrderSums } from '../../../features/orders/store/rebuild-sums.ts';
import { expectedAnalytics } from '../../../test/support/expected-analytics.ts';
import { until } from '../../../test/support/until.ts';
import type { System } from './system.ts';

/** The kept sums are those of all rows, whenever the process died that keeps them. */
export async function assertSums(t: ExecutionContext, { foundation, accountId }: System): Promise<void> {
  const { store } = foundation;
  const items = store.connection.collection('items');
  await until(
    'every item is counted',
    async () => (await items.countDocuments({ accountId, isUncounted: true })) === 0,
  );
  t.is(await rebuildItemCounts(store, accountId, { dryRun: true }), 0, 'counts of items');
  t.is(await rebuildOrderSums(store, accountId, { dryRun: true }), 0, 'sums of orders');
  const now = new Date();
  const shown: object = describeAnalytics(
    await readItemCounts(store, accountId),
    await readOrderSums(store, accountId),
    now,
  );
  t.deepEqual(shown, await expectedAnalytics(store, accountId, now), 'analytics');
}
