import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Generated once and kept with the data, because sessions and encrypted tokens must survive a restart. */
export interface EmbeddedSecrets {
  readonly jwtKeys: string;
  readonly encryptionKeys: string;
  readonly marketplaceAppId: string;
  readonly marketplaceAppKey: string;
}

export function loadOrCreateSecrets(file: string): EmbeddedSecrets {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as EmbeddedSecrets;
  const secrets: EmbeddedSecrets = {
    jwtKeys: `local1:${randomBytes(32).toString('base64url')}`,
    encryptionKeys: `local1:${randomBytes(32).toString('base64')}`,
    marketplaceAppId: '5001',
    marketplaceAppKey: randomBytes(24).toString('base64url'),
  };
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}
