import { Schema, type ClientSession } from 'mongoose';
import type { AuditEntry } from '../../accounts/rules/audit-entry.ts';
import type { EventType } from '../rules/event-types.ts';
import type { AccountId, EndpointId } from '../../rules/ids.ts';
import { theService } from '../../items/rules/journal.ts';
import type { EndpointLife } from '../rules/disable-after-failures.ts';
import { runExclusive } from '../../accounts/store/accounts.ts';
import { recordAudit } from '../../accounts/store/audit.ts';
import { insertNotice, type NewNotice } from '../../mail/store/mails.ts';
import { defineCollection, type StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { indexReceivers, receiverFields, type ReceiverState } from './receiver-state.ts';

/** A webhook endpoint. {@link EndpointLife} holds the fields that its deliveries change. */
export interface WebhookEndpointRow extends EndpointLife, ReceiverState {
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
  /** In the database's time: the endpoint gets events accepted since then. */
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
    ...receiverFields,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ accountId: 1, createdAt: 1 });
indexReceivers(schema);
// For operators who ask about one account.
schema.index({ accountId: 1, troubleSince: 1 }, { partialFilterExpression: { troubleSince: { $type: 'date' } } });
// For operators: the endpoints that fail most.
schema.index({ failCount: -1, _id: 1 }, { partialFilterExpression: { failCount: { $gt: 0 } } });
schema.index({ recoverAt: 1 }, { partialFilterExpression: { recoverAt: { $type: 'date' } } });
// For the operator's counts of endpoints.
schema.index({ active: 1 });

/** Exported for deliveries, which read endpoints and record their outcomes in them. */
export const webhookEndpoints = defineCollection<WebhookEndpointRow>('webhook_endpoints', schema);

/**
 * Stores the endpoint and its audit entry. Returns null, and stores nothing, when the account already has `endpointsMax`. `confirm`
 * is called when the account's turn has come; its error aborts the transaction and is thrown on.
 */
export function insertEndpoint(
  store: StoreConnection,
  row: WebhookEndpointRow,
  { endpointsMax, audit, confirm }: { endpointsMax: number; audit: AuditEntry; confirm: () => Promise<void> },
): Promise<WebhookEndpointRow | null> {
  return inTransaction(store, async (session) => {
    await runExclusive(store, row.accountId, session);
    const known = await webhookEndpoints(store).countDocuments({ accountId: row.accountId }, { session });
    if (known >= endpointsMax) return null;
    await confirm();
    await webhookEndpoints(store).create([row], { session });
    await recordAudit(store, audit, session);
    return webhookEndpoints(store)
      .findOneAndUpdate({ _id: row._id }, { $currentDate: { createdAt: true } }, { session, returnDocument: 'after' })
      .lean<WebhookEndpointRow>();
  });
}

/** Oldest first. */
export function listEndpoints(
  store: StoreConnection,
  accountId: AccountId,
  session?: ClientSession,
): Promise<WebhookEndpointRow[]> {
  return webhookEndpoints(store)
    .find({ accountId })
    .sort({ createdAt: 1, _id: 1 })
    .session(session ?? null)
    .lean<WebhookEndpointRow[]>()
    .exec();
}

/** Part of a transaction that removes all endpoints of the account. */
export async function removeEndpoints(
  store: StoreConnection,
  accountId: AccountId,
  session: ClientSession,
): Promise<void> {
  await webhookEndpoints(store).deleteMany({ accountId }, { session });
}

export type EndpointChange = Partial<Omit<WebhookEndpointRow, '_id' | 'accountId' | 'createdAt' | 'updatedAt'>>;

/**
 * Reads an endpoint and writes the result of `plan` with its audit entry (null: no entry). This is one transaction, so that
 * concurrent writes of deliveries are not overwritten. Returns null when the account has no such endpoint.
 */
