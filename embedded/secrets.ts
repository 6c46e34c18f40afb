import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Generated once and kept with the data, because sessions and encrypted tokens must survive a restart. */
export interface EmbeddedSecrets {
  readonly jwtKeys: string;
  readonly encryptionKeys: string;
  readonly marketplaceAppId: string;
  readonly marketplaceAppKey: string;
  readonly paymentsKey: string;
  readonly paymentsWebhookSecret: string;
}

export function loadOrCreateSecrets(file: string): EmbeddedSecrets {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<EmbeddedSecrets>) : {};
  // What is there stays; what a newer release needs besides is added.
  const secrets: EmbeddedSecrets = { ...createSecrets(), ...known };
  if (Object.keys(secrets).length > Object.keys(known).length)
    writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}

const createSecrets = (): EmbeddedSecrets => ({
  jwtKeys: `local1:${randomBytes(32).toString('base64url')}`,
  encryptionKeys: `local1:${randomBytes(32).toString('base64')}`,
  marketplaceAppId: '5001',
  marketplaceAppKey: randomBytes(24).toString('base64url'),
  paymentsKey: `sk_test_${randomBytes(24).toString('hex')}`,
  paymentsWebhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
});
