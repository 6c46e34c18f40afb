import type { AccountId } from '../../core/ids.ts';
import type { Context } from '../context.ts';

export interface RecognisedToken {
  readonly accountId: AccountId;
  /** Its 15 minutes are not over; whether its session still lives is not asked. */
  readonly isCurrent: boolean;
}

/** Whose session token it is, by its signature alone; undefined for what this service has not signed. Asks no database. */
export function recogniseToken(
  { sessions, now }: Pick<Context, 'sessions' | 'now'>,
  token: string | undefined,
): RecognisedToken | undefined {
  const at = now();
  const claims = token === undefined ? undefined : sessions.verify(token, at, { isExpiredTaken: true });
  return claims && { accountId: claims.accountId, isCurrent: claims.expiresAt > at };
}
