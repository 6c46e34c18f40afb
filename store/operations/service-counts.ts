import { bulkSyncs } from '../bulk-syncs/bulk-syncs.ts';
import type { StoreConnection } from '../database/connection.ts';
import { deliveriesOf } from '../deliveries/deliveries.ts';
import { itemCollection } from '../items/items.ts';
import { marketplaceConnections } from '../marketplace/marketplace-connections.ts';
import { webhookEndpoints } from '../webhooks/webhook-endpoints.ts';

/** Counts over all accounts of the service: for its operator, never for a partner. */
export interface ServiceCounts {
  readonly itemsOwed: number;
  /** Since when the oldest work is due that waits for nothing. */
  readonly oldestOwedAt: Date | null;
  /** Items that wait, by `processing.waitingFor`. */
  readonly itemsWaiting: ReadonlyMap<string, number>;
  readonly backlog: number;
  readonly oldestBacklogAt: Date | null;
  readonly deliveriesUnfinished: number;
  readonly oldestDeliveryAt: Date | null;
  readonly endpointsDisabled: number;
  readonly endpointsActive: number;
  readonly bulkSyncsUnfinished: number;
  readonly oldestBulkSyncAt: Date | null;
  readonly connectionsExpired: number;
  readonly connectionsConnected: number;
}

/** Counts stop here: a higher number has no further use. */
const countMax = 10_000;
/** Most documents that are read to find an age. */
const lookedAtMax = 1_000;
const isDate = { $type: 'date' } as const;
/** Low priority: a query that takes longer is left out of this round. */
const gently = { maxTimeMS: 5_000, readPreference: 'secondaryPreferred' } as const;

/** Spares partners' calls: the queries run one after another, and read index keys or a bounded number of documents. */
export async function readServiceCounts(store: StoreConnection): Promise<ServiceCounts> {
  return {
    ...(await countOwed(store)),
    ...(await countBacklog(store)),
    ...(await countDeliveries(store)),
    ...(await countEndpoints(store)),
    ...(await countBulkSyncs(store)),
    ...(await countConnections(store)),
  };
}

const limited = { limit: countMax, ...gently } as const;

async function countOwed(
  store: StoreConnection,
): Promise<Pick<ServiceCounts, 'itemsOwed' | 'oldestOwedAt' | 'itemsWaiting'>> {
  const items = itemCollection(store);
  const itemsOwed = await items.countDocuments({ nextNudgeAt: isDate }, limited);
  // Waiting items sort last: they are due an hour ahead or more.
  const projection = { owedSince: 1, acceptedAt: 1, updatedAt: 1, 'processing.waitingFor': 1 } as const;
  const soonest = await items
    .find({ nextNudgeAt: isDate }, { projection, ...gently })
    .sort({ nextNudgeAt: 1 })
    .limit(lookedAtMax)
    .toArray();
  const atWork = soonest.filter(({ processing }) => processing.waitingFor === null);
  const waiting = await items
    .aggregate<{ _id: string; count: number }>(
      [
        { $match: { 'processing.waitingFor': { $type: 'string' } } },
        { $limit: countMax },
        { $group: { _id: '$processing.waitingFor', count: { $sum: 1 } } },
      ],
      gently,
    )
    .toArray();
  return {
    itemsOwed,
    oldestOwedAt: oldestOf(atWork.map(({ owedSince, acceptedAt, updatedAt }) => owedSince ?? acceptedAt ?? updatedAt)),
    itemsWaiting: new Map(waiting.map(({ _id, count }) => [_id, count])),
  };
}

async function countBacklog(store: StoreConnection): Promise<Pick<ServiceCounts, 'backlog' | 'oldestBacklogAt'>> {
  const items = itemCollection(store);
  const inBacklog = { backlogAt: isDate };
  const hint = { accountId: 1, backlogAt: 1 } as const;
  const backlog = await items.countDocuments(inBacklog, { ...limited, hint });
  const rows = await items
    .find(inBacklog, { projection: { _id: 0, backlogAt: 1 }, hint, ...gently })
    .limit(lookedAtMax)
    .toArray();
  return { backlog, oldestBacklogAt: oldestOf(rows.flatMap((row) => row.backlogAt ?? [])) };
}

async function countDeliveries(
  store: StoreConnection,
): Promise<Pick<ServiceCounts, 'deliveriesUnfinished' | 'oldestDeliveryAt'>> {
  const deliveries = deliveriesOf(store).collection;
  // `$gt` lets the query use the index of due deliveries.
  const unfinished = { state: 'pending', nextAttemptAt: { $gt: new Date(0) } };
  const deliveriesUnfinished = await deliveries.countDocuments(unfinished, limited);
  const rows = await deliveries
    .find<{ createdAt: Date }>(unfinished, { projection: { createdAt: 1 }, ...gently })
    .sort({ nextAttemptAt: 1 })
    .limit(lookedAtMax)
    .toArray();
  return { deliveriesUnfinished, oldestDeliveryAt: oldestOf(rows.map(({ createdAt }) => createdAt)) };
}

async function countEndpoints(
  store: StoreConnection,
): Promise<Pick<ServiceCounts, 'endpointsActive' | 'endpointsDisabled'>> {
  const endpoints = webhookEndpoints(store).collection;
  const endpointsDisabled = await endpoints.countDocuments({ active: false }, limited);
  const endpointsActive = await endpoints.countDocuments({ active: true }, limited);
  return { endpointsActive, endpointsDisabled };
}

async function countBulkSyncs(
  store: StoreConnection,
): Promise<Pick<ServiceCounts, 'bulkSyncsUnfinished' | 'oldestBulkSyncAt'>> {
  const bulks = bulkSyncs(store).collection;
  const unfinished = { nextLookAt: isDate };
  const bulkSyncsUnfinished = await bulks.countDocuments(unfinished, limited);
  const rows = await bulks
    .find<{ acceptedAt: Date }>(unfinished, { projection: { acceptedAt: 1 }, ...gently })
    .sort({ nextLookAt: 1 })
    .limit(lookedAtMax)
    .toArray();
  return { bulkSyncsUnfinished, oldestBulkSyncAt: oldestOf(rows.map(({ acceptedAt }) => acceptedAt)) };
}

async function countConnections(
  store: StoreConnection,
): Promise<Pick<ServiceCounts, 'connectionsConnected' | 'connectionsExpired'>> {
  const connections = marketplaceConnections(store).collection;
  const connectionsConnected = await connections.countDocuments({ state: 'connected' }, limited);
  const connectionsExpired = await connections.countDocuments({ state: 'expired' }, limited);
  return { connectionsConnected, connectionsExpired };
}

const oldestOf = (dates: readonly Date[]): Date | null =>
  dates.length === 0 ? null : new Date(Math.min(...dates.map((date) => date.getTime())));
