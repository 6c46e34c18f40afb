import { Schema, type ClientSession } from 'mongoose';
import type { EventType } from '../core/events/event-types.ts';
import type { AccountId, EndpointId } from '../core/ids.ts';
import type { EndpointLife } from '../core/webhooks/endpoint-life.ts';
import { takeTurn } from './accounts.ts';
import { defineCollection, type StoreConnection } from './connection.ts';
import { inTransaction } from './transaction.ts';

/** What its deliveries do to it is in {@link EndpointLife}. */
export interface WebhookEndpointRow extends EndpointLife {
  readonly _id: EndpointId;
  readonly accountId: AccountId;
  readonly url: string;
  /** Empty means all events. */
  readonly eventTypes: readonly EventType[];
  readonly scope: 'self' | 'members';
  readonly description: string;
  readonly secretEncrypted: string;
  /** Masked, safe to show. */
  readonly secretHint: string;
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
    lastError: { type: String, default: null },
    lastFailureAt: { type: Date, default: null },
    disabledReason: { type: String, default: null },
    disabledAt: { type: Date, default: null },
    autoRecover: { type: Boolean, default: false },
    recoverAt: { type: Date, default: null },
    recoverTries: { type: Number, default: 0 },
    enabledAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ accountId: 1, createdAt: 1 });
schema.index({ recoverAt: 1 }, { partialFilterExpression: { recoverAt: { $type: 'date' } } });

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

export type EndpointChange = Partial<Omit<WebhookEndpointRow, '_id' | 'accountId' | 'createdAt' | 'updatedAt'>>;

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

/**
 * Reads an endpoint and writes what `plan` makes of it, so that what deliveries write meanwhile is not overwritten. null when the
 * account has no such endpoint.
 */
export function reviseEndpoint(
  store: StoreConnection,
  accountId: AccountId,
  revision: { endpointId: EndpointId; plan: (row: WebhookEndpointRow) => EndpointChange; now: Date },
): Promise<WebhookEndpointRow | null> {
  const { endpointId, plan, now } = revision;
  const endpoints = webhookEndpoints(store);
  return inTransaction(store, async (session) => {
    const row = await endpoints.findOne({ _id: endpointId, accountId }, null, { session }).lean<WebhookEndpointRow>();
    if (row === null) return null;
    const changed = { ...plan(row), updatedAt: now };
    await endpoints.updateOne({ _id: endpointId }, { $set: changed }, { session });
    return { ...row, ...changed };
  });
}

/** Writes what `next` makes of the endpoint's life, in the caller's transaction; nothing when it stays the same. */
export async function changeEndpointLife(
  store: StoreConnection,
  endpointId: EndpointId,
  { next, session }: { next: (life: WebhookEndpointRow) => EndpointLife; session: ClientSession },
): Promise<void> {
  const endpoints = webhookEndpoints(store);
  const row = await endpoints.findOne({ _id: endpointId }, null, { session }).lean<WebhookEndpointRow>();
  if (row === null) return;
  const life = next(row);
  if (life !== row) await endpoints.updateOne({ _id: endpointId }, { $set: lifeOf(life) }, { session });
}

/** The life alone, without what else a row holds. */
export const lifeOf = (life: EndpointLife): EndpointLife => ({
  active: life.active,
  failCount: life.failCount,
  lastError: life.lastError,
  lastFailureAt: life.lastFailureAt,
  disabledReason: life.disabledReason,
  disabledAt: life.disabledAt,
  autoRecover: life.autoRecover,
  recoverAt: life.recoverAt,
  recoverTries: life.recoverTries,
  enabledAt: life.enabledAt,
});

/** Endpoints whose recovery should begin now, the longest due first. */
export function findDueForRecovery(store: StoreConnection, now: Date, rowsMax: number): Promise<WebhookEndpointRow[]> {
  return (
    webhookEndpoints(store)
      // The type is said again: without it the partial index can't be used.
      .find({ recoverAt: { $lte: now, $type: 'date' } })
      .sort({ recoverAt: 1 })
      .limit(rowsMax)
      .lean<WebhookEndpointRow[]>()
      .exec()
  );
}

export function findEndpoint(
  store: StoreConnection,
  accountId: AccountId,
  endpointId: EndpointId,
): Promise<WebhookEndpointRow | null> {
  return webhookEndpoints(store).findOne({ _id: endpointId, accountId }).lean<WebhookEndpointRow>().exec();
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
