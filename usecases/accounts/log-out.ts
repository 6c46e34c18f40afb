import { hashTokenPart, readRefreshToken } from '../../security/refresh-token.ts';
import { endSession, findSessionByHandle } from '../../store/accounts/sessions.ts';
import type { Context } from '../context.ts';
import { ownerBy, type Caller } from './caller.ts';

/**
 * Ends the session that a refresh token belongs to, its access tokens too, whether the token is the newest or an older one.
 * No effect, and no error, when there is none or it is over.
 */
export async function logOut(
  { store, now }: Pick<Context, 'store' | 'now'>,
  caller: Pick<Caller, 'requestId'>,
  text: string,
): Promise<void> {
  const token = readRefreshToken(text);
  if (token === undefined) return;
  const row = await findSessionByHandle(store, hashTokenPart(token.handle));
  const at = now();
  if (row === null || row.endedAt !== null || row.expiresAt <= at) return;
  const actor = ownerBy(row.accountId, caller);
  const details = { sessionId: row._id };
  const audit = { accountId: row.accountId, actor, at, details, kind: 'signed_out', message: 'Signed out' } as const;
  await endSession(store, row, { at, by: 'sign_out', audit });
}
