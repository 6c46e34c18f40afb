import { groupBy } from '../../rules/group-by.ts';
import type { AccountId, DeliveryId } from '../../rules/ids.ts';
import { attemptLeaseMs } from '../rules/retry-schedule.ts';
import { claimEach } from '../../../platform/database/claim-row.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { deliveryOf, deliveryRows, firstOf, type Delivery, type DeliveryKey } from './deliveries.ts';

/** A target by its key, with the account that owns it. */
export interface TargetKey {
  readonly target: string;
  readonly accountId: AccountId;
}

const waitingOf = ({ target, accountId }: TargetKey) => ({ waits: true, target, accountId });
const openOf = ({ target, accountId }: TargetKey) => ({ waits: false, target, accountId });

/** The deliveries that wait for the target, in the order in which they are sent. */
export async function findWaiting(store: StoreConnection, of: TargetKey, limit: number): Promise<Delivery[]> {
  const sort = { eventAt: 1, sequence: 1, _id: 1 } as const;
  const rows = await deliveryRows(store).find(waitingOf(of), { sort, limit }).toArray();
  return rows.map(deliveryOf);
}

/** All targets for which deliveries wait. Reads one index key for each. */
export const listWaitingTargets = async (store: StoreConnection): Promise<TargetKey[]> =>
  deliveryRows(store)
    .aggregate<TargetKey>([
      { $match: { waits: true } },
      { $sort: { target: 1, accountId: 1, eventAt: 1, sequence: 1, _id: 1 } },
      { $group: { _id: '$target', accountId: { $first: '$accountId' } } },
      { $project: { _id: 0, target: '$_id', accountId: 1 } },
    ])
    .toArray();

/** The fields of a row whose first attempt is begun: nobody else's until `startAt`. */
export const begun = (now: Date) => ({
  attempts: 1,
  waits: false,
  retryAt: null,
  startAt: new Date(now.getTime() + attemptLeaseMs),
  updatedAt: now,
});

/** Deliveries of one account, of one target or of one transaction. */
export interface DeliveriesOf {
  readonly accountId: AccountId;
  readonly ids: readonly DeliveryId[];
}

/**
 * Stores the first attempts of waiting deliveries as begun. Returns false, and has begun none, when another process takes them: of
 * two activities of one workflow the first one goes on.
 */
export async function beginWaiting(store: StoreConnection, of: DeliveriesOf, now: Date): Promise<boolean> {
  const { accountId, ids } = of;
  const filter = { _id: { $in: [...ids] }, accountId, state: 'pending' as const, waits: true, attempts: 0 };
  const { modifiedCount } = await deliveryRows(store).updateMany(filter, { $set: begun(now) });
  if (modifiedCount === ids.length) return true;
  if (modifiedCount > 0) await giveBack(store, of, now);
  return false;
}

/** Undoes first attempts that were begun at this time and not sent: the deliveries wait again. */
export async function giveBack(store: StoreConnection, { accountId, ids }: DeliveriesOf, begunAt: Date): Promise<void> {
  const { startAt } = begun(begunAt);
  await deliveryRows(store).updateMany(
    { _id: { $in: [...ids] }, accountId, state: 'pending', attempts: 1, startAt },
    { $set: { attempts: 0, waits: true, startAt: begunAt } },
  );
}

/** Reserves this attempt by compare-and-set. Returns false when another process was first or the record is closed. */
export async function reserveAttempt(
  store: StoreConnection,
  { _id, accountId, attempts }: Pick<Delivery, keyof DeliveryKey | 'attempts'>,
  now: Date,
): Promise<boolean> {
  const { modifiedCount } = await deliveryRows(store).updateOne(
    { _id, accountId, state: 'pending', attempts },
    { $set: { ...begun(now), attempts: attempts + 1 } },
  );
  return modifiedCount === 1;
}

/** Deliveries of the target that are under way, between two attempts, or that a person asked for. */
export const countUnderWay = (store: StoreConnection, of: TargetKey, limit: number): Promise<number> =>
  deliveryRows(store).countDocuments(openOf(of), { limit });

/** The deliveries of a target that have not ended. */
export interface OpenDeliveries {
  /** Deliveries of new events that were not tried yet; counted up to 10,000. */
  readonly waiting: number;
  readonly oldestAt: Date | null;
  /** Under way, between two attempts, or asked for; counted up to 10,000. */
  readonly retrying: number;
  /** When the first of these is retried; null when none is between two attempts. */
  readonly nextAttemptAt: Date | null;
}

