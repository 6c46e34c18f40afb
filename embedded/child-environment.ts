import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Certificates } from './certificates.ts';
import type { Home } from './home.ts';
import { marketplaceSettings, type MarketplaceApplication } from './marketplace.ts';
import { registrySettings } from './vehicle-registry.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Addresses {
  readonly apiPort: number;
  readonly mongodbUri: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  /** '' when there is none. */
  readonly temporalUiUrl: string;
  readonly marketplaceUrl: string;
  readonly aiUrl: string;
  readonly vehicleRegistryUrl: string;
  readonly paymentsUrl: string;
  readonly smtpUrl: string;
}

/** Settings of compose/config.ts for API, worker and command line. Other variables of the user stay. */
export function childEnvironment(parts: {
  base: Environment;
  home: Home;
  secrets: EmbeddedSecrets;
  addresses: Addresses;
}): Environment {
  const { base, home, secrets, addresses } = parts;
  return {
    ...base,
    API_HOST: '127.0.0.1',
    API_PORT: String(addresses.apiPort),
    PUBLIC_URL: `http://127.0.0.1:${String(addresses.apiPort)}`,
    MONGODB_URI: addresses.mongodbUri,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    TEMPORAL_NAMESPACE: addresses.temporalNamespace,
    TEMPORAL_UI_URL: addresses.temporalUiUrl,
    IMAGE_STORE_DIR: home.images,
    ...marketplaceSettings(base, { url: addresses.marketplaceUrl, application: applicationOf(secrets) }),
    // The AI simulator improves texts, and can be told what to answer. Categories are found without a model or network.
    AI_URL: `${addresses.aiUrl}/v1`,
    AI_API_KEY: 'simulator',
    AI_MODEL: 'simulator',
    AI_CLASSIFIER: 'embedded',
    // A user who tells the AI simulator what to answer expects the new answer at once, so no answer is kept.
    AI_CACHE_DAYS: '0',
    AI_CALLS_PER_MINUTE: '1000000',
    AI_CALLS_PER_DAY: '1000000',
    ...registrySettings(base, addresses.vehicleRegistryUrl),
    // All callers share one address here.
    LOGINS_PER_ADDRESS: base['LOGINS_PER_ADDRESS'] ?? '100000',
    LOGINS_PER_EMAIL: base['LOGINS_PER_EMAIL'] ?? '1000',
    WRONG_LOGINS: base['WRONG_LOGINS'] ?? '100000',
    REGISTRATIONS_PER_ADDRESS: base['REGISTRATIONS_PER_ADDRESS'] ?? '100000',
    STRIPE_URL: addresses.paymentsUrl,
    STRIPE_SECRET_KEY: secrets.paymentsKey,
    STRIPE_WEBHOOK_SECRET: secrets.paymentsWebhookSecret,
    SMTP_URL: addresses.smtpUrl,
    MAIL_FROM: 'itembridge <itembridge@example.se>',
    JWT_KEYS: secrets.jwtKeys,
    ENCRYPTION_KEYS: secrets.encryptionKeys,
    ALLOW_PRIVATE_NETWORKS: 'true',
    LOG_LEVEL: base['LOG_LEVEL'] ?? 'info',
    METRICS_HOST: '127.0.0.1',
  };
}

/** Adds trust in our own authority and in the user's. Removes variables that concern only this process. */
export function trustingEnvironment(base: Environment, certificates: Certificates): Environment {
  return { ...base, NODE_EXTRA_CA_CERTS: certificates.bundleFile, NODE_OPTIONS: base['NODE_OPTIONS'] };
}

/** Generated once and kept with the data, because sessions and encrypted tokens must survive a restart. */
export interface EmbeddedSecrets {
  readonly jwtKeys: string;
  readonly encryptionKeys: string;
  readonly marketplaceAppId: string;
  readonly marketplaceAppKey: string;
  readonly marketplacePublicKey: string;
  readonly paymentsKey: string;
  readonly paymentsWebhookSecret: string;
}

/** How the service is known to the simulated marketplace. */
export const applicationOf = (secrets: EmbeddedSecrets): MarketplaceApplication => ({
  appId: secrets.marketplaceAppId,
  appKey: secrets.marketplaceAppKey,
  publicKey: secrets.marketplacePublicKey,
});

/** Reads the secrets, and adds and stores those that are missing. */
export function loadOrCreateSecrets(file: string): EmbeddedSecrets {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<EmbeddedSecrets>) : {};
  // Existing secrets stay; a newer release may need more.
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
  marketplacePublicKey: randomBytes(12).toString('base64url'),
  paymentsKey: `sk_test_${randomBytes(24).toString('hex')}`,
  paymentsWebhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
});
