import { createHash } from 'node:crypto';

/** SHA-256 in hex: tells whether two requests are the same one without keeping what they said. */
export function fingerprintOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
