import { memberLimit, rateLimits, type RateSetting } from '../features/accounts/rules/rate-limits.ts';
import { resolve } from 'node:path';
import { namesProxies } from '../platform/caller-address.ts';
import { readMarketplace } from './marketplace-config.ts';
import { insecureSettings } from './insecure-settings.ts';
import { readTemporal } from './temporal-config.ts';
import { createReader, type Environment, type ReadSettings } from './read-settings.ts';

/** Everything the processes read from their environment, checked once at start. The only reader of `process.env`. */
export type Config = ReturnType<typeof readConfig>;

/**
 * Reads and checks the configuration. Every variable may be given as `NAME_FILE`, a path whose content is the value.
 * Throws {@link ConfigError} that names every missing, malformed or (in production) insecure variable at once.
 */
export const loadConfig = (environment: Environment = process.env): Config => readConfig(environment, 'api');

/**
 * The configuration of a worker, which decodes untrusted images. It neither signs sessions nor accepts payment events, so it does
 * not read these secrets.
 */
export const loadWorkerConfig = (environment: Environment = process.env): Config => readConfig(environment, 'worker');

/** Whether the environment, and no option of a command, says that this is production. */
export const isProduction = (environment: Environment = process.env): boolean =>
  environment['NODE_ENV'] === 'production';

/** The image store alone, for a command beside the service. Throws {@link ConfigError}. */
export const loadImageStoreConfig = (environment: Environment = process.env): Config['imageStore'] =>
  loadPart(environment, readImageStore);

/** The vehicle registry alone, likewise; without a key in the environment that of `otherwise`, whose settings give way one by one. */
export function loadVehicleRegistryConfig(
  otherwise: Environment = {},
  environment: Environment = process.env,
): Config['vehicleRegistry'] {
  const { VEHICLE_REGISTRY_API_KEY: key = '', VEHICLE_REGISTRY_API_KEY_FILE: keyFile = '' } = environment;
  const hasKey = key !== '' || keyFile !== '';
  return loadPart(hasKey ? environment : { ...otherwise, ...environment }, readVehicleRegistry);
}

/** The workflow engine alone, likewise; `given` goes before the environment. */
export const loadTemporalConfig = (
  given: Environment = {},
  environment: Environment = process.env,
): ReturnType<typeof readTemporal> => loadPart({ ...environment, ...given }, readTemporal);

/** The marketplace alone, likewise; without one in the environment that of `otherwise`. */
export const loadMarketplaceConfig = (
  otherwise: Environment = {},
  environment: Environment = process.env,
): Config['marketplace'] =>
  loadPart(environment['MARKETPLACE_URL'] ? environment : { ...environment, ...otherwise }, readMarketplace);

function loadPart<Part>(environment: Environment, readPart: (read: ReadSettings, problems: string[]) => Part): Part {
  const problems: string[] = [];
  const read = createReader(environment, problems);
  const settings = readPart(read, problems);
  read.requireSound();
  return settings;
}

type ProcessKind = 'api' | 'worker';

