import { restingReasons } from '../rules/reasons.ts';
import { bulkSyncs, unfinished } from '../../bulk-syncs/store/bulk-syncs.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { deliveryRows } from '../../webhooks/store/deliveries.ts';
import { atWorkMs, findOldestStart, owedItems } from '../../items/store/owed-items.ts';
import { itemCollection } from '../../items/store/item-collection.ts';
import { marketplaceConnections } from '../../listings/store/marketplace-connections.ts';
import { webhookEndpoints } from '../../webhooks/store/webhook-endpoints.ts';

/** Counts over all accounts of the service: for its operator, never for a partner. */
export interface ServiceCounts {
  readonly itemsOwed: number;
  /** Since when the oldest work without a wait has been due. */
  readonly oldestOwedAt: Date | null;
  /** Items that wait, by `processing.waitingFor`. */
  readonly itemsWaiting: ReadonlyMap<string, number>;
  /** Items that rest with a problem, by reason. */
  readonly itemsResting: ReadonlyMap<string, number>;
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

/** Counting stops here, because higher numbers have no further use. */
const countMax = 10_000;
/** Most documents that are read to find an age. */
const lookedAtMax = 1_000;
/** Low priority: a query that takes longer is skipped in this round. */
const gently = { maxTimeMS: 5_000, readPreference: 'secondaryPreferred' } as const;

/** Spares partners' calls: the queries run one after another, and read index keys or a bounded number of documents. */
export async function readServiceCounts(store: StoreConnection): Promise<ServiceCounts> {
  return {
    ...(await countOwed(store)),
    ...(await countResting(store)),
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
  const itemsOwed = await items.countDocuments(owedItems(), limited);
  // The row of a waiting or resting workflow is due again an hour later or more.
  const soon = owedItems(new Date(store.clock.now().getTime() + atWorkMs));
  const projection = { owedSince: 1, acceptedAt: 1, updatedAt: 1, 'processing.waitingFor': 1 } as const;
  const options = { projection, limit: lookedAtMax, ...gently };
  const working = await items.find(soon, options).toArray();
  const atWork = working.filter(({ processing }) => processing.waitingFor === null);
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
    oldestOwedAt: oldestOf([
      ...atWork.map(({ owedSince, acceptedAt, updatedAt }) => owedSince ?? acceptedAt ?? updatedAt),
    ]),
    itemsWaiting: new Map(waiting.map(({ _id, count }) => [_id, count])),
  };
}

/** Reads index keys alone. */
async function countResting(store: StoreConnection): Promise<Pick<ServiceCounts, 'itemsResting'>> {
  const counts = await itemCollection(store)
    .aggregate<{ _id: string; count: number }>(
      [
        { $match: { blockedReason: { $type: 'string', $in: [...restingReasons] } } },
        { $limit: countMax },
        { $group: { _id: '$blockedReason', count: { $sum: 1 } } },
      ],
      gently,
    )
    .toArray();
  const found = new Map(counts.map(({ _id, count }) => [_id, count]));
  return { itemsResting: new Map(restingReasons.map((reason) => [reason, found.get(reason) ?? 0])) };
}

async function countBacklog(store: StoreConnection): Promise<Pick<ServiceCounts, 'backlog' | 'oldestBacklogAt'>> {
  const backlog = await itemCollection(store).countDocuments({ bulk: 'waits' }, limited);
  return { backlog, oldestBacklogAt: await findOldestStart(store, 'waits') };
}

async function countDeliveries(
  store: StoreConnection,
): Promise<Pick<ServiceCounts, 'deliveriesUnfinished' | 'oldestDeliveryAt'>> {
  const deliveries = deliveryRows(store);
  const deliveriesUnfinished = await deliveries.countDocuments({ waits: { $in: [true, false] } }, limited);
  const options = { projection: { createdAt: 1 }, limit: lookedAtMax, ...gently } as const;
  // What waits has the date of its making; the others are few for each target.
  const waiting = await deliveries.find({ waits: true }, { ...options, sort: { startAt: 1 }, limit: 1 }).toArray();
  const retrying = await deliveries.find({ waits: false }, options).toArray();
  return {
    deliveriesUnfinished,
    oldestDeliveryAt: oldestOf([...waiting, ...retrying].map(({ createdAt }) => createdAt)),
  };
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
  const bulkSyncsUnfinished = await bulks.countDocuments(unfinished, limited);
  const rows = await bulks
    .find<{ acceptedAt: Date }>(unfinished, { projection: { acceptedAt: 1 }, ...gently })
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
