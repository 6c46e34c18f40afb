import { Schema, type ClientSession, type mongo } from 'mongoose';
import type { Trace } from '../../rules/trace.ts';
import type { AccountId, DeliveryId, EndpointId, EventId } from '../../rules/ids.ts';
import { deliveryIdOf, type DeliveryPurpose } from '../rules/delivery.ts';
import { insertRows } from '../../../platform/database/batch.ts';
import { defineRows, type StoreConnection } from '../../../platform/database/connection.ts';

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
  /** When the event was stored. A recovery sends in the order of `eventAt`, `sequence` and `_id`, as the feed has its events. */
  readonly eventAt: Date;
  /** The event's number among those of its item. */
  readonly sequence: number;
  readonly state: DeliveryState;
  /** It waits untried for its receiver's workflow. false: `delivery:<id>` is started when `startAt` has passed. null when closed. */
  readonly waits: boolean | null;
  /** From then on a relay starts the workflow that owes it. null when closed. */
  readonly startAt: Date | null;
  /** Attempts reserved so far (protocol 15). */
  readonly attempts: number;
  /** When the next attempt may be made; null until the outcome of the last reserved one is recorded. */
  readonly retryAt: Date | null;
  /** The bytes that every attempt signs and sends, unless it has its own. */
  readonly body: Buffer;
  /** Id reserved by the `Idempotency-Key` of the call that requested it; null without a key. */
  readonly reservedId: string | null;
  /** Cause of the event, sent with it as `X-Request-Id`; absent when unknown. */
  readonly requestId?: string;
  /** The trace of that cause, when traces are collected. */
  readonly trace?: Trace;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const schema = new Schema();
// Open deliveries alone: a query that names `waits` uses them.
const open = { partialFilterExpression: { waits: { $gte: false } } };
schema.set('shardKey', { accountId: 1 });
// For the relay: what was not started.
schema.index({ waits: 1, startAt: 1 }, { name: 'start', ...open });
// For a receiver's workflow, in the order in which it sends; and for the targets that have some.
schema.index({ waits: 1, target: 1, accountId: 1, eventAt: 1, sequence: 1, _id: 1 }, { name: 'of_target', ...open });
schema.index(
  { target: 1, accountId: 1, eventAt: 1, sequence: 1, _id: 1 },
  { partialFilterExpression: { missed: true } },
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: 30 * 24 * 3_600 });
/** The row as the driver reads it: it wraps bytes in its own class. */
export type DeliveryRow = Omit<Delivery, 'body'> & { readonly body: mongo.Binary };

/** Exported for the other files of this folder, and for the operators' queries. */
export const deliveryRows = defineRows<DeliveryRow>('deliveries', schema);

export const deliveryOf = ({ body, ...row }: DeliveryRow): Delivery => ({ ...row, body: Buffer.from(body.buffer) });

type FirstState = 'attempts' | 'retryAt' | 'ordinal' | 'lastOrdinal' | 'updatedAt' | 'reservedId';
type Optional = { readonly ordinal?: number; readonly reservedId?: string | null };

/** A record without an attempt; `ordinal` defaults to 1. */
export const newDelivery = (wish: Omit<Delivery, FirstState> & Optional): Delivery => {
  const ordinal = wish.ordinal ?? 1;
  const reservedId = wish.reservedId ?? null;
  return { ...wish, attempts: 0, retryAt: null, ordinal, lastOrdinal: ordinal, reservedId, updatedAt: wish.createdAt };
};

/** The row of a delivery is found by its id, and by its account where rows are divided by accounts. */
export type DeliveryKey = Pick<Delivery, '_id' | 'accountId'>;

/** Whether this is the first record of its event and target, made for the event itself. */
export const isFirst = ({ purpose, ordinal }: Delivery): boolean => purpose === 'event' && ordinal === 1;
/** The first record of the same event and target. */
export const firstOf = (delivery: Delivery): DeliveryKey => ({
  _id: deliveryIdOf({ ...delivery, ordinal: 1 }),
  accountId: delivery.accountId,
});

export const insertDeliveries = async (
  store: StoreConnection,
  rows: readonly Delivery[],
  session: ClientSession,
): Promise<void> => {
  await insertRows(store, 'deliveries', { rows, session, ordered: true });
};

/** null when the delivery is closed or deleted. */
export async function findPendingDelivery(
  store: StoreConnection,
  { _id, accountId }: DeliveryKey,
): Promise<Delivery | null> {
  const row = await deliveryRows(store).findOne({ _id, accountId, state: 'pending' });
  return row === null ? null : deliveryOf(row);
}
