import { Schema, type ClientSession } from 'mongoose';
import type { AuditEntry } from '../rules/audit-entry.ts';
import type { AccountId, SessionId } from '../../rules/ids.ts';
import type { RenewalState } from '../rules/refresh-decision.ts';
import { changePasswordHash, findAccount, insertAccount, takeTurnUnchanged, type AccountRow } from './accounts.ts';
import { recordAudit } from './audit.ts';
import { defineCollection, isDuplicateKey, type StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { insertMail, type NewMail } from '../../mail/store/mails.ts';

/** The session of one login, over all its renewals. */
export interface SessionRow extends RenewalState {
  readonly _id: SessionId;
  readonly accountId: AccountId;
  /** Hash of the part that all its refresh tokens share. */
  readonly handleHash: string;
  /** Raised by each renewal: of several concurrent renewals of one token only one takes effect. */
  readonly generation: number;
  readonly previous: ReplacedToken | null;
  readonly createdAt: Date;
  /** Moved forward by each renewal; the row is deleted some time later. */
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
  readonly endedBy: SessionEndedBy | null;
  /** Address that opened the session, so that its owner recognises it. */
  readonly address?: string;
  readonly userAgent?: string | null;
}

/** `elsewhere`: ended by its owner from another session. */
export type SessionEndedBy = 'sign_out' | 'reuse' | 'elsewhere' | 'password_change' | 'suspension' | 'restore';

export interface ReplacedToken {
  readonly secretHash: string;
  readonly rotatedAt: Date;
  /** The succeeding secret, readable only with the replaced one. */
  readonly sealedSuccessor: string;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    handleHash: { type: String, required: true },
    secretHash: { type: String, required: true },
    generation: { type: Number, required: true },
    previous: { type: {}, default: null },
    /** Counts repeated answers; has no other meaning. */
    repeats: Number,
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    endedAt: { type: Date, default: null },
    endedBy: { type: String, default: null },
    address: String,
    userAgent: String,
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ handleHash: 1 }, { unique: true });
// Partial, because ended sessions may be many. Queries must repeat the condition, or the index is not used.
schema.index({ accountId: 1, createdAt: -1, _id: -1 }, { partialFilterExpression: { endedAt: null } });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const sessions = defineCollection<SessionRow & { repeats?: number }>('sessions', schema);

/**
 * `account` is the row whose password was verified. Returns false, and stores nothing, when the password has changed since: the
 * change ends all existing sessions, and this one would survive it.
 */
export async function insertSession(
  store: StoreConnection,
  row: SessionRow,
  { account, audit }: { readonly account: AccountRow; readonly audit: AuditEntry },
): Promise<boolean> {
  return inTransaction(store, async (session) => {
    if (!(await takeTurnUnchanged(store, account, session))) return false;
    await sessions(store).create([row], { session });
    await recordAudit(store, audit, session);
    return true;
  });
}

export interface NewAccount {
  readonly account: AccountRow;
  readonly session: SessionRow;
  readonly audits: readonly AuditEntry[];
  /** null when the service sends no mail. */
  readonly mail: NewMail | null;
}

/** Stores an account with its first session. Returns false, and stores nothing, when the email is taken. */
export async function insertAccountAndSession(store: StoreConnection, made: NewAccount): Promise<boolean> {
  try {
    await inTransaction(store, async (session) => {
      await insertAccount(store, made.account, session);
      await sessions(store).create([made.session], { session });
      for (const audit of made.audits) await recordAudit(store, audit, session);
      if (made.mail !== null) await insertMail(store, made.mail, session);
    });
    return true;
  } catch (error) {
    // The driver repeats a transaction that took effect when the primary failed before it could answer: the row is then our own.
    if (isDuplicateKey(error)) return (await findAccount(store, made.account._id)) !== null;
    throw error;
  }
}

/** A renewal knows only its token, so there is no scope parameter. */
export function findSessionByHandle(store: StoreConnection, handleHash: string): Promise<SessionRow | null> {
  return sessions(store).findOne({ handleHash }).lean<SessionRow>().exec();
}

/** Whether access tokens of the session are still valid. One read by primary key. */
export async function isSessionOpen(
  store: StoreConnection,
  accountId: AccountId,
  { sessionId, now }: { readonly sessionId: SessionId; readonly now: Date },
): Promise<boolean> {
  const open = { _id: sessionId, accountId, endedAt: null, expiresAt: { $gt: now } };
  return (await sessions(store).exists(open).exec()) !== null;
}

/** Bounds the list: an account has more open sessions only if programs sign in and never sign out. */
const listedMax = 200;

