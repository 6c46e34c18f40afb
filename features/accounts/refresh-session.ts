import { Refusal } from '../rules/errors.ts';
import { theService } from '../items/rules/journal.ts';
import { decideRefresh, sessionExpiry } from './rules/refresh-decision.ts';
import {
  hashTokenPart,
  nextRefreshToken,
  openSuccessor,
  readRefreshToken,
  refreshTokenText,
  sealSuccessor,
  type RefreshToken,
} from '../../platform/security/refresh-token.ts';
import { untilWon } from '../../platform/concurrency/until-won.ts';
import { findAccount } from './store/accounts.ts';
import { confirmUnchanged, endSession, findSessionByHandle, rotateSession, type SessionRow } from './store/sessions.ts';
import type { Context } from '../context.ts';
import type { Caller } from './authenticate-session.ts';
import { cookieToken, describeSession, pageToken, type OpenedSession } from './own-sessions.ts';

type Needs = Pick<Context, 'store' | 'sessions' | 'pageTokens' | 'now'>;

/** Rounds without a decision were lost to other calls with a token of the same session. */
const roundsMax = 5;

/**
 * Exchanges a refresh token for a new access token and a successor. The same token sent again within moments gets the same
 * successor while that is unused. Any other old token ends the whole session. Of several `texts`, the one with an open session
 * counts; with two open sessions none does. Throws {@link Refusal} UNAUTHORIZED, with the same words for all reasons.
 */
export async function refreshSession(
  context: Needs,
  caller: RefreshCaller,
  texts: readonly string[],
): Promise<OpenedSession> {
  const token = await chooseToken(context, texts);
  const renewOnce = async (): Promise<Renewed | 'refused' | null> => {
    const row = await findSessionByHandle(context.store, hashTokenPart(token.handle));
    return row === null ? 'refused' : renew(context, { row, token, caller });
  };
  const renewed = await untilWon(renewOnce, { rounds: roundsMax });
  if (renewed === 'refused') throw notRenewable();
  if (renewed !== null) return answer(context, renewed);
  throw new Refusal('UNAVAILABLE', 'This session is being renewed many times at once', { retryAfterSeconds: 1 });
}

type RefreshCaller = Pick<Caller, 'requestId' | 'address'>;

async function chooseToken({ store, now }: Needs, texts: readonly string[]): Promise<RefreshToken> {
  const tokens = [...new Set(texts)].flatMap((text) => readRefreshToken(text) ?? []);
  const [first, ...others] = tokens;
  if (first !== undefined && others.length === 0) return first;
  const rows = await Promise.all(tokens.map(({ handle }) => findSessionByHandle(store, hashTokenPart(handle))));
  const at = now();
  const open = tokens.filter((_, n) => rows[n]?.endedAt === null && rows[n].expiresAt > at);
  const [only, ...more] = open;
  if (only === undefined || more.length > 0) throw notRenewable();
  return only;
}

interface Presented {
  readonly row: SessionRow;
  readonly token: RefreshToken;
  readonly caller: RefreshCaller;
}

interface Renewed {
  readonly row: SessionRow;
  readonly successor: RefreshToken;
}

/** Returns null when the row is no longer as it was read. */
async function renew(context: Needs, presented: Presented): Promise<Renewed | 'refused' | null> {
  const { row, token } = presented;
  switch (decideRefresh(row, hashTokenPart(token.secret), context.now())) {
    case 'rotate':
      return rotate(context, presented);
    case 'repeat':
      return repeat(context, presented);
    case 'reuse':
      return (await endForReuse(context, presented)) ? 'refused' : null;
    case 'over':
      return 'refused';
  }
}

async function rotate({ store, now }: Needs, { row, token }: Presented): Promise<Renewed | null> {
  const at = now();
  const successor = nextRefreshToken(token);
  const next = {
    secretHash: hashTokenPart(successor.secret),
    previous: {
      secretHash: row.secretHash,
      rotatedAt: at,
      sealedSuccessor: sealSuccessor(token, successor, placeOf(row)),
    },
    expiresAt: sessionExpiry(row.createdAt, at),
  };
  return (await rotateSession(store, row, next)) ? { row: { ...row, ...next }, successor } : null;
}

async function repeat({ store }: Needs, { row, token }: Presented): Promise<Renewed | null> {
  if (row.previous === null || !(await confirmUnchanged(store, row))) return null;
  return { row, successor: openSuccessor(token, row.previous.sealedSuccessor, placeOf(row)) };
}

/**
 * The two holders of one token can't be told apart, so the session ends for both, and the log entry names neither as
 * the owner.
 */
const endForReuse = ({ store, now }: Needs, { row, caller }: Presented): Promise<boolean> =>
  endSession(store, row, {
    at: now(),
    by: 'reuse',
    audit: {
      accountId: row.accountId,
      actor: { ...theService, requestId: caller.requestId },
      kind: 'session_reuse_detected',
      at: now(),
      details: { sessionId: row._id, address: caller.address },
    },
  });

async function answer(context: Needs, { row, successor }: Renewed): Promise<OpenedSession> {
  const account = await findAccount(context.store, row.accountId);
  if (account === null) throw notRenewable();
  const refresh = cookieToken(refreshTokenText(successor), row.expiresAt, context.now());
  return { session: describeSession(context, account, row), refresh, page: pageToken(context, row) };
}

const placeOf = ({ _id }: SessionRow): string => `session:${_id}`;

const notRenewable = (): Refusal => new Refusal('UNAUTHORIZED', 'The session is over; sign in again');