function readConfig(environment: Environment, kind: ProcessKind) {
  const problems: string[] = [];
  const read = createReader(environment, problems);
  const config = {
    api: {
      host: read.text('API_HOST', '127.0.0.1'),
      port: read.wholeNumber('API_PORT', 3000),
      /**
       * After the stop signal: how long `/readyz` reports it before new connections are refused, and how long requests may then
       * run.
       */
      noticeMs: read.wholeNumber('API_SHUTDOWN_NOTICE_MS', 0),
      drainMs: read.wholeNumber('API_DRAIN_MS', 10_000),
    },
    /** Base of every address shown to people, without a slash at the end. */
    publicUrl: read.text('PUBLIC_URL', 'http://127.0.0.1:3000').replace(/\/+$/, ''),
    /** Base of the addresses of hosted images elsewhere, such as a CDN; '' for the API itself. */
    imagesPublicUrl: readAddress(read, problems, 'IMAGES_PUBLIC_URL'),
    mongo: { uri: read.text('MONGODB_URI'), database: read.text('MONGODB_DATABASE', 'itembridge') },
    temporal: {
      ...readTemporal(read, problems),
      /** Base address of the Temporal UI for operators, without a trailing slash; '' for none. */
      uiUrl: readAddress(read, problems, 'TEMPORAL_UI_URL'),
    },
    /** Which queues this worker serves; empty means all. */
    workerQueues: read.list('WORKER_QUEUES'),
    /** Which loops this worker runs; empty means all. */
    workerLoops: read.list('WORKER_LOOPS'),
    workerVersion: readWorkerVersion(read, problems),
    /** Prebuilt workflow bundle; '' has the worker build one at start, which takes some seconds. */
    workflowBundle: read.text('WORKFLOW_BUNDLE', '-').replace(/^-$/, ''),
    imageStore: readImageStore(read, problems),
    marketplace: readMarketplace(read, problems),
    sandbox: readSandbox(read, problems),
    ai: readAi(read),
    vehicleRegistry: readVehicleRegistry(read, problems),
    payments: readPayments(read, kind),
    mail: readMail(read, problems, kind),
    secrets: {
      /** Signing keys of sessions, newest first: `kid:secret`, comma-separated; none in a worker. */
      jwtKeys: kind === 'api' ? read.keys('JWT_KEYS') : [],
      /** AES-256 keys, newest first: `id:base64 of 32 bytes`, comma-separated. */
      encryptionKeys: read.keys('ENCRYPTION_KEYS'),
    },
    signIn: readSignIn(read),
    storageQuota: readStorageQuota(read),
    rateLimits: readRateLimits(read),
    processes: readProcesses(read),
    /** Whether each account has a log of the calls with its keys. */
    requestLog: read.oneOf('REQUEST_LOG', ['on', 'off']) === 'on',
    trustedProxies: readTrustedProxies(read, problems),
    allowPrivateNetworks: read.flag('ALLOW_PRIVATE_NETWORKS'),
    /** Node's own setting, handed on to processes that get nothing else of the environment; '' for none. */
    authoritiesFile: process.env['NODE_EXTRA_CA_CERTS'] ?? '',
    /** In hundredths of a per cent. The maximum is the whole price. */
    platformFeeBps: read.wholeNumber('PLATFORM_FEE_BPS', 500, 10_000),
    /** How long a buyer's data are kept after the last step of an order: sold, paid, shipped, completed or cancelled. */
    buyerDataDays: read.positiveNumber('BUYER_DATA_DAYS', 90),
    logLevel: read.text('LOG_LEVEL', 'info'),
    /** Address for the metrics of this process; null port: none. 0 selects a free port. */
    metrics: {
      host: read.text('METRICS_HOST', '127.0.0.1'),
      port: read.optional('METRICS_PORT') === '' ? null : read.wholeNumber('METRICS_PORT', 0, 65_535),
    },
    tracing: {
      /** Base address of an OpenTelemetry collector with OTLP over HTTP; '' for none. */
      url: read.optional('OTEL_EXPORTER_OTLP_ENDPOINT'),
      /** Whether a caller's `traceparent` is continued. Its flag then also decides whether the trace is kept. */
      trustsCallers: read.flag('TRACE_TRUST_CALLERS'),
    },
  };
  if (!/^https?:\/\/[^/]/.test(config.publicUrl) || !URL.canParse(config.publicUrl))
    problems.push('PUBLIC_URL must be an http or https address');
  else if (read.optional('NODE_ENV') === 'production')
    problems.push(...insecureSettings(config, { proxies: read.list('TRUSTED_PROXIES') }));
  read.requireSound();
  return config;
}

function readImageStore(read: ReadSettings, problems: string[]) {
  const kind = read.oneOf('IMAGE_STORE', ['disk', 's3']);
  const formerDirectory = read.optional('IMAGE_STORE_FORMER_DIR');
  return {
    kind,
    /** Folder of the images, with `disk`. */
    directory: resolve(read.text('IMAGE_STORE_DIR', '.itembridge/images')),
    /** With `s3`: the folder from which images are being moved, which are read there until then; '' for none. */
    formerDirectory: kind === 's3' && formerDirectory !== '' ? resolve(formerDirectory) : '',
    s3: kind === 's3' ? readS3(read, problems) : { endpoint: '', region: '', bucket: '', credentials: null },
  };
}

/** Without keys the credentials of the machine are used, such as the role of an instance. */
function readS3(read: ReadSettings, problems: string[]) {
  const [accessKeyId, secretAccessKey] = [read.optional('S3_ACCESS_KEY_ID'), read.optional('S3_SECRET_ACCESS_KEY')];
  if ((accessKeyId === '') !== (secretAccessKey === ''))
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are given both or not at all');
  return {
    /** Base address of the S3 API; '' is AWS in the region. */
    endpoint: readAddress(read, problems, 'S3_ENDPOINT'),
    region: read.text('S3_REGION', 'us-east-1'),
    bucket: read.text('S3_BUCKET'),
    credentials: accessKeyId === '' ? null : { accessKeyId, secretAccessKey },
  };
}

