import type { AccountId } from '../rules/ids.ts';
import { summarisedMs, type WeeklySummary } from './rules/weekly-summary.ts';
import { sekFromOre } from '../rules/money.ts';
import { targetKeyOf } from '../webhooks/rules/delivery.ts';
import { findAccount } from '../accounts/store/accounts.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { countMissed } from '../webhooks/store/missed-deliveries.ts';
import { readItemCounts } from '../items/store/inventory-counts.ts';
import { insertMail } from './store/mails.ts';
import { countOrdersToShip, sumOrdersSince } from '../orders/store/order-list.ts';
import { blockedItemsOf } from '../resellers/store/member-health.ts';
import { listEndpoints } from '../webhooks/store/webhook-endpoints.ts';
import { nextSummary } from './account-mail.ts';

/**
 * Each summary stores its successor before it is sent, as long as the account wants summaries. No other process
 * schedules them.
 */
export async function storeNextSummary(store: StoreConnection, account: AccountId, now: Date): Promise<void> {
  const row = await findAccount(store, account);
  if (row?.notices?.weeklySummary === true) await insertMail(store, nextSummary(account, now));
}

/** The figures of the seven days before `until`: a fixed number of queries by index. */
export async function readSummary(store: StoreConnection, account: AccountId, until: Date): Promise<WeeklySummary> {
  const since = new Date(until.getTime() - summarisedMs);
  const [sold, counts, blocked, missedEvents, ordersToShip] = await Promise.all([
    sumOrdersSince(store, account, since),
    readItemCounts(store, [account]),
    blockedItemsOf(store, [account]),
    countMissedOf(store, account, { since, until }),
    countOrdersToShip(store, account),
  ]);
  return {
    orders: sold.orders,
    amountKronor: sekFromOre(sold.amountOre),
    activeItems: counts.active,
    blockedItems: blocked.get(account) ?? 0,
    missedEvents,
    ordersToShip,
  };
}

async function countMissedOf(
  store: StoreConnection,
  accountId: AccountId,
  range: { readonly since: Date; readonly until: Date },
): Promise<number> {
  const endpoints = await listEndpoints(store, accountId);
  const targets = [null, ...endpoints.map(({ _id }) => _id)].map((endpointId) =>
    targetKeyOf({ accountId, endpointId }),
  );
  const counts = await Promise.all(targets.map((target) => countMissed(store, { target, accountId, ...range })));
  return counts.reduce((sum, count) => sum + count, 0);
}
