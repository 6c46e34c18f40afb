import { createSecretKey, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { accountId, sessionId, type AccountId, type SessionId } from '../../features/rules/ids.ts';

/** `secret` must have at least 32 characters; `id` is the `kid` of tokens signed with it. */
export interface SigningKey {
  readonly id: string;
  readonly secret: string;
}

export interface SignedClaims {
  /** `sub` */
  readonly subject: string;
  /** `sid`; undefined for kinds of tokens without one. */
  readonly sessionId: string | undefined;
  /** `jti`, unique to each token. */
  readonly tokenId: string;
  readonly expiresAt: Date;
}

/** One kind of token, distinguished by its audience. */
export interface SignedTokens {
  sign(claims: { readonly subject: string; readonly sessionId?: string }, now: Date): string;
  /** The claims of a valid token; undefined, without a reason, for anything else. */
  verify(token: string, now: Date): SignedClaims | undefined;
}

const algorithm = 'HS256';
const issuer = 'itembridge';
const secretLengthMin = 32;
/** Largest difference between the clocks of two machines. A token from further in the future was not made by this service. */
const clockSkewSeconds = 60;

/**
 * JSON Web Tokens of one audience and lifetime (HS256). `keys` newest first: the first signs, all verify, so that a key can be
 * replaced while its tokens stay valid. Throws an Error when a key is weak or an id is repeated.
 */
export function createSignedTokens(
  keys: readonly SigningKey[],
  { audience, lifetimeSeconds }: { readonly audience: string; readonly lifetimeSeconds: number },
): SignedTokens {
  const newest = checkedNewest(keys);
  // Key objects, because the library first tries to parse a text as a public key at each call, which is slower than the rest.
  const secretById = new Map(keys.map(({ id, secret }) => [id, createSecretKey(secret, 'utf8')]));
  const newestSecret = createSecretKey(newest.secret, 'utf8');
  return {
    sign({ subject, sessionId }, now) {
      const iat = toSeconds(now);
      const payload = { ...(sessionId !== undefined && { sid: sessionId }), iat, exp: iat + lifetimeSeconds };
      const options = { algorithm, issuer, audience, subject, jwtid: randomUUID(), keyid: newest.id } as const;
      return jwt.sign(payload, newestSecret, options);
    },
    verify(token, now) {
      const secret = secretById.get(keyIdOf(token) ?? '');
      if (secret === undefined) return undefined;
      const clockTimestamp = toSeconds(now);
      try {
        const payload = jwt.verify(token, secret, { algorithms: [algorithm], issuer, audience, clockTimestamp });
        return claimsOf(payload, { audience, lifetimeSeconds, clockTimestamp });
      } catch {
        return undefined; // any error of the library means an invalid token
      }
    },
  };
}

function checkedNewest(keys: readonly SigningKey[]): SigningKey {
  const [newest] = keys;
  if (newest === undefined) throw new Error('session tokens need at least one key');
  const weak = keys.find((key) => key.secret.length < secretLengthMin);
  if (weak !== undefined) throw new Error(`session key ${weak.id} must have at least ${secretLengthMin} characters`);
  const twice = keys.find((key, index) => keys.findIndex(({ id }) => id === key.id) < index);
  if (twice !== undefined) throw new Error(`two session keys have the id ${twice.id}`);
  return newest;
}

const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/** The unverified key id: use it only to choose the key for verification. */
function keyIdOf(token: string): string | undefined {
  try {
    return jwt.decode(token, { complete: true })?.header.kid;
  } catch {
    return undefined; // the token holds no JSON
  }
}

interface Expected {
  readonly audience: string;
  readonly lifetimeSeconds: number;
  readonly clockTimestamp: number;
}

/** Checks what the library does not: it accepts lists of audiences, tokens from the future, and any lifetime. */
function claimsOf(payload: string | jwt.JwtPayload, expected: Expected): SignedClaims | undefined {
  if (typeof payload === 'string') return undefined;
  const { sub, jti, iat, exp, aud } = payload;
  const sid: unknown = payload['sid'];
  if (typeof sub !== 'string' || typeof jti !== 'string' || aud !== expected.audience) return undefined;
  if (typeof iat !== 'number' || typeof exp !== 'number' || exp - iat !== expected.lifetimeSeconds) return undefined;
  if (iat > expected.clockTimestamp + clockSkewSeconds) return undefined;
  return {
    subject: sub,
    sessionId: typeof sid === 'string' ? sid : undefined,
    tokenId: jti,
    expiresAt: new Date(exp * 1000),
  };
}

export interface SessionClaims {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
  readonly tokenId: string;
  readonly expiresAt: Date;
}

export interface SessionTokens {
  /** A new access token of the session, good for 15 minutes from `now`. */
  sign(session: Pick<SessionClaims, 'accountId' | 'sessionId'>, now: Date): string;
  /** The claims of a valid token; undefined, without a reason, otherwise. Does not check whether the session is still open. */
  verify(token: string, now: Date): SessionClaims | undefined;
}

export const sessionTokenLifetimeSeconds = 15 * 60;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Access tokens of dashboard sessions. `keys` newest first: the first signs, all verify, so that a key rotation ends no session.
 */
export function createSessionTokens(keys: readonly SigningKey[]): SessionTokens {
  const audience = 'itembridge-dashboard';
  const tokens = createSignedTokens(keys, { audience, lifetimeSeconds: sessionTokenLifetimeSeconds });
  return {
    sign: (session, now) => tokens.sign({ subject: session.accountId, sessionId: session.sessionId }, now),
    verify(token, now) {
      const claims = tokens.verify(token, now);
      if (claims?.sessionId === undefined || !uuid.test(claims.subject) || !uuid.test(claims.sessionId))
        return undefined;
      const { tokenId, expiresAt } = claims;
      return { accountId: accountId(claims.subject), sessionId: sessionId(claims.sessionId), tokenId, expiresAt };
    },
  };
}

/** `device` identifies the token and has no meaning outside of it. */
export interface DeviceClaims {
  readonly device: string;
}

export interface DeviceTokens {
  /** For a browser that has just signed in to the account of this email. */
  sign(emailFingerprint: string, now: Date): string;
  /** undefined for anything but a valid token made for this email. */
  verify(token: string, emailFingerprint: string, now: Date): DeviceClaims | undefined;
}

export const deviceTokenLifetimeSeconds = 180 * 86_400;

/** Tokens by which a browser proves that it has signed in to an account before. They give no access. */
export function createDeviceTokens(keys: readonly SigningKey[]): DeviceTokens {
  const lifetimeSeconds = deviceTokenLifetimeSeconds;
  const tokens = createSignedTokens(keys, { audience: 'itembridge-device', lifetimeSeconds });
  return {
    sign: (emailFingerprint, now) => tokens.sign({ subject: emailFingerprint }, now),
    verify(token, emailFingerprint, now) {
      const claims = tokens.verify(token, now);
      return claims?.subject === emailFingerprint ? { device: claims.tokenId } : undefined;
    },
  };
}