const countMax = 10_000;

export async function readOpenDeliveries(store: StoreConnection, of: TargetKey): Promise<OpenDeliveries> {
  const rows = deliveryRows(store);
  const [waiting, oldest, retrying, next] = await Promise.all([
    rows.countDocuments(waitingOf(of), { limit: countMax }),
    rows.findOne(waitingOf(of), { sort: { eventAt: 1 }, projection: { createdAt: 1 } }),
    countUnderWay(store, of, countMax),
    rows.findOne({ ...openOf(of), retryAt: { $type: 'date' } }, { sort: { retryAt: 1 }, projection: { retryAt: 1 } }),
  ]);
  return { waiting, oldestAt: oldest?.createdAt ?? null, retrying, nextAttemptAt: next?.retryAt ?? null };
}

/**
 * Closes what waits for a target: all of it, or what has waited since `before`. Its events are missed, and only a recovery sends
 * them. Returns their number.
 */
export async function closeWaiting(
  store: StoreConnection,
  of: TargetKey,
  { now, before }: { readonly now: Date; readonly before?: Date },
): Promise<number> {
  const { modifiedCount } = await deliveryRows(store).updateMany(
    { ...waitingOf(of), ...(before !== undefined && { createdAt: { $lte: before } }) },
    { $set: { state: 'held', missed: true, waits: null, startAt: null, updatedAt: now } },
  );
  return modifiedCount;
}

/** Closes a delivery unsent. `missed`: whether a recovery may still send the event. */
export async function closeUnsent(
  store: StoreConnection,
  delivery: Delivery,
  { state, missed, now }: { readonly state: 'held' | 'stopped'; readonly missed: boolean; readonly now: Date },
): Promise<void> {
  const deliveries = deliveryRows(store);
  // The first record is written before its own: after a crash in between, closing again writes both.
  if (delivery.ordinal > 1 && !missed) await deliveries.updateOne(firstOf(delivery), { $set: { missed: false } });
  const isOwn = delivery.purpose === 'event' && delivery.ordinal === 1;
  await deliveries.updateOne(
    // An attempt that another process has begun meanwhile continues and keeps the record open.
    { _id: delivery._id, accountId: delivery.accountId, state: 'pending', attempts: delivery.attempts },
    { $set: { state, missed: missed && isOwn, waits: null, startAt: null, retryAt: null, updatedAt: now } },
  );
}

/** What the start of a delivery's workflow needs. */
export type OwedDelivery = Pick<
  Delivery,
  keyof DeliveryKey | 'aboutAccountId' | 'externalId' | 'eventType' | 'target' | 'attempts' | 'trace'
>;

const owedFields = {
  accountId: 1,
  aboutAccountId: 1,
  externalId: 1,
  eventType: 1,
  target: 1,
  attempts: 1,
  trace: 1,
} as const;
const [pauseMinMs, pauseMaxMs] = [2_000, 600_000] as const;

/**
 * Deliveries whose date has passed, the longest first: their start or their workflow was lost. Each gets its next date, and is
 * returned, by one process. The pause is as long as nothing was written already: 2 s, doubling to 10 minutes.
 */
export async function claimOwedDeliveries(
  store: StoreConnection,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<OwedDelivery[]> {
  const rows = await deliveryRows(store)
    .find({ waits: false, startAt: { $lte: now } }, { sort: { startAt: 1 }, limit })
    .project<OwedDelivery & Pick<Delivery, 'startAt' | 'updatedAt'>>({ ...owedFields, startAt: 1, updatedAt: 1 })
    .toArray();
  return claimEach(rows, ({ _id, accountId, startAt, updatedAt }, options) => {
    const pauseMs = Math.min(Math.max(pauseMinMs, now.getTime() - updatedAt.getTime()), pauseMaxMs);
    const next = { $set: { startAt: new Date(now.getTime() + pauseMs) } };
    return deliveryRows(store).updateOne({ _id, accountId, startAt }, next, options);
  });
}

/** Deliveries that certainly were not started are due again at that time. */
export async function postponeOwedDeliveries(
  store: StoreConnection,
  deliveries: readonly DeliveryKey[],
  at: Date,
): Promise<void> {
  for (const [accountId, own] of groupBy(deliveries, (delivery) => delivery.accountId)) {
    const ids = own.map(({ _id }) => _id);
    await deliveryRows(store).updateMany({ _id: { $in: ids }, accountId, waits: false }, { $set: { startAt: at } });
  }
}
