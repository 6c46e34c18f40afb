/** Written by deploy/create-secrets.sh for keys that only the operator has. */
const placeholder = 'replace-me';
const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

interface Settings {
  readonly publicUrl: string;
  readonly imagesPublicUrl: string;
  readonly marketplace: { readonly appKey: string };
  readonly sandbox: { readonly kind: 'none' | 'whole' | 'apart'; readonly appKey: string };
  readonly ai: { readonly apiKey: string };
  readonly vehicleRegistry: { readonly apiKey: string };
  readonly mail: { readonly password: string };
  readonly payments: { readonly secretKey: string; readonly webhookSecrets: readonly string[] };
  readonly allowPrivateNetworks: boolean;
  readonly rateLimits: object | null;
}

/**
 * Returns sentences that name the setting to change. Empty with PUBLIC_URL on loopback, because only this machine then reaches
 * the service.
 */
export function insecureSettings(config: Settings, told: { readonly proxies: readonly string[] }): string[] {
  const { protocol, hostname } = new URL(config.publicUrl);
  if (loopbackHosts.has(hostname)) return [];
  const problems = placeholdersIn(config).map(
    (name) => `${name} still has the placeholder ${placeholder}: put the real key there`,
  );
  if (protocol !== 'https:')
    problems.push('PUBLIC_URL must begin with https:// in production, or sessions and keys travel in plain text');
  if (config.imagesPublicUrl.startsWith('http:'))
    problems.push(
      'IMAGES_PUBLIC_URL must begin with https:// in production, or browsers show no image on pages with TLS',
    );
  if (config.sandbox.kind === 'whole')
    problems.push(
      'SANDBOX_MARKETPLACE_URL must not be MARKETPLACE_URL in production, or test keys sell on the real marketplace',
    );
  if (config.allowPrivateNetworks)
    problems.push('ALLOW_PRIVATE_NETWORKS must be false in production, or partners reach the private network');
  if (config.rateLimits === null) problems.push('RATE_LIMITS must be on in production');
  if (told.proxies.length === 0)
    problems.push(
      'TRUSTED_PROXIES must name the proxies in front of the API, or be none: else all callers share one limit',
    );
  return problems;
}

function placeholdersIn({ marketplace, sandbox, ai, vehicleRegistry, mail, payments }: Settings): string[] {
  const keys: Readonly<Record<string, readonly string[]>> = {
    MARKETPLACE_APP_KEY: [marketplace.appKey],
    SANDBOX_MARKETPLACE_APP_KEY: [sandbox.appKey],
    AI_API_KEY: [ai.apiKey],
    VEHICLE_REGISTRY_API_KEY: [vehicleRegistry.apiKey],
    SMTP_PASSWORD: [mail.password],
    STRIPE_SECRET_KEY: [payments.secretKey],
    STRIPE_WEBHOOK_SECRET: payments.webhookSecrets,
  };
  return Object.keys(keys).filter((name) => keys[name]?.includes(placeholder));
}
