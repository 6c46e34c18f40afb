import type { AccountId, DeliveryId } from '../../core/ids.ts';
import type { StoreConnection } from '../database/connection.ts';
import { deliveryOf, deliveryRows, type Delivery } from '../deliveries/deliveries.ts';
import { webhookEndpoints, type WebhookEndpointRow } from '../webhooks/webhook-endpoints.ts';

/** Endpoints whose last delivery was given up, or that were disabled because of it; the worst first. */
export function listFailingEndpoints(
  store: StoreConnection,
  { account, limit }: { account?: AccountId | undefined; limit: number },
): Promise<WebhookEndpointRow[]> {
  return webhookEndpoints(store)
    .find({ ...(account !== undefined && { accountId: account }), failCount: { $gt: 0 } })
    .sort({ failCount: -1, _id: 1 })
    .limit(limit)
    .lean<WebhookEndpointRow[]>()
    .exec();
}

export interface OldDeliveries {
  /** Key of the target: endpoint id, or `account-<id>` for the account-level URL. */
  readonly target: string;
  readonly count: number;
  readonly oldest: Date;
}

/** Number of unfinished deliveries older than `before` by target, the highest first. Reads at most `lookedAtMax` deliveries. */
export function countOldDeliveries(
  store: StoreConnection,
  { account, before, limit, lookedAtMax = 50_000 }: OldDeliveryQuery,
): Promise<OldDeliveries[]> {
  const ofAccount = account === undefined ? {} : { accountId: account };
  return deliveryRows(store)
    .aggregate<OldDeliveries>([
      // Filtered by account before the limit, or other accounts' deliveries would fill it.
      { $match: { 'due.by': { $in: ['worker', 'workflow'] }, ...ofAccount } },
      { $limit: lookedAtMax },
      { $match: { createdAt: { $lte: before } } },
      { $group: { _id: '$target', count: { $sum: 1 }, oldest: { $min: '$createdAt' } } },
      { $sort: { count: -1, _id: 1 } },
      { $limit: limit },
      { $project: { _id: 0, target: '$_id', count: 1, oldest: 1 } },
    ])
    .toArray();
}

interface OldDeliveryQuery {
  readonly account?: AccountId | undefined;
  readonly before: Date;
  readonly limit: number;
  readonly lookedAtMax?: number;
}

/** A delivery of any account: for operators only. */
export async function dangerouslyFindDelivery(store: StoreConnection, id: DeliveryId): Promise<Delivery | null> {
  const row = await deliveryRows(store).findOne({ _id: id });
  return row === null ? null : deliveryOf(row);
}
