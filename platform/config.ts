import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { namesProxies } from './caller-address.ts';
import { insecureSettings } from './insecure-settings.ts';

/** Everything the processes read from their environment, checked once at start. The only reader of `process.env`. */
export interface Config {
  readonly api: {
    readonly host: string;
    readonly port: number;
    /** From the signal to stop: how long `/readyz` says so before nothing new is taken, and how long requests then get to finish. */
    readonly noticeMs: number;
    readonly drainMs: number;
  };
  /** Base of every address shown to people, without a slash at the end. */
  readonly publicUrl: string;
  readonly mongo: { readonly uri: string; readonly database: string };
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    readonly taskQueue: string;
    /** Base address of the Temporal UI as operators reach it, without a slash at the end; '' for none. */
    readonly uiUrl: string;
  };
  /** Which queues this worker serves; empty means all. */
  readonly workerQueues: readonly string[];
  /** Deployment and build of this worker, for workflows that stay on the build they began with; null: workers have no versions. */
  readonly workerVersion: { readonly deploymentName: string; readonly buildId: string } | null;
  /** Prebuilt workflow bundle; '' has the worker build one at start, which takes some seconds. */
  readonly workflowBundle: string;
  readonly imageStore: { readonly directory: string };
  readonly marketplace: {
    readonly url: string;
    readonly appId: string;
    readonly appKey: string;
    /** Pause between two looks at an account's feeds, at least. */
    readonly lookIntervalMs: number;
    /** Calls of one method that the marketplace allows our application a day, over all accounts; from a million on none is counted. */
    readonly callsPerDay: number;
    /** Category for items whose domain has none of its own on the marketplace. */
    readonly fallbackCategoryId: number;
    readonly requestTimeoutMs: number;
  };
  readonly ai: {
    /** Base address of an OpenAI-compatible server, with its version (`…/v1`); '' for none: texts then stay as they are. */
    readonly url: string;
    /** '' for servers that want none. */
    readonly apiKey: string;
    readonly model: string;
    readonly timeoutMs: number;
    /** Calls over all processes and accounts, per minute and day of UTC. */
    readonly callsPerMinute: number;
    readonly callsPerDay: number;
    /** How long an answer is kept for an equal question; 0 asks every time. */
    readonly cacheDays: number;
    /** Who finds the category of items without a domain: `embedded` needs no network. */
    readonly classifier: 'embedded' | 'model';
  };
  readonly vehicleRegistry: {
    /** Base address without a slash at the end; '' for none: plates then can't be looked up. */
    readonly url: string;
    readonly apiKey: string;
    readonly timeoutMs: number;
    /** What is asked of it over all processes, by the minute and the day of UTC; and of that, what one account may have. */
    readonly lookups: CallsConfig & { readonly account: CallsConfig };
  };
  readonly payments: {
    /** Base address of the payment processor's API; '' is its own. */
    readonly url: string;
    /** '' for none: the Pro plan then can't be bought. */
    readonly secretKey: string;
    /** Secrets of the webhook endpoint, newest first; any one may have signed. None in a worker. */
    readonly webhookSecrets: readonly string[];
    /** Price of the Pro plan at the processor; '' has one made with each checkout. */
    readonly priceId: string;
    readonly timeoutMs: number;
  };
  readonly items: {
    /** Who looks first at an item that was written: the worker's lane, which settles what is short itself, or a workflow for each. */
    readonly firstLook: 'lane' | 'workflow';
  };
  readonly deliveries: {
    /** Who makes the first attempt of a delivery: the worker's lane, or its workflow as all the others. */
    readonly firstAttempt: 'lane' | 'workflow';
  };
  readonly secrets: {
    /** Signing keys of sessions, newest first: `kid:secret`, comma-separated; none in a worker. */
    readonly jwtKeys: readonly NamedKey[];
    /** AES-256 keys, newest first: `id:base64 of 32 bytes`, comma-separated. */
    readonly encryptionKeys: readonly NamedKey[];
  };
  /** Attempts in a row: logins come back over a quarter of an hour, registrations over an hour. */
  readonly signIn: {
    readonly loginsPerAddress: number;
    readonly loginsPerEmail: number;
    /** Of all addresses together; beyond it an attempt costs its address ten. */
    readonly wrongLogins: number;
    readonly registrationsPerAddress: number;
    readonly registrationsPerEmail: number;
  };
  /** What one account may store: items, images, and bytes of their files. */
  readonly storageQuota: { readonly itemsMax: number; readonly imagesMax: number; readonly imageBytesMax: number };
  /** null: calls are not limited. */
  readonly rateLimits: RateLimitConfig | null;
  /** Whose `X-Forwarded-For` is believed: addresses, networks, or loopback, linklocal, uniquelocal; empty for no proxy. */
  readonly trustedProxies: readonly string[];
  readonly allowPrivateNetworks: boolean;
  readonly platformFeeBps: number;
  readonly logLevel: string;
  /** Where the numbers of this process are read; null port: nowhere. 0 takes a free one. */
  readonly metrics: { readonly host: string; readonly port: number | null };
  /** Base address of an OpenTelemetry collector that takes OTLP over HTTP; '' for none. */
  readonly tracing: {
    readonly url: string;
    /** Whether a caller's `traceparent` is gone on with: it also says whether the trace is kept. */
    readonly trustsCallers: boolean;
  };
}

