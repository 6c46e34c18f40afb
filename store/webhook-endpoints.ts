import { Schema } from 'mongoose';
import type { EventType } from '../core/events/event-types.ts';
import type { AccountId, EndpointId } from '../core/ids.ts';
import { takeTurn } from './accounts.ts';
import { defineCollection, type StoreConnection } from './connection.ts';
import { inTransaction } from './transaction.ts';

export interface WebhookEndpointRow {
  readonly _id: EndpointId;
  readonly accountId: AccountId;
  readonly url: string;
  /** Empty means all events. */
  readonly eventTypes: readonly EventType[];
  readonly scope: 'self' | 'members';
  readonly active: boolean;
  /** Deliveries given up in a row. */
  readonly failCount: number;
  readonly description: string;
  readonly secretEncrypted: string;
  /** Masked, safe to show. */
  readonly secretHint: string;
  /** How long the previous attempt took; null before the first. Written by the deliveries. */
  readonly lastAttemptMs: number | null;
  readonly lastAttemptSucceeded: boolean | null;
  /** Why it is not active, when the platform disabled it. */
  readonly disabledReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    url: { type: String, required: true },
    eventTypes: { type: [String], default: [] },
    scope: { type: String, required: true, enum: ['self', 'members'] },
    active: { type: Boolean, required: true },
    failCount: { type: Number, required: true },
    description: { type: String, default: '' },
    secretEncrypted: { type: String, required: true },
    secretHint: { type: String, required: true },
    lastAttemptMs: { type: Number, default: null },
    lastAttemptSucceeded: { type: Boolean, default: null },
    disabledReason: { type: String, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ accountId: 1, createdAt: 1 });

/** Deliveries read and note their attempts through the same model. */
export const webhookEndpoints = defineCollection<WebhookEndpointRow>('webhook_endpoints', schema);

/** Answers false, and stores nothing, when the account already has `endpointsMax`. */
export function insertEndpoint(
  store: StoreConnection,
  row: WebhookEndpointRow,
  endpointsMax: number,
): Promise<boolean> {
  return inTransaction(store, async (session) => {
    await takeTurn(store, row.accountId, session);
    const known = await webhookEndpoints(store).countDocuments({ accountId: row.accountId }, { session });
    if (known >= endpointsMax) return false;
    await webhookEndpoints(store).create([row], { session });
    return true;
  });
}

/** Oldest first. */
export function listEndpoints(store: StoreConnection, accountId: AccountId): Promise<WebhookEndpointRow[]> {
  return webhookEndpoints(store).find({ accountId }).sort({ createdAt: 1, _id: 1 }).lean<WebhookEndpointRow[]>().exec();
}

export type EndpointChange = Partial<
  Pick<
    WebhookEndpointRow,
    | 'url'
    | 'eventTypes'
    | 'scope'
    | 'active'
    | 'failCount'
    | 'description'
    | 'secretEncrypted'
    | 'secretHint'
    | 'disabledReason'
  >
>;

/** One atomic write; null when the account has no such endpoint. */
export function changeEndpoint(
  store: StoreConnection,
  accountId: AccountId,
  change: { endpointId: EndpointId; set: EndpointChange; now: Date },
): Promise<WebhookEndpointRow | null> {
  return webhookEndpoints(store)
    .findOneAndUpdate(
      { _id: change.endpointId, accountId },
      { $set: { ...change.set, updatedAt: change.now } },
      { returnDocument: 'after' },
    )
    .lean<WebhookEndpointRow>()
    .exec();
}

/** Answers false when the account has no such endpoint. */
export async function removeEndpoint(
  store: StoreConnection,
  accountId: AccountId,
  endpointId: EndpointId,
): Promise<boolean> {
  const result = await webhookEndpoints(store).deleteOne({ _id: endpointId, accountId });
  return result.deletedCount === 1;
}
