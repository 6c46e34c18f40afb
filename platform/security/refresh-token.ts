import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { createEncryption, type Encryption } from './encryption.ts';

const partBytes = 32;
/** 32 bytes in canonical base64url: each value has exactly one spelling. */
const part = '[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]';
const form = new RegExp(`^(${part})\\.(${part})$`);

/**
 * A refresh token is `<handle>.<secret>`, 32 random bytes each in base64url. The handle stays the same for the whole session, so
 * that a token of any age identifies its session. The secret is replaced at each renewal. Only the SHA-256 of both is stored.
 */
export interface RefreshToken {
  readonly handle: string;
  readonly secret: string;
}

/** The refresh token of a new session. */
export const newRefreshToken = (): RefreshToken => ({ handle: randomPart(), secret: randomPart() });

/** The successor of `token`. */
export const nextRefreshToken = (token: RefreshToken): RefreshToken => ({ ...token, secret: randomPart() });

/** The token as it is sent to the browser. {@link readRefreshToken} reads it. */
export const refreshTokenText = ({ handle, secret }: RefreshToken): string => `${handle}.${secret}`;

/** undefined when the text does not have the form of our tokens. */
export function readRefreshToken(text: string): RefreshToken | undefined {
  const [, handle, secret] = form.exec(text) ?? [];
  return handle === undefined || secret === undefined ? undefined : { handle, secret };
}

/** The stored form of either part, for look-ups. Unsalted, because each part has 256 random bits. */
export const hashTokenPart = (value: string): string => createHash('sha256').update(value, 'utf8').digest('hex');

/** Encrypts the successor's secret with the secret that it replaces, so that a reader of the database can't renew a session. */
export const sealSuccessor = (replaced: RefreshToken, successor: RefreshToken, place: string): string =>
  sealedBy(replaced).encrypt(successor.secret, place);

/** Throws {@link DecryptionFailed}. */
export const openSuccessor = (replaced: RefreshToken, sealed: string, place: string): RefreshToken => ({
  ...replaced,
  secret: sealedBy(replaced).decrypt(sealed, place),
});

/** The key is derived from the secret itself, so it can't be computed from the stored hash. */
function sealedBy({ secret }: RefreshToken): Encryption {
  const key = hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', 'refresh token successor', 32);
  return createEncryption([{ id: 'predecessor', secret: Buffer.from(key).toString('base64') }]);
}

const randomPart = (): string => randomBytes(partBytes).toString('base64url');
