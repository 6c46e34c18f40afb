import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { accountId, type AccountId } from '../core/ids.ts';

/** `secret` must have at least 32 characters; `id` is the `kid` of tokens signed with it. */
export interface SigningKey {
  readonly id: string;
  readonly secret: string;
}

export interface SessionClaims {
  readonly accountId: AccountId;
  readonly tokenId: string;
  readonly expiresAt: Date;
}

export interface SessionTokens {
  /** A new access token for the account, good for 15 minutes from `now`. */
  sign(account: AccountId, now: Date): string;
  /** The claims of a valid token, undefined for anything else; why is not told. */
  verify(token: string, now: Date): SessionClaims | undefined;
}

export const sessionTokenLifetimeSeconds = 15 * 60;
const algorithm = 'HS256';
const issuer = 'itembridge';
const audience = 'itembridge-dashboard';
const secretLengthMin = 32;

/** Access tokens of dashboard sessions (HS256). `keys` newest first: the first signs, all verify, so keys can be rotated without logging anyone out. */
export function createSessionTokens(keys: readonly SigningKey[]): SessionTokens {
  const [newest] = keys;
  if (newest === undefined) throw new Error('session tokens need at least one key');
  const weak = keys.find((key) => key.secret.length < secretLengthMin);
  if (weak !== undefined) throw new Error(`session key ${weak.id} must have at least ${secretLengthMin} characters`);
  const secretById = new Map(keys.map((key) => [key.id, key.secret]));
  return {
    sign(account, now) {
      const iat = toSeconds(now);
      return jwt.sign({ iat, exp: iat + sessionTokenLifetimeSeconds }, newest.secret, {
        algorithm,
        issuer,
        audience,
        subject: account,
        jwtid: randomUUID(),
        keyid: newest.id,
      });
    },
    verify(token, now) {
      const secret = secretById.get(keyIdOf(token) ?? '');
      if (secret === undefined) return undefined;
      try {
        return claimsOf(
          jwt.verify(token, secret, { algorithms: [algorithm], issuer, audience, clockTimestamp: toSeconds(now) }),
        );
      } catch (error) {
        if (error instanceof jwt.JsonWebTokenError) return undefined;
        throw error;
      }
    },
  };
}

const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/** Unverified: only good for choosing the key to verify with. */
function keyIdOf(token: string): string | undefined {
  try {
    return jwt.decode(token, { complete: true })?.header.kid;
  } catch {
    return undefined; // not even JSON inside
  }
}

function claimsOf(payload: string | jwt.JwtPayload): SessionClaims | undefined {
  if (typeof payload === 'string') return undefined;
  const { sub, jti, exp } = payload;
  if (typeof sub !== 'string' || typeof jti !== 'string' || typeof exp !== 'number') return undefined;
  return { accountId: accountId(sub), tokenId: jti, expiresAt: new Date(exp * 1000) };
}
