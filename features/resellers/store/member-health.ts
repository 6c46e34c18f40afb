import type { AccountId } from '../../rules/ids.ts';
import { targetKeyOf } from '../../webhooks/rules/delivery.ts';
import { rowsOf, type StoreConnection } from '../../../platform/database/connection.ts';
import { deliveryRows } from '../../webhooks/store/deliveries.ts';
import { itemCollection } from '../../items/store/item-collection.ts';
import { marketplaceConnections } from '../../listings/store/marketplace-connections.ts';
import { orderRows } from '../../orders/store/orders.ts';
import { webhookEndpoints } from '../../webhooks/store/webhook-endpoints.ts';

// The state of a reseller's members. Each function asks for all given members at once, so the number of queries does not grow
// with them. A member without such rows is absent from the answer. The caller must ensure that they are the reseller's members.

/** Whether the members' accounts on the marketplace are connected. By primary key. */
export async function connectionsOf(
  store: StoreConnection,
  members: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, 'connected' | 'expired'>> {
  const rows = await rowsOf(marketplaceConnections(store))
    .find({ _id: { $in: [...members] } }, { projection: { state: 1 } })
    .toArray();
  return new Map(rows.flatMap(({ _id, state }) => (state === 'removed' ? [] : [[_id, state]])));
}

/** Items with a blocked reason, by member. A partial index holds these items alone, so the cost is their number. */
export async function blockedItemsOf(
  store: StoreConnection,
  members: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, number>> {
  const rows = await itemCollection(store)
    .aggregate<Counted>([
      { $match: { accountId: { $in: [...members] }, blockedReason: { $type: 'string' } } },
      { $group: { _id: '$accountId', count: { $sum: 1 } } },
    ])
    .toArray();
  return countsOf(rows);
}

/** Events about a member that the reseller's own endpoints have missed. The member's own endpoints are not counted. */
export async function missedOf(
  store: StoreConnection,
  reseller: AccountId,
  members: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, number>> {
  const endpoints = await rowsOf(webhookEndpoints(store))
    .find({ accountId: reseller, scope: 'members' }, { projection: { _id: 1 } })
    .toArray();
  const targets = endpoints.map(({ _id }) => targetKeyOf({ accountId: reseller, endpointId: _id }));
  const rows = await deliveryRows(store)
    .aggregate<Counted>([
      {
        $match: { target: { $in: targets }, accountId: reseller, missed: true, aboutAccountId: { $in: [...members] } },
      },
      { $group: { _id: '$aboutAccountId', count: { $sum: 1 } } },
    ])
    .toArray();
  return countsOf(rows);
}

export interface Sales {
  readonly orders: number;
  readonly amountOre: number;
}

/** Completed orders recorded since then and sold while the account was this reseller's member. Money in öre. */
export async function salesOf(
  store: StoreConnection,
  reseller: AccountId,
  { members, since }: { readonly members: readonly AccountId[]; readonly since: Date },
): Promise<ReadonlyMap<AccountId, Sales>> {
  const rows = await rowsOf(orderRows(store))
    .aggregate<Sales & { readonly _id: AccountId }>([
      { $match: { accountId: { $in: [...members] }, state: 'completed', createdAt: { $gte: since } } },
      { $match: { 'commission.resellerAccountId': reseller } },
      { $group: { _id: '$accountId', orders: { $sum: 1 }, amountOre: { $sum: '$amountOre' } } },
    ])
    .toArray();
  return new Map(rows.map(({ _id, orders, amountOre }) => [_id, { orders, amountOre }]));
}

interface Counted {
  readonly _id: AccountId;
  readonly count: number;
}

const countsOf = (rows: readonly Counted[]): ReadonlyMap<AccountId, number> =>
  new Map(rows.map(({ _id, count }) => [_id, count]));