/** Newest first. */
export function listOpenSessions(store: StoreConnection, accountId: AccountId, now: Date): Promise<SessionRow[]> {
  return sessions(store)
    .find({ accountId, endedAt: null, expiresAt: { $gt: now } })
    .sort({ createdAt: -1, _id: -1 })
    .limit(listedMax)
    .lean<SessionRow[]>()
    .exec();
}

/** Matches the session only if it has not been renewed or ended since it was read. */
const unchanged = ({ _id, generation }: SessionRow) => ({ _id, generation, endedAt: null });

/** Returns false, and changes nothing, when the session has been renewed or ended since it was read. */
export async function rotateSession(
  store: StoreConnection,
  seen: SessionRow,
  next: Pick<SessionRow, 'secretHash' | 'previous' | 'expiresAt'>,
): Promise<boolean> {
  const result = await sessions(store).updateOne(unchanged(seen), { $set: next, $inc: { generation: 1 } });
  return result.modifiedCount === 1;
}

/**
 * Whether the session is unchanged since it was read. This is a write, because only a write is acknowledged by a majority. A
 * successor token that is given out again must survive a failover.
 */
export async function confirmUnchanged(store: StoreConnection, seen: SessionRow): Promise<boolean> {
  const result = await sessions(store).updateOne(unchanged(seen), { $inc: { repeats: 1 } });
  return result.modifiedCount === 1;
}

export interface SessionEnd {
  readonly at: Date;
  readonly by: SessionEndedBy;
  readonly audit: AuditEntry;
}

/**
 * Ends the session even if it was renewed meanwhile: the reason to end it (its owner's wish, a reused token) applies to later
 * renewals as well. Returns false, and changes nothing, when it has ended already.
 */
export function endSession(
  store: StoreConnection,
  { _id, accountId }: Pick<SessionRow, '_id' | 'accountId'>,
  { at, by, audit }: SessionEnd,
): Promise<boolean> {
  return inTransaction(store, async (session) => {
    const end = { $set: { endedAt: at, endedBy: by } };
    const result = await sessions(store).updateOne({ _id, accountId, endedAt: null }, end, { session });
    if (result.modifiedCount === 0) return false;
    await recordAudit(store, audit, session);
    return true;
  });
}

export interface OtherSessionsEnd {
  /** The session that stays open. */
  readonly keep: SessionId;
  readonly at: Date;
  /** Makes the log entry, given the number of ended sessions. */
  readonly audit: (ended: number) => AuditEntry;
}

/** Ends all sessions of an account but one. Nothing is logged when there is no other session. */
export function endOtherSessions(
  store: StoreConnection,
  accountId: AccountId,
  { keep, at, audit }: OtherSessionsEnd,
): Promise<void> {
  return inTransaction(store, async (session) => {
    const ended = await endSessions(store, { accountId, keep, at, by: 'elsewhere' }, session);
    if (ended > 0) await recordAudit(store, audit(ended), session);
  });
}

export interface PasswordReplacement extends OtherSessionsEnd {
  readonly newHash: string;
  /** The mail that tells the account of it. */
  readonly mail: NewMail;
}

/**
 * Replaces the password and ends all sessions but one. Returns false, and changes nothing, when the password has changed since
 * `account` was read.
 */
export async function replacePassword(
  store: StoreConnection,
  account: Pick<AccountRow, '_id' | 'passwordHash'>,
  { newHash, keep, at, audit, mail }: PasswordReplacement,
): Promise<boolean> {
  return inTransaction(store, async (session) => {
    const change = await changePasswordHash(store, account, { newHash, session });
    if (change !== 'changed') return change === 'was_changed';
    const ended = await endSessions(store, { accountId: account._id, keep, at, by: 'password_change' }, session);
    await recordAudit(store, audit(ended), session);
    await insertMail(store, mail, session);
    return true;
  });
}

/** Ends all sessions of all accounts. */
export async function endAllSessions(
  store: StoreConnection,
  { at, by }: { readonly at: Date; readonly by: SessionEndedBy },
): Promise<void> {
  await sessions(store).updateMany({ endedAt: null }, { $set: { endedAt: at, endedBy: by } });
}

interface SessionsEnd {
  readonly accountId: AccountId;
  readonly keep?: SessionId;
  readonly at: Date;
  readonly by: SessionEndedBy;
}

/** Part of a transaction. Ends the open sessions of an account, all or all but one. Returns their number. */
export async function endSessions(
  store: StoreConnection,
  { accountId, keep, at, by }: SessionsEnd,
  session: ClientSession,
): Promise<number> {
  const which = { accountId, endedAt: null, expiresAt: { $gt: at }, ...(keep !== undefined && { _id: { $ne: keep } }) };
  const end = { $set: { endedAt: at, endedBy: by } };
  return (await sessions(store).updateMany(which, end, { session })).modifiedCount;
}
