import { createHash } from 'node:crypto';

/** A fingerprint (fingerprint.ts) of bytes that arrive in pieces. */
export interface RunningFingerprint {
  add(bytes: Uint8Array): void;
  /** Call it once, after all bytes were added. */
  digest(): string;
}

export function createRunningFingerprint(): RunningFingerprint {
  const hash = createHash('sha256');
  return { add: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
}
