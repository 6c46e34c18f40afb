import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { createEncryption, type Encryption } from './encryption.ts';

const partBytes = 32;
/** 32 bytes in base64url, in the one spelling that encodes them. */
const part = '[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]';
const form = new RegExp(`^(${part})\\.(${part})$`);

/**
 * A refresh token is `<handle>.<secret>`, 32 random bytes each in base64url. The handle stays the same as long as the session
 * lives, so that a token of any age leads to its session; the secret is replaced at each renewal. Of both only SHA-256 is stored.
 */
export interface RefreshToken {
  readonly handle: string;
  readonly secret: string;
}

export const newRefreshToken = (): RefreshToken => ({ handle: randomPart(), secret: randomPart() });

/** The token that takes over from `token`. */
export const nextRefreshToken = (token: RefreshToken): RefreshToken => ({ ...token, secret: randomPart() });

export const refreshTokenText = ({ handle, secret }: RefreshToken): string => `${handle}.${secret}`;

/** undefined for what can be none of ours. */
export function readRefreshToken(text: string): RefreshToken | undefined {
  const [, handle, secret] = form.exec(text) ?? [];
  return handle === undefined || secret === undefined ? undefined : { handle, secret };
}

/** What is stored and looked up, of either part. Unsalted, because each has 256 random bits. */
export const hashTokenPart = (value: string): string => createHash('sha256').update(value, 'utf8').digest('hex');

/** The successor's secret, readable only with the secret it replaces: whoever sees the database can't renew anything. */
export const sealSuccessor = (replaced: RefreshToken, successor: RefreshToken, place: string): string =>
  sealedBy(replaced).encrypt(successor.secret, place);

/** Throws {@link DecryptionFailed}. */
export const openSuccessor = (replaced: RefreshToken, sealed: string, place: string): RefreshToken => ({
  ...replaced,
  secret: sealedBy(replaced).decrypt(sealed, place),
});

/** From the hash that is stored nobody comes to this key. */
function sealedBy({ secret }: RefreshToken): Encryption {
  const key = hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', 'refresh token successor', 32);
  return createEncryption([{ id: 'predecessor', secret: Buffer.from(key).toString('base64') }]);
}

const randomPart = (): string => randomBytes(partBytes).toString('base64url');
