import { randomUUID } from 'node:crypto';
import { Schema, type ClientSession } from 'mongoose';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import { defineCollection, type StoreConnection } from '../database/connection.ts';

/** An entry of an account's log; what happens to its items is in the collection `journal`. */
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

/** The reader of the log works on the same model. */
export const auditRows = defineCollection<AuditRow>('audit', schema);

/** As long as what was done to a deleted item. */
const keptMs = 400 * 86_400_000;
let latestNumber = 0;

/**
 * Adds an entry to an account's log. Call it in the transaction of the change it tells of, so that neither is there without
 * the other; without a session only for what changes nothing else.
 */
export async function recordAudit(store: StoreConnection, entry: AuditEntry, session?: ClientSession): Promise<void> {
  await auditRows(store).create([rowOf(entry)], session === undefined ? {} : { session });
}

/** Many at once, of whichever accounts, in the transaction of the change they tell of. */
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