/** The simulated marketplace of test keys; '' for none. It never gets the credentials of the real application. */
function readSandbox(read: ReadSettings, problems: string[]) {
  const url = readAddress(read, problems, 'SANDBOX_MARKETPLACE_URL');
  const isApart = url !== '' && !isSameAddress(url, read.base('MARKETPLACE_URL'));
  return {
    /** With the marketplace's own address nothing is real, so every key is a test key. */
    url,
    kind: url === '' ? 'none' : isApart ? 'apart' : 'whole',
    appId: isApart ? read.text('SANDBOX_MARKETPLACE_APP_ID') : '',
    appKey: isApart ? read.text('SANDBOX_MARKETPLACE_APP_KEY') : '',
  } as const;
}

/** Attempts in a row: logins are refilled over 15 minutes, registrations over one hour. */
const readSignIn = (read: ReadSettings) => ({
  loginsPerAddress: read.positiveNumber('LOGINS_PER_ADDRESS', 60),
  loginsPerEmail: read.positiveNumber('LOGINS_PER_EMAIL', 10),
  /** All addresses together; beyond it an attempt costs its address ten points. */
  wrongLogins: read.positiveNumber('WRONG_LOGINS', 600),
  registrationsPerAddress: read.positiveNumber('REGISTRATIONS_PER_ADDRESS', 20),
  registrationsPerEmail: read.positiveNumber('REGISTRATIONS_PER_EMAIL', 5),
  /** Mails that a caller without a credential can have sent to one address. */
  mailsPerEmail: read.positiveNumber('MAILS_PER_EMAIL', 5),
});

/** Storage limits of one account: items, images, and bytes of their files. */
const readStorageQuota = (read: ReadSettings) => ({
  itemsMax: read.wholeNumber('QUOTA_ITEMS', 1_000_000),
  imagesMax: read.wholeNumber('QUOTA_IMAGES', 5_000_000),
  imageBytesMax: read.wholeNumber('QUOTA_IMAGE_GB', 500, 1_000_000) * 1_000_000_000,
});

/** Deployment and build of this worker, for workflows that stay on the build they began with; null: workers have no versions. */
function readWorkerVersion(read: ReadSettings, problems: string[]) {
  const [deploymentName, buildId] = [read.optional('WORKER_DEPLOYMENT_NAME'), read.optional('WORKER_BUILD_ID')];
  if ((deploymentName === '') !== (buildId === ''))
    problems.push('WORKER_DEPLOYMENT_NAME and WORKER_BUILD_ID are given both or not at all');
  return deploymentName === '' || buildId === '' ? null : { deploymentName, buildId };
}

/** A configured model also decides on categories, unless another setting is given. */
function readAi(read: ReadSettings) {
  const url = read.base('AI_URL');
  const hasModel = url !== '';
  return {
    /** Base of an OpenAI-compatible server, with its version (`…/v1`); '' for none, and texts then stay unchanged. */
    url,
    /** '' for servers without a key. */
    apiKey: hasModel ? read.optional('AI_API_KEY') : '',
    model: hasModel ? read.text('AI_MODEL') : '',
    timeoutMs: read.wholeNumber('AI_TIMEOUT_MS', 10_000),
    /** Over all processes and accounts, per minute and day of UTC. */
    callsPerMinute: read.wholeNumber('AI_CALLS_PER_MINUTE', 60),
    callsPerDay: read.wholeNumber('AI_CALLS_PER_DAY', 5_000),
    /** How many days an answer is kept for an equal question; 0 asks every time. */
    cacheDays: read.wholeNumber('AI_CACHE_DAYS', 30),
    /** Classifier for items without a domain; `embedded` needs no network. */
    classifier: read.oneOf<'embedded' | 'model'>('AI_CLASSIFIER', hasModel ? ['model', 'embedded'] : ['embedded']),
  };
}