export function reviseEndpoint(
  store: StoreConnection,
  accountId: AccountId,
  revision: {
    endpointId: EndpointId;
    plan: (row: WebhookEndpointRow) => EndpointChange;
    audit: (before: WebhookEndpointRow, after: WebhookEndpointRow) => AuditEntry | null;
    now: Date;
  },
): Promise<WebhookEndpointRow | null> {
  const { endpointId, plan, audit, now } = revision;
  const endpoints = webhookEndpoints(store);
  return inTransaction(store, async (session) => {
    const row = await endpoints.findOne({ _id: endpointId, accountId }, null, { session }).lean<WebhookEndpointRow>();
    if (row === null) return null;
    const changed = { ...plan(row), updatedAt: now };
    await endpoints.updateOne({ _id: endpointId }, { $set: changed }, { session });
    const revised = { ...row, ...changed };
    const entry = audit(row, revised);
    if (entry !== null) await recordAudit(store, entry, session);
    return revised;
  });
}

/**
 * Writes the endpoint's next life, as `next` computes it, in the caller's transaction. Writes nothing when it is unchanged. When
 * the endpoint becomes disabled, its account gets a log entry and a notice.
 */
export async function changeEndpointLife(
  store: StoreConnection,
  endpointId: EndpointId,
  { next, session }: { next: (life: WebhookEndpointRow) => EndpointLife; session: ClientSession },
): Promise<void> {
  const endpoints = webhookEndpoints(store);
  const row = await endpoints.findOne({ _id: endpointId }, null, { session }).lean<WebhookEndpointRow>();
  if (row === null) return;
  const life = next(row);
  if (life === row) return;
  await endpoints.updateOne({ _id: endpointId }, { $set: lifeOf(life) }, { session });
  if (!row.active || life.active) return;
  const entry = disabledEntry(row, life);
  await recordAudit(store, entry, session);
  await insertNotice(store, disabledNotice(row, entry.at), session);
}

/** Entry for an endpoint that its deliveries have disabled. An owner's change makes its own entry. */
const disabledEntry = (row: WebhookEndpointRow, { disabledAt, disabledReason }: EndpointLife): AuditEntry => ({
  accountId: row.accountId,
  actor: theService,
  kind: 'webhook_disabled',
  at: disabledAt ?? new Date(),
  details: { webhookId: row._id, origin: new URL(row.url).origin, reason: disabledReason ?? 'disabled' },
});

const disabledNotice = ({ _id, accountId, url }: WebhookEndpointRow, at: Date): NewNotice => ({
  accountId,
  at,
  occurrence: `${_id}:${at.toISOString()}`,
  notice: { what: 'webhook_disabled', webhookId: _id, origin: new URL(url).origin },
});

/** The life's fields without the other fields of a row. */
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
      // `$type` repeats the index's condition: without it the partial index can't be used.
      .find({ recoverAt: { $lte: now, $type: 'date' } })
      .sort({ recoverAt: 1 })
      .limit(rowsMax)
      .lean<WebhookEndpointRow[]>()
      .exec()
  );
}

/** The endpoint; null when the account has none with this id. */
export function findEndpoint(
  store: StoreConnection,
  accountId: AccountId,
  endpointId: EndpointId,
): Promise<WebhookEndpointRow | null> {
  return webhookEndpoints(store).findOne({ _id: endpointId, accountId }).lean<WebhookEndpointRow>().exec();
}

/** Returns false when the account has no such endpoint. */
export function removeEndpoint(
  store: StoreConnection,
  accountId: AccountId,
  { endpointId, audit }: { endpointId: EndpointId; audit: (removed: WebhookEndpointRow) => AuditEntry },
): Promise<boolean> {
  return inTransaction(store, async (session) => {
    const row = await webhookEndpoints(store)
      .findOneAndDelete({ _id: endpointId, accountId }, { session })
      .lean<WebhookEndpointRow>()
      .exec();
    if (row === null) return false;
    await recordAudit(store, audit(row), session);
    return true;
  });
}
