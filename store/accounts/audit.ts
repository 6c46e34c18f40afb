import { randomUUID } from 'node:crypto';
import { Schema, type ClientSession } from 'mongoose';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import { defineCollection, type StoreConnection } from '../database/connection.ts';

/** An entry of an account's log. The history of its items is in the collection `journal`. */
export type AuditRow = AuditEntry & {
  readonly _id: string;
  /** Orders the entries that one process makes in the same millisecond. */
  readonly number: number;
  readonly purgeAt: Date;
};

const schema = new Schema(
  {
    _id: String,
    accountId: String,
    number: Number,
    at: Date,
    kind: String,
    actor: {},
    details: {},
    purgeAt: Date,
  },
  { versionKey: false, minimize: false, strict: 'throw' },
);
schema.index({ accountId: 1, at: -1, number: -1, _id: -1 });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

/** Exported for the reader of the log (audit-log.ts). */
export const auditRows = defineCollection<AuditRow>('audit', schema);

/** As long as the journal of a deleted item. */
const keptMs = 400 * 86_400_000;
let latestNumber = 0;

/**
 * Adds an entry to an account's log. Call it in the transaction of the change that it describes, so that neither is stored
 * without the other. Leave the session out only when nothing else changes.
 */
export async function recordAudit(store: StoreConnection, entry: AuditEntry, session?: ClientSession): Promise<void> {
  await auditRows(store).create([rowOf(entry)], session === undefined ? {} : { session });
}

/** Adds several entries, of any accounts, in the transaction of the change that they describe. */
export async function recordAudits(
  store: StoreConnection,
  entries: readonly AuditEntry[],
  session: ClientSession,
): Promise<void> {
  await auditRows(store).insertMany(entries.map(rowOf), { session });
}

function rowOf(entry: AuditEntry): AuditRow {
  latestNumber += 1;
  return {
    ...entry,
    _id: `aud_${randomUUID()}`,
    number: latestNumber,
    purgeAt: new Date(entry.at.getTime() + keptMs),
  };
}