export interface CallsConfig {
  readonly callsPerMinute: number;
  readonly callsPerDay: number;
}

/** How many requests may come at once, and how many a second come back. */
export interface RateConfig {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * Of one API key, of its calls for one member (half of the key's unless told), of one account's sessions, and of one address: without
 * a credential, its category conversions, its refused credentials.
 */
export type RateLimitConfig = Readonly<
  Record<'key' | 'member' | 'account' | 'address' | 'convert' | 'failed', RateConfig>
>;

export interface NamedKey {
  readonly id: string;
  readonly secret: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads and checks the configuration. Every variable may be given as `NAME_FILE`, a path whose content is the value.
 * Throws {@link ConfigError} that names every missing, malformed or (in production) insecure variable at once.
 */
export const loadConfig = (environment: Environment = process.env): Config => readConfig(environment, 'api');

/**
 * The same for a worker, which decodes the images of strangers: it neither signs sessions nor takes the payment processor's events,
 * so it does not read these secrets.
 */
export const loadWorkerConfig = (environment: Environment = process.env): Config => readConfig(environment, 'worker');

type ProcessKind = 'api' | 'worker';

function readConfig(environment: Environment, kind: ProcessKind): Config {
  const problems: string[] = [];
  const read = reader(environment, problems);
  const config: Config = {
    api: {
      host: read.text('API_HOST', '127.0.0.1'),
      port: read.wholeNumber('API_PORT', 3000),
      noticeMs: read.wholeNumber('API_SHUTDOWN_NOTICE_MS', 0),
      drainMs: read.wholeNumber('API_DRAIN_MS', 10_000),
    },
    publicUrl: read.text('PUBLIC_URL', 'http://127.0.0.1:3000').replace(/\/+$/, ''),
    mongo: { uri: read.text('MONGODB_URI'), database: read.text('MONGODB_DATABASE', 'itembridge') },
    temporal: {
      address: read.text('TEMPORAL_ADDRESS', '127.0.0.1:7233'),
      namespace: read.text('TEMPORAL_NAMESPACE', 'default'),
      taskQueue: read.text('TEMPORAL_TASK_QUEUE', 'itembridge'),
      uiUrl: readAddress(read, problems, 'TEMPORAL_UI_URL'),
    },
    workerQueues: read.list('WORKER_QUEUES'),
    workerVersion: readWorkerVersion(read, problems),
    workflowBundle: read.text('WORKFLOW_BUNDLE', '-').replace(/^-$/, ''),
    imageStore: { directory: resolve(read.text('IMAGE_STORE_DIR', '.itembridge/images')) },
    marketplace: {
      url: read.text('MARKETPLACE_URL').replace(/\/+$/, ''),
      appId: read.text('MARKETPLACE_APP_ID'),
      appKey: read.text('MARKETPLACE_APP_KEY'),
      lookIntervalMs: read.wholeNumber('MARKETPLACE_LOOK_INTERVAL_MS', 300_000),
      // What the marketplace gives a new application until it is raised.
      callsPerDay: read.wholeNumber('MARKETPLACE_CALLS_PER_DAY', 100),
      fallbackCategoryId: read.wholeNumber('MARKETPLACE_FALLBACK_CATEGORY_ID', 536),
      requestTimeoutMs: read.wholeNumber('MARKETPLACE_REQUEST_TIMEOUT_MS', 15_000),
    },
    ai: readAi(read),
    vehicleRegistry: readVehicleRegistry(read),
    payments: readPayments(read, kind),
    items: { firstLook: read.oneOf('ITEM_FIRST_LOOK', ['lane', 'workflow']) },
    deliveries: { firstAttempt: read.oneOf('DELIVERY_FIRST_ATTEMPT', ['lane', 'workflow']) },
    secrets: readSecrets(read, kind),
    signIn: {
      loginsPerAddress: read.positiveNumber('LOGINS_PER_ADDRESS', 60),
      loginsPerEmail: read.positiveNumber('LOGINS_PER_EMAIL', 10),
      wrongLogins: read.positiveNumber('WRONG_LOGINS', 600),
      registrationsPerAddress: read.positiveNumber('REGISTRATIONS_PER_ADDRESS', 20),
      registrationsPerEmail: read.positiveNumber('REGISTRATIONS_PER_EMAIL', 5),
    },
    storageQuota: readStorageQuota(read),
    rateLimits: readRateLimits(read),
    trustedProxies: readTrustedProxies(read, problems),
    allowPrivateNetworks: read.flag('ALLOW_PRIVATE_NETWORKS'),
    // More would be more than the buyer paid.
    platformFeeBps: read.wholeNumber('PLATFORM_FEE_BPS', 500, 10_000),
    logLevel: read.text('LOG_LEVEL', 'info'),
    metrics: readMetrics(read),
    tracing: { url: read.optional('OTEL_EXPORTER_OTLP_ENDPOINT'), trustsCallers: read.flag('TRACE_TRUST_CALLERS') },
  };
  if (!/^https?:\/\/[^/]/.test(config.publicUrl) || !URL.canParse(config.publicUrl))
    problems.push('PUBLIC_URL must be an http or https address');
  else if (read.optional('NODE_ENV') === 'production')
    problems.push(...insecureSettings(config, { proxies: read.list('TRUSTED_PROXIES') }));
  if (problems.length > 0) throw new ConfigError(`configuration: ${problems.join('; ')}`);
  return config;
}

const readSecrets = (read: ReturnType<typeof reader>, kind: ProcessKind): Config['secrets'] => ({
  jwtKeys: kind === 'api' ? read.keys('JWT_KEYS') : [],
  encryptionKeys: read.keys('ENCRYPTION_KEYS'),
});

const readMetrics = (read: ReturnType<typeof reader>): Config['metrics'] => ({
  host: read.text('METRICS_HOST', '127.0.0.1'),
  port: read.optional('METRICS_PORT') === '' ? null : read.wholeNumber('METRICS_PORT', 0, 65_535),
});

function readWorkerVersion(read: ReturnType<typeof reader>, problems: string[]): Config['workerVersion'] {
  const [deploymentName, buildId] = [read.optional('WORKER_DEPLOYMENT_NAME'), read.optional('WORKER_BUILD_ID')];
  if ((deploymentName === '') !== (buildId === ''))
    problems.push('WORKER_DEPLOYMENT_NAME and WORKER_BUILD_ID are given both or not at all');
  return deploymentName === '' || buildId === '' ? null : { deploymentName, buildId };
}

/** Where there is a model it decides on categories too, unless told otherwise. */
function readAi(read: ReturnType<typeof reader>): Config['ai'] {
  const url = read.optional('AI_URL').replace(/\/+$/, '');
  const hasModel = url !== '';
  return {
    url,
    apiKey: hasModel ? read.optional('AI_API_KEY') : '',
    model: hasModel ? read.text('AI_MODEL') : '',
    timeoutMs: read.wholeNumber('AI_TIMEOUT_MS', 10_000),
    callsPerMinute: read.wholeNumber('AI_CALLS_PER_MINUTE', 60),
    callsPerDay: read.wholeNumber('AI_CALLS_PER_DAY', 5_000),
    cacheDays: read.wholeNumber('AI_CACHE_DAYS', 30),
    classifier: read.oneOf('AI_CLASSIFIER', hasModel ? ['model', 'embedded'] : ['embedded']),
  };
}

const readStorageQuota = (read: ReturnType<typeof reader>): Config['storageQuota'] => ({
  itemsMax: read.wholeNumber('QUOTA_ITEMS', 1_000_000),
  imagesMax: read.wholeNumber('QUOTA_IMAGES', 5_000_000),
  imageBytesMax: read.wholeNumber('QUOTA_IMAGE_GB', 500, 1_000_000) * 1_000_000_000,
});

function readVehicleRegistry(read: ReturnType<typeof reader>): Config['vehicleRegistry'] {
  const url = read.optional('VEHICLE_REGISTRY_URL').replace(/\/+$/, '');
  return {
    url,
    apiKey: url === '' ? '' : read.text('VEHICLE_REGISTRY_API_KEY'),
    timeoutMs: read.wholeNumber('VEHICLE_REGISTRY_TIMEOUT_MS', 5_000),
    lookups: {
      callsPerMinute: read.wholeNumber('VEHICLE_LOOKUPS_PER_MINUTE', 600),
      callsPerDay: read.wholeNumber('VEHICLE_LOOKUPS_PER_DAY', 10_000),
      account: {
        callsPerMinute: read.wholeNumber('VEHICLE_LOOKUPS_ACCOUNT_PER_MINUTE', 120),
        callsPerDay: read.wholeNumber('VEHICLE_LOOKUPS_ACCOUNT_PER_DAY', 1_000),
      },
    },
  };
}

function readPayments(read: ReturnType<typeof reader>, kind: ProcessKind): Config['payments'] {
  const secretKey = read.optional('STRIPE_SECRET_KEY');
  if (secretKey !== '' && kind === 'api') read.text('STRIPE_WEBHOOK_SECRET');
  return {
    url: read.optional('STRIPE_URL').replace(/\/+$/, ''),
    secretKey,
    webhookSecrets: kind === 'api' ? read.list('STRIPE_WEBHOOK_SECRET') : [],
    priceId: read.optional('STRIPE_PRICE_ID'),
    // Up to four calls, each of which may be tried twice, stand behind a checkout; and the processor waits for an answer to its event.
    timeoutMs: read.wholeNumber('STRIPE_TIMEOUT_MS', 5_000),
  };
}

function readRateLimits(read: ReturnType<typeof reader>): Config['rateLimits'] {
  const rate = (name: string, burst: number, perSecond: number): RateConfig => ({
    burst: read.positiveNumber(`RATE_LIMIT_${name}_BURST`, burst),
    perSecond: read.positiveNumber(`RATE_LIMIT_${name}_PER_SECOND`, perSecond),
  });
  const key = rate('KEY', 200, 100);
  const limits = {
    key,
    // A bucket that holds no whole call would let none through.
    member: rate('MEMBER', Math.max(1, key.burst / 2), key.perSecond / 2),
    account: rate('ACCOUNT', 200, 50),
    address: rate('ADDRESS', 200, 50),
    convert: rate('CONVERT', 10, 10),
    failed: rate('FAILED', 100, 1),
  };
  return read.oneOf('RATE_LIMITS', ['on', 'off']) === 'on' ? limits : null;
}

/** Of a place that people are sent to; '' for none. */
function readAddress(read: ReturnType<typeof reader>, problems: string[], name: string): string {
  const address = read.optional(name).replace(/\/+$/, '');
  if (address !== '' && !(/^https?:\/\/[^/]/.test(address) && URL.canParse(address)))
    problems.push(`${name} must be an http or https address`);
  return address;
}

/** `none` alone says that callers reach the API without a proxy. */
function readTrustedProxies(read: ReturnType<typeof reader>, problems: string[]): readonly string[] {
  const told = read.list('TRUSTED_PROXIES');
  if (told.length === 1 && told[0] === 'none') return [];
  for (const proxy of told.filter((one) => !namesProxies(one)))
    problems.push(
      `TRUSTED_PROXIES must list addresses, networks, loopback, linklocal or uniquelocal, or be none, not ${proxy}`,
    );
  return told;
}

function reader(environment: Environment, problems: string[]) {
  const raw = (name: string): string | undefined => {
    const file = environment[`${name}_FILE`];
    return file === undefined || file === '' ? environment[name] : readFileSync(file, 'utf8').trim();
  };
  const text = (name: string, fallback?: string): string => {
    const value = raw(name) ?? fallback;
    if (value === undefined || value === '') problems.push(`${name} (or ${name}_FILE) is missing`);
    return value ?? '';
  };
  return {
    text,
    optional: (name: string): string => raw(name) ?? '',
    /** The first value is the default. */
    oneOf<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
      const value = raw(name);
      const found = values.find((candidate) => candidate === value);
      if (found === undefined && value !== undefined && value !== '')
        problems.push(`${name} must be ${values.join(' or ')} here, not ${JSON.stringify(value)}`);
      return found ?? values[0];
    },
    wholeNumber(name: string, fallback: number, max = Number.MAX_SAFE_INTEGER): number {
      const value = raw(name);
      if (value === undefined || value === '') return fallback;
      if (!/^\d+$/.test(value)) problems.push(`${name} must be a whole number, not ${JSON.stringify(value)}`);
      else if (Number(value) > max) problems.push(`${name} must be at most ${max}, not ${value}`);
      return Number(value);
    },
    positiveNumber(name: string, fallback: number): number {
      const value = raw(name) ?? '';
      if (value !== '' && !/^0*[1-9]\d*$/.test(value))
        problems.push(`${name} must be a whole number from 1, not ${JSON.stringify(value)}`);
      return value === '' ? fallback : Number(value);
    },
    flag(name: string): boolean {
      const value = raw(name) ?? 'false';
      if (value !== 'true' && value !== 'false') problems.push(`${name} must be true or false`);
      return value === 'true';
    },
    list: (name: string): string[] =>
      (raw(name) ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    keys(name: string): NamedKey[] {
      const parts = text(name)
        .split(',')
        .filter((part) => part !== '');
      return parts.map((part) => {
        const colon = part.indexOf(':');
        if (colon < 1) problems.push(`${name} must be a list of id:secret`);
        return { id: part.slice(0, colon), secret: part.slice(colon + 1) };
      });
    },
  };
}
