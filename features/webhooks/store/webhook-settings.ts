import { Schema, type ClientSession } from 'mongoose';
import type { AuditEntry } from '../../accounts/rules/audit-entry.ts';
import type { AccountId } from '../../rules/ids.ts';
import { recordAudit } from '../../accounts/store/audit.ts';
import { defineCollection, type StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { indexReceivers, newAddress, receiverFields, type ReceiverState } from './receiver-state.ts';

/** The account-level URL: one more target that takes all events of the account itself. */
export interface WebhookSettingsRow extends ReceiverState {
  readonly _id: AccountId;
  readonly url: string | null;
  /** Since when the account has had any URL, in the database's time; absent before the first. */
  readonly urlSince?: Date;
  /** Deliveries to the URL given up in a row; absent means 0. */
  readonly failCount?: number;
  readonly secretEncrypted: string;
  readonly secretHint: string;
  /** Whether the partner has seen the secret in full. */
  readonly secretShown: boolean;
  readonly updatedAt: Date;
}

export type NewSecret = Pick<WebhookSettingsRow, 'secretEncrypted' | 'secretHint'>;

const schema = new Schema(
  {
    _id: { type: String, required: true },
    url: { type: String, default: null },
    urlSince: Date,
    failCount: Number,
    ...receiverFields,
    secretEncrypted: { type: String, required: true },
    secretHint: { type: String, required: true },
    secretShown: { type: Boolean, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
indexReceivers(schema);

/** Exported for deliveries, which read their target and secret, and count their failures. */
export const webhookSettings = defineCollection<WebhookSettingsRow>('webhook_settings', schema);

/** Stores `secret` and its audit entry unless the account has a secret already. Returns the settings that are then stored. */
export function ensureSettings(
  store: StoreConnection,
  accountId: AccountId,
  initial: { secret: NewSecret; now: Date; audit: AuditEntry },
): Promise<WebhookSettingsRow> {
  return inTransaction(store, async (session) => {
    const found = await webhookSettings(store).findById(accountId, null, { session }).lean<WebhookSettingsRow>().exec();
    if (found !== null) return found;
    const row = { ...initial.secret, _id: accountId, url: null, secretShown: false, updatedAt: initial.now };
    // Of two concurrent transactions one conflicts and restarts.
    await webhookSettings(store).create([row], { session });
    await recordAudit(store, initial.audit, session);
    return row;
  });
}

/** Adds one to the URL's count of deliveries given up in a row, or resets the count. */
export async function countFailures(
  store: StoreConnection,
  accountId: AccountId,
  { failed, session }: { readonly failed: boolean; readonly session: ClientSession },
): Promise<void> {
  const change = failed ? { $inc: { failCount: 1 } } : { $set: { failCount: 0 } };
  await webhookSettings(store).updateOne({ _id: accountId }, change, { session });
}

/** The settings; null before the account's first read or URL. */
export function findSettings(
  store: StoreConnection,
  accountId: AccountId,
  session?: ClientSession,
): Promise<WebhookSettingsRow | null> {
  return webhookSettings(store)
    .findById(accountId)
    .session(session ?? null)
    .lean<WebhookSettingsRow>()
    .exec();
}

/** Returns true to exactly one caller, which then shows this secret in full. */
export async function claimShowingSecret(store: StoreConnection, row: WebhookSettingsRow): Promise<boolean> {
  const result = await webhookSettings(store).updateOne(
    { _id: row._id, secretEncrypted: row.secretEncrypted, secretShown: false },
    { $set: { secretShown: true } },
  );
  return result.modifiedCount === 1;
}

/** Returns false, and changes nothing, when the URL is the same already. */
export async function setSettingsUrl(
  store: StoreConnection,
  accountId: AccountId,
  change: { url: string | null; now: Date; session: ClientSession },
): Promise<boolean> {
  const { url, now, session } = change;
  const settings = webhookSettings(store);
  if (url !== null)
    await settings.updateOne({ _id: accountId, url: null }, { $currentDate: { urlSince: true } }, { session });
  const result = await settings.updateOne(
    { _id: accountId, url: { $ne: url } },
    { $set: { ...newAddress, url, failCount: 0, updatedAt: now, startAt: now } },
    { session },
  );
  return result.modifiedCount === 1;
}

/** Part of a transaction: URL and secret are gone, and the next reader gets a new secret. */
export async function removeSettings(
  store: StoreConnection,
  accountId: AccountId,
  session: ClientSession,
): Promise<void> {
  await webhookSettings(store).deleteOne({ _id: accountId }, { session });
}

/** Stores a new secret, which the caller shows in full. The old one is invalid from this write on. */
export function replaceSettingsSecret(
  store: StoreConnection,
  accountId: AccountId,
  change: { secret: NewSecret; now: Date; session: ClientSession },
): Promise<WebhookSettingsRow> {
  return webhookSettings(store)
    .findOneAndUpdate(
      { _id: accountId },
      { $set: { ...change.secret, secretShown: true, updatedAt: change.now }, $setOnInsert: { url: null } },
      { upsert: true, returnDocument: 'after', session: change.session },
    )
    .lean<WebhookSettingsRow>()
    .exec();
}
