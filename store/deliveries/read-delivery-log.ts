import type { AccountId, DeliveryId, EndpointId } from '../../core/ids.ts';
import type { StoreConnection } from '../database/connection.ts';
import { deliveryRows } from './deliveries.ts';
import { attemptRows, logFilters, logIndex, type DeliveryAttemptRow } from './delivery-attempts.ts';

/** All given conditions must hold; an absent one does not restrict. */
export interface AttemptFilter {
  /** null for the account-level URL. */
  readonly endpointId?: EndpointId | null;
  readonly status?: 'success' | 'failed';
  readonly eventType?: string;
  readonly externalId?: string;
  readonly deliveryId?: DeliveryId;
  /** Attempted at that time or later. */
  readonly from?: Date;
  /** Attempted before that time. */
  readonly to?: Date;
}

/** Position of an attempt in the log. No two attempts share one. */
export interface AttemptPlace {
  readonly at: Date;
  readonly id: string;
}

export interface AttemptWalk {
  readonly filter?: AttemptFilter;
  /** The log continues after this one. */
  readonly behind?: AttemptPlace | undefined;
  readonly rowsMax: number;
}

const eitherStatus = ['failed', 'success'] as const;

/**
 * Newest first; attempts of one millisecond have a stable order. The collection and its indexes are defined where attempts are
 * written (delivery-attempts.ts). Each index has the status before the time: naming both statuses lets the server merge them instead of
 * sorting.
 */
export async function listRecentAttempts(
  store: StoreConnection,
  accountId: AccountId,
  { filter = {}, behind, rowsMax }: AttemptWalk,
): Promise<DeliveryAttemptRow[]> {
  const { status, from, to, ...equal } = filter;
  // Of the attempts of one millisecond the id tells which are behind; the range is what the index is read by.
  const upTo = behind === undefined || (to !== undefined && to <= behind.at) ? {} : { $lte: behind.at };
  const range = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }), ...upTo };
  const wanted = {
    ...{ accountId, ...equal, status: status ?? { $in: [...eitherStatus] } },
    ...(Object.keys(range).length > 0 && { createdAt: range }),
    ...(behind !== undefined && { $or: [{ createdAt: { $lt: behind.at } }, { _id: { $lt: behind.id } }] }),
  };
  return attemptRows(store)
    .find(wanted, { projection: { responseStart: 0, body: 0 }, hint: logIndex(firstOf(filter)) })
    .sort({ createdAt: -1, _id: -1 })
    .limit(rowsMax)
    .toArray();
}

/** Named, because the server would read a short time by the index of times alone, with the attempts of all accounts. */
const firstOf = (filter: AttemptFilter): string | undefined => logFilters.find((name) => filter[name] !== undefined);

/** The delivery of an attempt, as far as the log shows it. */
export interface AttemptedDelivery {
  readonly state: string;
  readonly attempts: number;
  /** Why the delivery was made. */
  readonly purpose?: string;
  /** The bytes that every attempt has signed and sent, unless it has its own. */
  readonly body: Buffer;
}

export interface AttemptWithDelivery {
  readonly attempt: DeliveryAttemptRow;
  /** null when it is removed already: its retention starts at its creation, that of an attempt at the attempt's own time. */
  readonly delivery: AttemptedDelivery | null;
}

/** One attempt of this account, or null. */
export async function findAttempt(
  store: StoreConnection,
  accountId: AccountId,
  id: string,
): Promise<AttemptWithDelivery | null> {
  const attempt = await attemptRows(store).findOne({ _id: id, accountId });
  if (attempt === null) return null;
  const row = await deliveryRows(store).findOne(
    { _id: attempt.deliveryId, accountId },
    { projection: { _id: 0, state: 1, attempts: 1, purpose: 1, body: 1 } },
  );
  return { attempt, delivery: row === null ? null : { ...row, body: Buffer.from(row.body.buffer) } };
}

/** The newest attempts of one delivery, or about some items: two index scans for each item. */
export const findAttemptsOf = (
  store: StoreConnection,
  accountId: AccountId,
  {
    limit,
    ...named
  }: ({ readonly externalIds: readonly string[] } | { readonly deliveryId: DeliveryId }) & {
    readonly limit: number;
  },
): Promise<DeliveryAttemptRow[]> =>
  attemptRows(store)
    .find(
      {
        accountId,
        ...('deliveryId' in named ? named : { externalId: { $in: [...named.externalIds] } }),
        status: { $in: [...eitherStatus] },
      },
      {
        projection: { responseStart: 0, body: 0 },
        hint: logIndex('deliveryId' in named ? 'deliveryId' : 'externalId'),
      },
    )
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit)
    .toArray();
