import { createHash } from 'node:crypto';

/** SHA-256 in hex: recognises an equal request without storing its content. */
export function fingerprintOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
