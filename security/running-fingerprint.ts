import { createHash } from 'node:crypto';

/** A fingerprint (fingerprint.ts) of bytes that come one piece after the other. */
export interface RunningFingerprint {
  add(bytes: Uint8Array): void;
  /** Once, when all have been added. */
  digest(): string;
}

export function createRunningFingerprint(): RunningFingerprint {
  const hash = createHash('sha256');
  return { add: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
}
