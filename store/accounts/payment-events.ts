import { Schema, type ClientSession } from 'mongoose';
import type { AccountId } from '../../core/ids.ts';
import { defineCollection, type StoreConnection } from '../database/connection.ts';

/** One event of the payment processor that has had its effect. */
export interface PaymentEventRow {
  /** The processor's id. */
  readonly _id: string;
  readonly accountId: AccountId;
  readonly type: string;
  /** By the processor's clock. */
  readonly createdAt: Date;
  readonly appliedAt: Date;
  readonly purgeAt: Date;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    type: { type: String, required: true },
    createdAt: { type: Date, required: true },
    appliedAt: { type: Date, required: true },
    purgeAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

const paymentEvents = defineCollection<PaymentEventRow>('payment_events', schema);

/** Longer than the processor resends events: automatically for some days, by hand for 30. */
const keptMs = 60 * 86_400_000;

export async function isPaymentEventApplied(store: StoreConnection, eventId: string): Promise<boolean> {
  return (await paymentEvents(store).exists({ _id: eventId })) !== null;
}

/** Part of the transaction of the event's effect. Throws a duplicate key error (`isDuplicateKey`) when it was applied before. */
export async function insertPaymentEvent(
  store: StoreConnection,
  event: Omit<PaymentEventRow, 'purgeAt'>,
  session: ClientSession,
): Promise<void> {
  const purgeAt = new Date(event.appliedAt.getTime() + keptMs);
  await paymentEvents(store).create([{ ...event, purgeAt }], { session });
}
