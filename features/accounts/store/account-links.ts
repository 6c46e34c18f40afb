import type { ClientSession } from 'mongoose';
import { changeEmail, changePasswordHash, markEmailVerified, runExclusive, type AccountRow } from './accounts.ts';
import { endSessions } from './sessions.ts';
import { isDuplicateKey, type StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { spendLink } from '../../mail/store/links.ts';

/** The effect of a link from a mail on its account, in one transaction with the use of the link. */
interface LinkUse<Outcome> {
  readonly link: { readonly hash: string; readonly usedBy: string };
  readonly account: AccountRow;
  readonly at: Date;
  /** What else the transaction writes: its entries in the log, its mail. */
  readonly also: (session: ClientSession, done: { readonly sessionsEnded: number }) => Promise<Outcome>;
}

/**
 * Replaces a forgotten password, ends all sessions, and marks the address as proven. Returns null, and changes nothing, when the
 * link was used or the password changed meanwhile.
 */
export function resetPassword<Outcome>(
  store: StoreConnection,
  { link, account, newHash, at, also }: LinkUse<Outcome> & { readonly newHash: string },
): Promise<Outcome | null> {
  return withLink(store, link, async (session) => {
    if ((await changePasswordHash(store, account, { newHash, session })) === 'refused') throw new Overtaken();
    await markEmailVerified(store, account, { at, session });
    const sessionsEnded = await endSessions(store, { accountId: account._id, at, by: 'password_change' }, session);
    return also(session, { sessionsEnded });
  });
}

/** Ends all sessions; `also` takes back what else gives access. Returns null, and changes nothing, when the link was used. */
export function revokeByLink<Outcome>(
  store: StoreConnection,
  { link, account: { _id: accountId }, at, also }: LinkUse<Outcome>,
): Promise<Outcome | null> {
  return withLink(store, link, async (session) => {
    await runExclusive(store, accountId, session);
    const sessionsEnded = await endSessions(store, { accountId, at, by: 'elsewhere' }, session);
    return also(session, { sessionsEnded });
  });
}

/**
 * Marks the account's present address as proven, or gives the account another proven one. `taken`: another account has
 * the address. Returns null, and changes nothing, when the link was used or the account changed its address meanwhile.
 */
export async function confirmAddress<Outcome>(
  store: StoreConnection,
  { link, account, email, at, also }: LinkUse<Outcome> & { readonly email: string },
): Promise<Outcome | 'taken' | null> {
  try {
    return await withLink(store, link, async (session) => {
      if (!(await changeEmail(store, account, { email, at, session }))) throw new Overtaken();
      return also(session, { sessionsEnded: 0 });
    });
  } catch (error) {
    if (isDuplicateKey(error)) return 'taken';
    throw error;
  }
}

/** Aborts the transaction, so that the link does not count as used. */
class Overtaken extends Error {}

async function withLink<Outcome>(
  store: StoreConnection,
  link: LinkUse<Outcome>['link'],
  effect: (session: ClientSession) => Promise<Outcome>,
): Promise<Outcome | null> {
  try {
    return await inTransaction(store, async (session) =>
      (await spendLink(store, link, session)) ? await effect(session) : null,
    );
  } catch (error) {
    if (error instanceof Overtaken) return null;
    throw error;
  }
}
