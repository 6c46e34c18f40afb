import type { ClientSession } from 'mongoose';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import { changeEmail, changePasswordHash, markEmailVerified, type AccountRow } from './accounts.ts';
import { recordAudit } from './audit.ts';
import { endSessions } from './sessions.ts';
import { isDuplicateKey, type StoreConnection } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { spendLink } from '../mail/links.ts';
import { insertMail, type NewMail } from '../mail/mails.ts';

/** The effect of a link from a mail on its account, in one transaction with the use of the link. */
interface LinkUse {
  readonly link: { readonly hash: string; readonly usedBy: string };
  readonly account: AccountRow;
  readonly at: Date;
  /** The mail that tells the account of it. */
  readonly mail: NewMail;
}

export interface PasswordReset extends LinkUse {
  readonly newHash: string;
  /** Makes the log entry, given the number of ended sessions. */
  readonly audit: (ended: number) => AuditEntry;
}

/**
 * Replaces a forgotten password, ends all sessions, and marks the address as proven. Returns false, and changes
 * nothing, when the link was used or the password changed meanwhile.
 */
export function resetPassword(store: StoreConnection, reset: PasswordReset): Promise<boolean> {
  const { link, account, newHash, at, audit, mail } = reset;
  return inTransaction(store, async (session) => {
    if (!(await spendLink(store, link, session))) return false;
    const change = await changePasswordHash(store, account, { newHash, session });
    if (change === 'refused') throw new Overtaken();
    if (change === 'was_changed') return true;
    await markEmailVerified(store, account, { at, session });
    const ended = await endSessions(store, { accountId: account._id, at, by: 'password_change' }, session);
    await recordAudit(store, audit(ended), session);
    await insertMail(store, mail, session);
    return true;
  }).catch(falseWhen((error) => error instanceof Overtaken));
}

/** Aborts the transaction, so that the link does not count as used. */
class Overtaken extends Error {}

const falseWhen =
  (isExpected: (error: unknown) => boolean) =>
  (error: unknown): false => {
    if (isExpected(error)) return false;
    throw error;
  };

export interface AddressConfirmation extends Omit<LinkUse, 'mail'> {
  readonly email: string;
  readonly audit: AuditEntry;
  /** To the former address; null when the account keeps its address. */
  readonly mail: NewMail | null;
}

/**
 * Marks the account's present address as proven, or gives the account another proven one. `taken`: another account has
 * the address. `overtaken`: the link was used, or the account changed its address meanwhile.
 */
export async function confirmAddress(
  store: StoreConnection,
  confirmation: AddressConfirmation,
): Promise<'confirmed' | 'taken' | 'overtaken'> {
  try {
    const isDone = await inTransaction(store, (session) => confirmWithin(store, confirmation, session));
    return isDone ? 'confirmed' : 'overtaken';
  } catch (error) {
    if (error instanceof Overtaken) return 'overtaken';
    if (isDuplicateKey(error)) return 'taken';
    throw error;
  }
}

async function confirmWithin(
  store: StoreConnection,
  { link, account, email, at, audit, mail }: AddressConfirmation,
  session: ClientSession,
): Promise<boolean> {
  if (!(await spendLink(store, link, session))) return false;
  const isChanged = await changeEmail(store, account, { email, at, session });
  if (!isChanged) throw new Overtaken();
  await recordAudit(store, audit, session);
  if (mail !== null) await insertMail(store, mail, session);
  return true;
}
