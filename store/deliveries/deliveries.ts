import { Schema, type ClientSession, type mongo } from 'mongoose';

import type { AccountId, DeliveryId, EndpointId, EventId } from '../../core/ids.ts';
import { deliveryIdOf } from '../../core/webhooks/delivery-id.ts';
import { attemptLeaseMs, type DeliveryPurpose } from '../../core/webhooks/retry-schedule.ts';
import { defineCollection, type StoreConnection } from '../database/connection.ts';
import { insertRows } from '../batching/insert-rows.ts';
import { inTransaction } from '../database/transaction.ts';

/** `held`: the target was disabled, so a recovery may send it. `stopped`: the target is gone, or lost the right to the event. */
export type DeliveryState = 'pending' | 'succeeded' | 'given_up' | 'held' | 'stopped';

/** The delivery of one event to one target. `accountId` owns the target; for scope members that is the reseller. */
export interface Delivery {
  readonly _id: DeliveryId;
  readonly accountId: AccountId;
  readonly eventId: EventId;
  readonly eventType: string;
  readonly externalId: string;
  /** Endpoint id, or null for the account-level URL. */
  readonly endpointId: EndpointId | null;
  /** Key of the target: endpoint id, or `account-<id>` for the account-level URL. */
  readonly target: string;
  readonly scope: 'self' | 'members';
  /** The account whose item the event is about. */
  readonly aboutAccountId: AccountId;
  readonly purpose: DeliveryPurpose;
  /** 1 for the first delivery of the event to the target. The first record also counts the later ones. */
  readonly ordinal: number;
  /** Only on the first record: the highest ordinal that was assigned. */
  readonly lastOrdinal: number;
  /** Only on the first record: the target has not received this event, and no delivery of it is in progress. */
  readonly missed: boolean;
  /** When the write that carried the event was accepted. A recovery sends in the order of `eventAt` and `eventNumber`. */
  readonly eventAt: Date;
  readonly eventNumber: number;
  readonly state: DeliveryState;
  /** Attempts reserved so far (protocol 15). */
  readonly attempts: number;
  /** When the last reserved attempt began, until its outcome is recorded. */
  readonly inFlightSince: Date | null;
  /** When the next attempt may be made, after a failed one; null before the first and when closed. */
  readonly retryAt: Date | null;
  /** When the dispatcher starts or restarts the workflow; null when closed. */
  readonly nextAttemptAt: Date | null;
  /** The bytes that every attempt signs and sends, unless it has its own. */
  readonly body: Buffer;
  /**
   * Sent by the last reserved attempt instead of `body`, because the member's reference has changed; null when it sends `body`.
   */
  readonly changedBody: Buffer | null;
  /** Id reserved by the `Idempotency-Key` of the call that requested it; null without a key. */
  readonly reservedId: string | null;
  /** Cause of the event, sent with it as `X-Request-Id`; absent when unknown. */
  readonly requestId?: string;
  /** Claim that reserved the first attempt, when many deliveries were reserved at once. */
  readonly claim?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const schema = new Schema(
  {
    _id: String,
    accountId: String,
    eventId: String,
    eventType: String,
    externalId: String,
    endpointId: String,
    target: String,
    scope: String,
    aboutAccountId: String,
    purpose: String,
    ordinal: Number,
    lastOrdinal: Number,
    missed: Boolean,
    eventAt: Date,
    eventNumber: Number,
    state: String,
    attempts: Number,
    inFlightSince: Date,
    retryAt: Date,
    nextAttemptAt: Date,
    body: Buffer,
    changedBody: Buffer,
    reservedId: String,
    requestId: String,
    claim: String,
    createdAt: Date,
    updatedAt: Date,
  },
  { versionKey: false },
);
const [dueIndex, untriedIndex] = ['nextAttemptAt_1', 'untried'];
schema.index({ nextAttemptAt: 1 }, { name: dueIndex, partialFilterExpression: { state: 'pending' } });
// Finds deliveries without an attempt quickly, however many others wait.
schema.index({ nextAttemptAt: 1 }, { name: untriedIndex, partialFilterExpression: { state: 'pending', attempts: 0 } });
schema.index({ target: 1, eventAt: 1, eventNumber: 1, _id: 1 }, { partialFilterExpression: { missed: true } });
schema.index({ createdAt: 1 }, { expireAfterSeconds: 30 * 24 * 3_600 });
/** Exported for recoveries, which read and add deliveries. */
export const deliveriesOf = defineCollection<Delivery>('deliveries', schema);

type Untried = 'attempts' | 'inFlightSince' | 'retryAt' | 'changedBody';
type FirstState = Untried | 'ordinal' | 'lastOrdinal' | 'updatedAt' | 'reservedId';
type Optional = { readonly ordinal?: number; readonly reservedId?: string | null };

/** A record without an attempt; `ordinal` defaults to 1. */
export const newDelivery = (wish: Omit<Delivery, FirstState> & Optional): Delivery => {
  const ordinal = wish.ordinal ?? 1;
  const untried = { attempts: 0, inFlightSince: null, retryAt: null, changedBody: null };
  const reservedId = wish.reservedId ?? null;
  return { ...wish, ...untried, ordinal, lastOrdinal: ordinal, reservedId, updatedAt: wish.createdAt };
};

/** One HTTP try, as the delivery log shows it. Source: specification "Webhook delivery log record". */
export interface DeliveryAttempt {
  /** {@link attemptIdOf} */
  readonly _id: string;
  readonly accountId: AccountId;
  readonly deliveryId: DeliveryId;
  readonly endpointId: EndpointId | null;
  readonly eventId: EventId;
  readonly externalId: string;
  readonly eventType: string;
  readonly attempt: number;
  readonly status: 'success' | 'failed';
  readonly errorMessage: string | null;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** First KB of the receiver's answer, for the dashboard only. */
  readonly responseStart: string;
  /** The bytes that this attempt sent, when they differ from the delivery's `body`. */
  readonly body?: Buffer;
  readonly createdAt: Date;
}

/** A derived id, so that each process finds the attempt's log record of another process. */
export const attemptIdOf = ({ _id, attempts }: Delivery): string => `${_id}:${attempts}`;

const attemptSchema = new Schema(
  {
    _id: String,
    accountId: String,
    deliveryId: String,
    endpointId: String,
    eventId: String,
    externalId: String,
    eventType: String,
    attempt: Number,
    status: String,
    errorMessage: String,
    httpStatus: Number,
    durationMs: Number,
    responseStart: String,
    body: Buffer,
    createdAt: Date,
  },
  { versionKey: false },
);
// For each filter of the log, alone or with a status (read-delivery-log.ts).
for (const filter of [{}, { endpointId: 1 }, { eventType: 1 }, { externalId: 1 }, { deliveryId: 1 }] as const)
  attemptSchema.index({ accountId: 1, ...filter, status: 1, createdAt: -1, _id: -1 });
attemptSchema.index({ createdAt: 1 }, { expireAfterSeconds: 30 * 24 * 3_600 });
export const attemptsOf = defineCollection<DeliveryAttempt>('delivery_attempts', attemptSchema);

export interface DeliveryStore {
  findPending(id: DeliveryId): Promise<Delivery | null>;
  /** The log record of the last reserved attempt, or null. */
  findLogged(delivery: Delivery): Promise<DeliveryAttempt | null>;
  /**
   * Raises `attempts` by compare-and-set. Returns false when another process reserved first or the record is closed.
   * `changedBody` is stored as well, so that the process that takes over after a crash logs what this attempt has sent.
   */
  reserve(delivery: Delivery, now: Date): Promise<boolean>;
  /**
   * Writes the outcome of the last reserved attempt: log record, state and the endpoint's `failCount` in one transaction,
   * conditional on the record still being open at that attempt.
   */
  complete(delivery: Delivery, completion: Completion): Promise<void>;
  /** Closes the delivery unsent. `missed`: whether a recovery may still send the event. */
  close(delivery: Delivery, end: { state: 'held' | 'stopped'; missed: boolean; now: Date }): Promise<void>;
  /** Claims due deliveries, the longest due first. The lease lasts as long as an attempt. */
  claimDue(now: Date, wish: { limit: number; which: DueKind }): Promise<Delivery[]>;
  /** Returns unused claims: the deliveries are due again at `at`. */
  releaseClaims(ids: readonly DeliveryId[], at: Date): Promise<void>;
}

/** Selects deliveries by whether an attempt was made already. */
export type DueKind = 'untried' | 'tried';
const attemptsOfKind = { untried: { attempts: 0 }, tried: { attempts: { $gt: 0 } } } as const;

export interface Completion {
  readonly attempt: DeliveryAttempt;
  readonly state: 'pending' | 'succeeded' | 'given_up' | 'stopped';
  readonly retryAt: Date | null;
  /** For `pending`: when the dispatcher checks the delivery. */
  readonly nextAttemptAt: Date | null;
  /** Runs in the same transaction, and only if the record is still open. */
  readonly alsoWrite: (session: ClientSession) => Promise<void>;
}

export const insertDeliveries = async (
  store: StoreConnection,
  rows: readonly Delivery[],
  session: ClientSession,
): Promise<void> => {
  await insertRows(store, 'deliveries', { rows, session, ordered: true });
};

export function createDeliveryStore(store: StoreConnection): DeliveryStore {
  const deliveries = deliveriesOf(store);
  return {
    findPending: async (id) => {
      const row = await deliveries.findOne({ _id: id, state: 'pending' }).lean<DeliveryRow>();
      return row === null ? null : fromRow(row);
    },
    findLogged: (delivery) =>
      attemptsOf(store)
        .findOne({ _id: attemptIdOf(delivery) })
        .lean<DeliveryAttempt>()
        .exec(),
    reserve: async (delivery, now) => {
      const result = await deliveries.updateOne(
        { _id: delivery._id, state: 'pending', attempts: delivery.attempts },
        {
          $inc: { attempts: 1 },
          $set: {
            ...{ inFlightSince: now, nextAttemptAt: leaseFrom(now), updatedAt: now },
            changedBody: delivery.changedBody,
          },
        },
      );
      return result.modifiedCount === 1;
    },
    complete: (delivery, completion) => completeAttempt(store, delivery, completion),
    close: async (delivery, { state, missed, now }) => {
      // The first record is written before its own: after a crash in between, closing again writes both.
      if (delivery.ordinal > 1 && !missed)
        await deliveries.updateOne({ _id: firstOf(delivery) }, { $set: { missed: false } });
      await deliveries.updateOne(
        // An attempt that another process has begun meanwhile continues and keeps the record open.
        { _id: delivery._id, state: 'pending', attempts: delivery.attempts, inFlightSince: null },
        {
          $set: {
            ...{ state, missed: missed && isFirst(delivery) },
            ...{ nextAttemptAt: null, inFlightSince: null, updatedAt: now },
          },
        },
      );
    },
    releaseClaims: async (ids, at) => {
      await deliveries.updateMany({ _id: { $in: [...ids] }, state: 'pending' }, { $set: { nextAttemptAt: at } });
    },
    claimDue: (now, wish) => claimDue(store, now, wish),
  };
}

/**
 * Reserves the first attempt of each unreserved delivery, and returns the ids that this `claim` has reserved. After a lost answer
 * it may be called again with the same `claim`: the result includes the earlier reservations.
 */
export async function reserveFirstAttempts(
  store: StoreConnection,
  ids: readonly DeliveryId[],
  { claim, now }: { claim: string; now: Date },
): Promise<ReadonlySet<DeliveryId>> {
  const deliveries = deliveriesOf(store);
  const { modifiedCount } = await deliveries.updateMany(
    { _id: { $in: [...ids] }, state: 'pending', attempts: 0 },
    { $set: { attempts: 1, inFlightSince: now, nextAttemptAt: leaseFrom(now), updatedAt: now, claim } },
  );
  if (modifiedCount === ids.length) return new Set(ids);
  const ours = await deliveries.find({ _id: { $in: [...ids] }, claim }, { _id: 1 }).lean<{ _id: DeliveryId }[]>();
  return new Set(ours.map(({ _id }) => _id));
}

const leaseFrom = (now: Date): Date => new Date(now.getTime() + attemptLeaseMs);

/** A delivery that succeeded at its first attempt. */
export interface FirstSuccess {
  readonly delivery: Delivery;
  readonly attempt: DeliveryAttempt;
}

/**
 * Writes the success of first attempts, all in one transaction, as {@link DeliveryStore.complete} does for one. Returns false,
 * and writes nothing, when one of the records is no longer open at that attempt: the caller then completes each by itself.
 */
export async function completeFirstSuccesses(
  store: StoreConnection,
  made: readonly FirstSuccess[],
  { now, alsoWrite }: { now: Date; alsoWrite: (session: ClientSession) => Promise<void> },
): Promise<boolean> {
  const ids = made.map(({ delivery }) => delivery._id);
  try {
    await inTransaction(store, async (session) => {
      const { modifiedCount } = await deliveriesOf(store).updateMany(
        { _id: { $in: ids }, state: 'pending', attempts: 1, inFlightSince: { $ne: null } },
        { $set: { state: 'succeeded', nextAttemptAt: null, inFlightSince: null, updatedAt: now } },
        { session },
      );
      if (modifiedCount !== ids.length) throw new NotAllOpen();
      const rows = made.map(({ attempt }) => attempt);
      await insertRows(store, 'delivery_attempts', { rows, session, ordered: false });
      await alsoWrite(session);
    });
    return true;
  } catch (error) {
    if (error instanceof NotAllOpen) return false;
    throw error;
  }
}

/** Aborts the transaction; never thrown out of this file. */
class NotAllOpen extends Error {
  override readonly name = 'NotAllOpen';
}

function completeAttempt(store: StoreConnection, delivery: Delivery, completion: Completion): Promise<void> {
  const { attempt, state, retryAt, nextAttemptAt, alsoWrite } = completion;
  const missed = state === 'given_up' && isFirst(delivery);
  const deliveries = deliveriesOf(store);
  return inTransaction(store, async (session) => {
    const result = await deliveries.updateOne(
      { _id: delivery._id, state: 'pending', attempts: attempt.attempt, inFlightSince: { $ne: null } },
      { $set: { state, missed, retryAt, nextAttemptAt, inFlightSince: null, updatedAt: attempt.createdAt } },
      { session },
    );
    if (result.modifiedCount === 0) return;
    const { _id, ...logged } = attempt;
    await attemptsOf(store).updateOne({ _id }, { $setOnInsert: logged }, { session, upsert: true });
    if (state === 'succeeded' && delivery.ordinal > 1)
      await deliveries.updateOne({ _id: firstOf(delivery) }, { $set: { missed: false } }, { session });
    await alsoWrite(session);
  });
}

async function claimDue(
  store: StoreConnection,
  now: Date,
  { limit, which }: { limit: number; which: DueKind },
): Promise<Delivery[]> {
  const deliveries = deliveriesOf(store);
  const due = await deliveries
    .find({ state: 'pending', ...attemptsOfKind[which], nextAttemptAt: { $lte: now } })
    .sort({ nextAttemptAt: 1 })
    .hint(which === 'untried' ? untriedIndex : dueIndex)
    .limit(limit)
    .lean<DeliveryRow[]>();
  if (due.length > 0) {
    const ids = due.map((delivery) => delivery._id);
    await deliveries.updateMany(
      { _id: { $in: ids }, state: 'pending', nextAttemptAt: { $lte: now } },
      { $set: { nextAttemptAt: leaseFrom(now) } },
    );
  }
  return due.map(fromRow);
}

const isFirst = ({ purpose, ordinal }: Delivery): boolean => purpose === 'event' && ordinal === 1;
const firstOf = (delivery: Delivery): DeliveryId => deliveryIdOf({ ...delivery, ordinal: 1 });

/** The row as the driver reads it: it wraps bytes in its own class. */
export type DeliveryRow = Omit<Delivery, 'body' | 'changedBody'> & {
  readonly body: mongo.Binary;
  readonly changedBody: mongo.Binary | null;
};

export const fromRow = ({ body, changedBody, ...row }: DeliveryRow): Delivery => ({
  ...row,
  body: Buffer.from(body.buffer),
  changedBody: changedBody ? Buffer.from(changedBody.buffer) : null,
});
