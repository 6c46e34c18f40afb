import { Schema, type ClientSession, type mongo } from 'mongoose';
import type { AccountId, DeliveryId, EndpointId, EventId } from '../../core/ids.ts';
import { defineCollection, isDuplicateKey, rowsOf, type StoreConnection } from '../database/connection.ts';
import type { Delivery } from './deliveries.ts';

/** One HTTP try, as the delivery log shows it. Source: specification "Webhook delivery log record". */
export interface DeliveryAttempt {
  /** {@link attemptIdOf} */
  readonly _id: string;
  readonly accountId: AccountId;
  readonly deliveryId: DeliveryId;
  /** null for the account-level URL. */
  readonly endpointId: EndpointId | null;
  readonly eventId: EventId;
  readonly externalId: string;
  readonly eventType: string;
  /** 1 for the first attempt of the delivery. */
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

/** The row as the driver reads it. */
export type DeliveryAttemptRow = Omit<DeliveryAttempt, 'body'> & { readonly body?: mongo.Binary };

/** A derived id, so that each process finds the attempt's log record of another process. */
export const attemptIdOf = ({ _id, attempts }: Pick<Delivery, '_id' | 'attempts'>): string => `${_id}:${attempts}`;

const schema = new Schema(
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
/** The index of the log for one of its filters, alone or with a status. */
export const logIndex = (filter?: string): Record<string, 1 | -1> => ({
  accountId: 1,
  ...(filter !== undefined && { [filter]: 1 }),
  ...{ status: 1, createdAt: -1, _id: -1 },
});
/** Those that the log can be asked by, the one that usually finds the fewest first. */
export const logFilters = ['deliveryId', 'externalId', 'endpointId', 'eventType'] as const;
for (const filter of [undefined, ...logFilters]) schema.index(logIndex(filter));
schema.index({ createdAt: 1 }, { expireAfterSeconds: 30 * 24 * 3_600 });
const model = defineCollection<DeliveryAttemptRow>('delivery_attempts', schema);

export const attemptRows = (store: StoreConnection): mongo.Collection<DeliveryAttemptRow> => rowsOf(model(store));

/** The log record of the last reserved attempt, or null. */
export const findLogged = (store: StoreConnection, delivery: Delivery): Promise<DeliveryAttemptRow | null> =>
  attemptRows(store).findOne({ _id: attemptIdOf(delivery) });

/**
 * Logs attempts, each once: a record that is there already stays as it is. Returns the ids of those that another process has logged
 * with another status: the record decides what became of an attempt.
 */
export async function logAttempts(
  store: StoreConnection,
  attempts: readonly DeliveryAttempt[],
  session?: ClientSession,
): Promise<ReadonlySet<string>> {
  const rows = store.connection.collection<DeliveryAttempt>('delivery_attempts');
  const options = { ordered: false, ignoreUndefined: true, ...(session !== undefined && { session }) };
  try {
    await rows.insertMany([...attempts], options);
    return new Set();
  } catch (error) {
    if (!isDuplicateKey(error) || session !== undefined) throw error;
  }
  const statusOf = new Map(attempts.map(({ _id, status }) => [_id, status]));
  // Not by majority: the record that was in the way may have come a moment ago.
  const logged = attemptRows(store).find({ _id: { $in: [...statusOf.keys()] } }, { readConcern: { level: 'local' } });
  return new Set((await logged.toArray()).flatMap(({ _id, status }) => (statusOf.get(_id) === status ? [] : [_id])));
}