function readVehicleRegistry(read: ReadSettings, problems: string[]) {
  const kind = read.oneOf('VEHICLE_REGISTRY', ['none', 'biluppgifter', 'tic']);
  const url = readAddress(read, problems, 'VEHICLE_REGISTRY_URL');
  if (kind === 'none' && url !== '')
    problems.push('VEHICLE_REGISTRY must say which registry VEHICLE_REGISTRY_URL is: biluppgifter or tic');
  return {
    /** `none`: plates are not looked up. */
    kind,
    /** Base of its addresses; '' is the registry's own. */
    url,
    /** Of the two, only Biluppgifter has a simple look-up. It brings no owners and debts along, and no fuel. */
    lookup: read.oneOf('VEHICLE_REGISTRY_LOOKUP', ['whole', 'simple']),
    apiKey: kind === 'none' ? '' : read.text('VEHICLE_REGISTRY_API_KEY'),
    timeoutMs: read.wholeNumber('VEHICLE_REGISTRY_TIMEOUT_MS', 5_000),
    /** Look-ups over all processes, per minute and per day in UTC, and the part for one account. */
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

function readPayments(read: ReadSettings, kind: ProcessKind) {
  const secretKey = read.optional('STRIPE_SECRET_KEY');
  if (secretKey !== '' && kind === 'api') read.text('STRIPE_WEBHOOK_SECRET');
  return {
    /** Base address of the payment processor's API; '' is its own. */
    url: read.base('STRIPE_URL'),
    /** '' for none: the Pro plan then can't be bought. */
    secretKey,
    /** Secrets of the webhook endpoint, newest first; any one may have signed. None in a worker. */
    webhookSecrets: kind === 'api' ? read.list('STRIPE_WEBHOOK_SECRET') : [],
    /** Price of the Pro plan at the processor; '' has one made with each checkout. */
    priceId: read.optional('STRIPE_PRICE_ID'),
    // A checkout makes up to four calls, each with two attempts; and the processor waits for the answer to its event.
    timeoutMs: read.wholeNumber('STRIPE_TIMEOUT_MS', 5_000),
  };
}

/** Without an address no mail is sent, and routes that need one say so. */
function readMail(read: ReadSettings, problems: string[], kind: ProcessKind) {
  const url = read.base('SMTP_URL');
  if (url !== '' && !(/^smtps?:\/\/[^/@]+$/.test(url) && URL.canParse(url)))
    problems.push('SMTP_URL must be smtp://host:port or smtps://host:port, without a user');
  const isSender = url !== '' && kind === 'worker';
  const user = isSender ? read.optional('SMTP_USER') : '';
  return {
    url,
    /** '' for a server without a sign-in. The API sends nothing, so it has neither of the two. */
    user,
    password: user === '' ? '' : read.text('SMTP_PASSWORD'),
    /** The sender: an address, or `name <address>`. */
    from: url === '' ? '' : read.text('MAIL_FROM'),
    timeoutMs: read.wholeNumber('SMTP_TIMEOUT_MS', 15_000, 20_000),
  };
}

/** How many of each run, as far as limits are shared out to them. */
const readProcesses = (read: ReadSettings) => ({
  apis: read.positiveNumber('API_PROCESSES', 1),
  workers: read.positiveNumber('WORKER_PROCESSES', 1),
});

/** The part of one API process; null: calls are not limited. */
function readRateLimits(read: ReadSettings) {
  const rate = (name: string, { burst, perSecond }: RateSetting) => ({
    burst: read.positiveNumber(`RATE_LIMIT_${name}_BURST`, burst),
    perSecond: read.positiveNumber(`RATE_LIMIT_${name}_PER_SECOND`, perSecond),
  });
  const { apis } = readProcesses(read);
  const part = ({ burst, perSecond }: RateSetting) => ({ burst: Math.ceil(burst / apis), perSecond: perSecond / apis });
  const key = rate('KEY', rateLimits.key);
  const limits = {
    key: part(key),
    member: part(rate('MEMBER', memberLimit(key))),
    account: part(rate('ACCOUNT', rateLimits.account)),
    address: part(rate('ADDRESS', rateLimits.address)),
    convert: part(rate('CONVERT', rateLimits.convert)),
    failed: part(rate('FAILED', rateLimits.failed)),
  };
  return read.oneOf('RATE_LIMITS', ['on', 'off']) === 'on' ? limits : null;
}

/** However the host is spelt. */
const isSameAddress = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;

/** An http or https address, without a trailing slash; '' for none. */
function readAddress(read: ReadSettings, problems: string[], name: string): string {
  const address = read.base(name);
  if (address !== '' && !(/^https?:\/\/[^/]/.test(address) && URL.canParse(address)))
    problems.push(`${name} must be an http or https address`);
  return address;
}

/**
 * Proxies whose `X-Forwarded-For` is trusted: addresses, networks, or loopback, linklocal, uniquelocal; empty for none. `none`
 * alone states that callers reach the API without a proxy.
 */
function readTrustedProxies(read: ReadSettings, problems: string[]): readonly string[] {
  const told = read.list('TRUSTED_PROXIES');
  if (told.length === 1 && told[0] === 'none') return [];
  for (const proxy of told.filter((one) => !namesProxies(one)))
    problems.push(
      `TRUSTED_PROXIES must list addresses, networks, loopback, linklocal or uniquelocal, or be none, not ${proxy}`,
    );
  return told;
}
