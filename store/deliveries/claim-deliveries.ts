import { mongo } from 'mongoose';
import { dueFrom } from '../../core/due.ts';
import type { DeliveryId } from '../../core/ids.ts';
import { attemptLeaseMs } from '../../core/webhooks/delivery.ts';
import type { StoreConnection } from '../database/connection.ts';
import { findDue } from '../dispatch/due-rows.ts';
import { deliveryOf, deliveryRows, firstOf, noteDeliveries, type Delivery, type DeliveryRow } from './deliveries.ts';

/** The process that makes an attempt, and the time of its reservation. */
export interface Reservation {
  /** Id of the worker process. */
  readonly claim: string;
  readonly now: Date;
}

/**
 * The fields of a row whose first attempt is in progress. After the lease another process takes it over; earlier when
 * this process ends (store/dispatch/workers.ts).
 */
export const reserved = ({ claim, now }: Reservation) => ({
  attempts: 1,
  inFlightSince: now,
  due: dueFrom('worker', new Date(now.getTime() + attemptLeaseMs)),
  claim,
  updatedAt: now,
});

/** The due deliveries of a target, the longest due first. */
export async function findQueue(
  store: StoreConnection,
  target: string,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<Delivery[]> {
  const rows = await findDue<DeliveryRow>(store, { kind: 'deliveries', by: 'worker', keys: [target], now, limit });
  return rows.map(deliveryOf);
}

/**
 * Reserves the first attempt of each unreserved delivery, and returns the ids that this process has reserved. After a lost answer
 * it may be called again: the result includes the earlier reservations.
 */
export async function reserveFirstAttempts(
  store: StoreConnection,
  ids: readonly DeliveryId[],
  reservation: Reservation,
): Promise<ReadonlySet<DeliveryId>> {
  if (ids.length === 0) return new Set();
  const deliveries = deliveryRows(store);
  const { modifiedCount } = await deliveries.updateMany(
    { _id: { $in: [...ids] }, state: 'pending', attempts: 0 },
    { $set: reserved(reservation) },
  );
  if (modifiedCount === ids.length) return new Set(ids);
  const ours = { _id: { $in: [...ids] }, state: 'pending', attempts: 1, claim: reservation.claim } as const;
  const rows = await deliveries.find({ ...ours, inFlightSince: reservation.now }, { projection: { _id: 1 } }).toArray();
  return new Set(rows.map(({ _id }) => _id));
}

/**
 * Reserves the next attempt by compare-and-set. Returns false when another process reserved first or the record is closed.
 * `changedBody` is stored as well, so that the process that takes over after a crash logs what this attempt has sent.
 */
export async function reserveAttempt(
  store: StoreConnection,
  { _id, attempts, changedBody }: Delivery,
  { claim, now }: Reservation,
): Promise<boolean> {
  const due = dueFrom(attempts === 0 ? 'worker' : 'workflow', new Date(now.getTime() + attemptLeaseMs));
  const result = await deliveryRows(store).updateOne(
    { _id, state: 'pending', attempts, inFlightSince: null },
    {
      $inc: { attempts: 1 },
      $set: {
        inFlightSince: now,
        due,
        claim,
        changedBody: changedBody && new mongo.Binary(changedBody),
        updatedAt: now,
      },
    },
  );
  return result.modifiedCount === 1;
}

/** Undoes reservations of first attempts that were not sent. */
export async function releaseFirstAttempts(
  store: StoreConnection,
  ids: readonly DeliveryId[],
  { claim, now }: Reservation,
): Promise<void> {
  if (ids.length === 0) return;
  await deliveryRows(store).updateMany(
    { _id: { $in: [...ids] }, state: 'pending', attempts: 1, claim, inFlightSince: { $type: 'date' } },
    { $set: { attempts: 0, inFlightSince: null, changedBody: null, due: dueFrom('worker', now), updatedAt: now } },
  );
}

/**
 * Makes the attempts of ended processes due at once, before all deliveries that wait untried, so that none must wait
 * for its lease.
 */
export async function endLeasesOf(store: StoreConnection, claims: readonly string[]): Promise<number> {
  const { matchedCount } = await deliveryRows(store).updateMany(
    { claim: { $in: [...claims] }, inFlightSince: { $type: 'date' } },
    [{ $set: { 'due.at': '$createdAt' } }],
  );
  return matchedCount;
}

/**
 * The number of deliveries of each target that are between two attempts, or that a person asked for. A target without
 * any is absent.
 */
export async function countRetrying(
  store: StoreConnection,
  targets: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = await deliveryRows(store)
    .aggregate<{ _id: string; count: number }>([
      { $match: { 'due.by': 'workflow', target: { $in: [...targets] } } },
      { $group: { _id: '$target', count: { $sum: 1 } } },
    ])
    .toArray();
  return new Map(counts.map(({ _id, count }) => [_id, count]));
}

/**
 * Closes untried deliveries of a target: all of them, or those that have waited since `before`. Their events are
 * missed, and only a recovery sends them. Returns their number.
 */
export async function closeLine(
  store: StoreConnection,
  target: string,
  { now, before = now }: { readonly now: Date; readonly before?: Date },
): Promise<number> {
  const { modifiedCount } = await deliveryRows(store).updateMany(
    { 'due.by': 'worker', target, 'due.at': { $lte: before }, state: 'pending', attempts: 0, purpose: 'event' },
    { $set: { state: 'held', missed: true, due: null, updatedAt: now } },
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
  if (delivery.ordinal > 1 && !missed)
    await deliveries.updateOne({ _id: firstOf(delivery) }, { $set: { missed: false } });
  const isOwn = delivery.purpose === 'event' && delivery.ordinal === 1;
  await deliveries.updateOne(
    // An attempt that another process has begun meanwhile continues and keeps the record open.
    { _id: delivery._id, state: 'pending', attempts: delivery.attempts, inFlightSince: null },
    { $set: { state, missed: missed && isOwn, due: null, inFlightSince: null, updatedAt: now } },
  );
  noteDeliveries(store, delivery.accountId);
}
