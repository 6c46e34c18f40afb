import { Schema, type ClientSession, type mongo } from 'mongoose';

import type { AccountId, DeliveryId, EndpointId, EventId } from '../core/ids.ts';
import type { EventType } from '../core/events/event-types.ts';
import { attemptLeaseMs } from '../core/webhooks/retry-schedule.ts';
import { defineCollection, type StoreConnection } from './connection.ts';
import { inTransaction } from './transaction.ts';

/** `held`: the target was disabled when the event happened; `stopped`: it went away; both can be sent by recovery. */
export type DeliveryState = 'pending' | 'succeeded' | 'given_up' | 'held' | 'stopped';

/** One event on its way to one target. `accountId` owns the target, which for scope members is the reseller. */
export interface Delivery {
  readonly _id: DeliveryId;
  readonly accountId: AccountId;
  readonly eventId: EventId;
  readonly eventType: EventType;
  readonly externalId: string;
  /** Endpoint id, or null for the account-level URL. */
  readonly endpointId: EndpointId | null;
  readonly scope: 'self' | 'members';
  /** The account whose item it is about. */
  readonly aboutAccountId: AccountId;
  readonly state: DeliveryState;
  /** Attempts reserved so far (protocol 15). */
  readonly attempts: number;
  /** When the last reserved attempt began, until its outcome is recorded. */
  readonly inFlightSince: Date | null;
  /** When the next attempt may be made, after a failed one; null before the first and when closed. */
  readonly retryAt: Date | null;
  /** When the sweep (re)starts the workflow; null when closed. */
  readonly nextAttemptAt: Date | null;
  /** The bytes that are signed and sent, the same for every attempt. */
  readonly body: Buffer;
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
    scope: String,
    aboutAccountId: String,
    state: String,
    attempts: Number,
    inFlightSince: Date,
    retryAt: Date,
    nextAttemptAt: Date,
    body: Buffer,
    createdAt: Date,
    updatedAt: Date,
  },
  { versionKey: false },
);
schema.index({ nextAttemptAt: 1 }, { partialFilterExpression: { state: 'pending' } });
schema.index({ endpointId: 1, state: 1, createdAt: 1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: 30 * 24 * 3_600 });
const model = defineCollection<Delivery>('deliveries', schema);

/** One HTTP try, as the delivery log shows it. Source: specification "Webhook delivery log record". */
export interface DeliveryAttempt {
  readonly _id: string;
  readonly accountId: AccountId;
  readonly deliveryId: DeliveryId;
  readonly endpointId: EndpointId | null;
  readonly eventId: EventId;
  readonly externalId: string;
  readonly eventType: EventType;
  readonly attempt: number;
  readonly status: 'success' | 'failed';
  readonly errorMessage: string | null;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** First KB of the answer, for the dashboard only. */
  readonly responseStart: string;
  readonly createdAt: Date;
}

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
    createdAt: Date,
  },
  { versionKey: false },
);
attemptSchema.index({ accountId: 1, createdAt: -1 });
attemptSchema.index({ createdAt: 1 }, { expireAfterSeconds: 30 * 24 * 3_600 });
const attemptModel = defineCollection<DeliveryAttempt>('delivery_attempts', attemptSchema);

export interface DeliveryStore {
  findPending(id: DeliveryId): Promise<Delivery | null>;
  /** Raises `attempts` from what was read: false when somebody else reserved first or the record is closed. */
  reserve(delivery: Delivery, now: Date): Promise<boolean>;
  /**
   * Writes the outcome of the last reserved attempt: log record, state and the endpoint's `failCount` in one transaction,
   * conditional on the record still being open at that attempt.
   */
  complete(delivery: Delivery, completion: Completion): Promise<void>;
  close(delivery: Delivery, state: 'held' | 'stopped', now: Date): Promise<void>;
  claimDue(now: Date, limit: number): Promise<Delivery[]>;
  /** Gives claims back that could not be used: due again at `at`. */
  releaseClaims(ids: readonly DeliveryId[], at: Date): Promise<void>;
}

export interface Completion {
  readonly attempt: DeliveryAttempt;
  readonly state: 'pending' | 'succeeded' | 'given_up' | 'stopped';
  readonly retryAt: Date | null;
  /** For `pending`: when the sweep looks after it. */
  readonly nextAttemptAt: Date | null;
  /** Runs in the same transaction, only when the record was still open. */
  readonly alsoWrite: (session: ClientSession) => Promise<void>;
}

export const insertDeliveries = async (
  store: StoreConnection,
  rows: readonly Delivery[],
  session: ClientSession,
): Promise<void> => {
  if (rows.length > 0) await model(store).insertMany(rows, { session, ordered: true });
};

export function createDeliveryStore(store: StoreConnection): DeliveryStore {
  const deliveries = model(store);
  const attempts = attemptModel(store);
  return {
    findPending: async (id) => {
      const row = await deliveries.findOne({ _id: id, state: 'pending' }).lean<DeliveryRow>();
      return row === null ? null : fromRow(row);
    },
    reserve: async (delivery, now) => {
      const result = await deliveries.updateOne(
        { _id: delivery._id, state: 'pending', attempts: delivery.attempts },
        {
          $inc: { attempts: 1 },
          $set: { inFlightSince: now, nextAttemptAt: new Date(now.getTime() + attemptLeaseMs), updatedAt: now },
        },
      );
      return result.modifiedCount === 1;
    },
    complete: (delivery, completion) =>
      inTransaction(store, async (session) => {
        const { attempt, state, retryAt, nextAttemptAt, alsoWrite } = completion;
        const result = await deliveries.updateOne(
          { _id: delivery._id, state: 'pending', attempts: attempt.attempt, inFlightSince: { $ne: null } },
          { $set: { state, retryAt, nextAttemptAt, inFlightSince: null, updatedAt: attempt.createdAt } },
          { session },
        );
        if (result.modifiedCount === 0) return;
        await attempts.insertMany([attempt], { session });
        await alsoWrite(session);
      }),
    close: async (delivery, state, now) => {
      await deliveries.updateOne(
        { _id: delivery._id, state: 'pending' },
        { $set: { state, nextAttemptAt: null, inFlightSince: null, updatedAt: now } },
      );
    },
    releaseClaims: async (ids, at) => {
      await deliveries.updateMany({ _id: { $in: [...ids] }, state: 'pending' }, { $set: { nextAttemptAt: at } });
    },
    claimDue: async (now, limit) => {
      const due = await deliveries
        .find({ state: 'pending', nextAttemptAt: { $lte: now } })
        .sort({ nextAttemptAt: 1 })
        .limit(limit)
        .lean<DeliveryRow[]>();
      if (due.length > 0) {
        const ids = due.map((delivery) => delivery._id);
        const later = new Date(now.getTime() + attemptLeaseMs);
        await deliveries.updateMany(
          { _id: { $in: ids }, state: 'pending', nextAttemptAt: { $lte: now } },
          { $set: { nextAttemptAt: later } },
        );
      }
      return due.map(fromRow);
    },
  };
}

/** As the driver reads it: bytes come in a wrapper of its own. */
type DeliveryRow = Omit<Delivery, 'body'> & { readonly body: mongo.Binary };

const fromRow = (row: DeliveryRow): Delivery => ({ ...row, body: Buffer.from(row.body.buffer) });
