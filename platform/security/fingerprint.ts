import { createHash, randomBytes } from 'node:crypto';
import { domainToASCII } from 'node:url';

/** SHA-256 in hex: recognises an equal request without storing its content. */
export function fingerprintOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** A hash of an email address, for keys of limits and device tokens, which must not show the address itself. */
export const emailFingerprint = (email: string): string => fingerprintOf(`email:${email}`);

/**
 * The same for all addresses of one mailbox, for what is counted by mailbox. They differ in what follows a `+`, which most mail
 * servers leave out (`a+b@c.se` is `a@c.se`), and in how the domain is written (`å.se` is `xn--5ca.se`).
 */
export function mailboxFingerprint(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return emailFingerprint(`${local.replace(/(?<=.)\+.*/, '')}@${domainToASCII(domain) || domain}`);
}

/** A {@link fingerprintOf} of bytes that arrive in pieces. */
export interface RunningFingerprint {
  add(bytes: Uint8Array): void;
  /** Call it once, after all bytes were added. */
  digest(): string;
}

/** Starts an empty fingerprint; each instance is used for one input. */
export function createRunningFingerprint(): RunningFingerprint {
  const hash = createHash('sha256');
  return { add: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
}

const tokenBytes = 32;

/** The token of a link in a mail: 256 random bits in base64url. Only {@link hashLinkToken} of it is stored. */
export const newLinkToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** True when the text has the form of {@link newLinkToken}. */
export const isLinkToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** The stored form, for look-ups. Unsalted, because the token has 256 random bits. */
export const hashLinkToken = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex');
