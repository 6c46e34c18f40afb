import { createHash, randomBytes } from 'node:crypto';

const tokenBytes = 32;

/** The token of a link in a mail: 256 random bits in base64url. Only {@link hashLinkToken} of it is stored. */
export const newLinkToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** The stored form, for look-ups. Unsalted, because the token has 256 random bits. */
export const hashLinkToken = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex');
