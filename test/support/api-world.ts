import { randomBytes, randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { ExecutionContext, TestFn } from 'ava';
import { pino } from 'pino';
import type { ApiParts, Served } from '../../api/http/api-parts.ts';
import { listen } from '../../api/http/listen.ts';
import { composeApiOn } from '../../compose/api.ts';
import { createServiceMetrics } from '../../compose/service-metrics.ts';
import { loadConfig, type Config } from '../../compose/config.ts';
import { createPasswords, type Passwords } from '../../platform/security/password.ts';
import { createDiskImageStore } from '../../gateways/image-store/disk-image-store.ts';
import type { Payments } from '../../gateways/payments/port.ts';
import type { VehicleRegistry } from '../../gateways/vehicle-registry/port.ts';
import { accountId } from '../../features/rules/ids.ts';
import { apiKeyPrefix, hashApiKey, newApiKey } from '../../platform/security/api-key.ts';
import type { AccountRow } from '../../features/accounts/store/accounts.ts';
import type { ApiKeyRow } from '../../features/accounts/store/api-keys.ts';
import type { SigningKey } from '../../platform/security/signed-token.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { describeSession, prepareSession } from '../../features/accounts/own-sessions.ts';
import type { Context } from '../../features/context.ts';
import type { SignInNumbers } from '../../features/accounts/sign-in-limits.ts';
import { grantResellerAgreement } from '../../features/resellers/agreements.ts';
import type { RateSettings } from '../../features/accounts/caller-limits.ts';
import type { LookupLimits } from '../../features/vehicles/look-up-vehicle.ts';
import { defaultApplication } from '../../simulators/marketplace/default-application.ts';
import { undocumentedIn } from './documented-answer.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { closeTestStore, openBeside, openTestStore, testMongodbUri } from './open-test-store.ts';
import { present } from './clock.ts';
import { noEngine, NoSlots } from './no-engine.ts';

/** The API in this process on a database of its own, with real use cases and no workflows behind it. */
export interface ApiWorld {
  readonly url: string;
  readonly store: StoreConnection;
  /** What its API serves with, to serve it in another way. */
  readonly served: Served;
  readonly context: Context;
  readonly imageStore: ReturnType<typeof createDiskImageStore>;
  /** One parsed log line a request, oldest first. */
  readonly logLines: readonly Record<string, unknown>[];
  readonly now: () => Date;
  /** Moves the clock of the service on. */
  pass(ms: number): void;
  /** Throws when the answer is not one that the interface document promises. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** A new account with a session and an API key. */
  account(name?: string): Promise<TestAccount>;
  /** A new account with a reseller agreement. */
  reseller(): Promise<TestAccount & { readonly slug: string }>;
  /** A new member of this reseller, under a reference of its own. */
  memberOf(reseller: {
    readonly slug: string;
    readonly token: string;
  }): Promise<TestAccount & { readonly reference: string }>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly token?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly body?: unknown;
  /** Sent as it is instead of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // Tests look into answers as an outsider would: without types.
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- answers of any form are asserted on
  readonly text: string;
}

export interface TestAccount {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly apiKey: string;
}

export interface WorldOptions {
  /** Replaces parts of what the use cases work with. */
  readonly replace?: (context: Context) => Partial<Context>;
  readonly streamTimes?: ApiParts['streamTimes'];
  /** By default those of the interface. */
  readonly routes?: ApiParts['routes'];
  readonly allowPrivateNetworks?: boolean;
  /** By default so generous that nobody meets them. */
  readonly rateLimits?: RateSettings;
  readonly trustedProxies?: readonly string[];
  /** Another process of this world, on its database. It is closed first. By default a world has a database of its own. */
  readonly beside?: ApiWorld;
  /** By default there is no mail server. What is due is sent by `sendDueMails`. */
  readonly sendsMail?: boolean;
  /** Accounts register and make their keys as callers do, with entries in their log; by default their rows are there at once. */
  readonly registers?: boolean;
  /** By default one of its own. */
  readonly jwtKeys?: readonly SigningKey[];
  /** By default http://api.test. */
  readonly publicUrl?: string;
  /** Settings of the sandbox; by default there is none. */
  readonly sandbox?: Readonly<Record<`SANDBOX_${string}`, string>>;
  /** By default images are linked at the API. */
  readonly imagesPublicUrl?: string;
  /** By default nobody meets them: all tests come from one address. */
  readonly signIn?: Partial<SignInNumbers>;
  /** By default argon2id, which works on the usual password once. */
  readonly passwords?: Passwords;
  /** By default there is none. */
  readonly vehicleRegistry?: Pick<VehicleRegistry, 'lookUp'>;
  /** By default that of the configuration. */
  readonly storageQuota?: Config['storageQuota'];
  /** By default more than any test uses. */
  readonly vehicleLookups?: LookupLimits;
  /** By default there is none. Given the clock of the service. */
  readonly payments?: (now: () => Date) => Payments;
}

/** Starts one for the whole file and takes it down after the last test. */
export function withApiWorld(test: TestFn, options: WorldOptions = {}): () => ApiWorld {
  let world: ApiWorld | undefined;
  test.before('the API starts', async () => {
    world = await startApiWorld(options);
  });
  test.after.always('the API stops', async () => {
    await world?.close();
  });
  return () => {
    if (world === undefined) throw new Error('the API did not start');
    return world;
  };
}

/** Of a sandbox at a simulated marketplace. */
export const sandboxSettings = (url: string) => ({
  SANDBOX_MARKETPLACE_URL: url,
  SANDBOX_MARKETPLACE_APP_ID: defaultApplication.appId,
  SANDBOX_MARKETPLACE_APP_KEY: defaultApplication.appKey,
});

/** For tests that are not about signing in. */
export const unlimitedSignIn: SignInNumbers = {
  loginsPerAddress: 1_000_000,
  loginsPerEmail: 1_000_000,
  wrongLogins: 1_000_000,
  registrationsPerAddress: 1_000_000,
  registrationsPerEmail: 1_000_000,
  mailsPerEmail: 1_000_000,
};

const generous = { burst: 1_000_000, perSecond: 1_000_000 };
export const generousLimits: RateSettings = {
  key: generous,
  member: generous,
  account: generous,
  address: generous,
  convert: generous,
  failed: generous,
};

export async function startApiWorld(options: WorldOptions = {}): Promise<ApiWorld> {
  const store = await (options.beside ? openBeside(options.beside.store) : openTestStore());
  const logLines: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'info' },
    { write: (line: string) => logLines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  let passedMs = 0;
  const now = (): Date => present(passedMs);
  const config = configOf(options);
  const imageStore = createDiskImageStore(config.imageStore.directory);
  const { vehicleRegistry } = options;
  const { close, ...composed } = composeApiOn({
    config,
    logger,
    store,
    imageStore,
    now,
    metrics: createServiceMetrics(),
    tracing: undefined,
    instead: {
      passwords: options.passwords ?? quickPasswords,
      // There is no engine here: what workflows would do is left in the rows.
      orchestrator: noEngine,
      slots: new NoSlots(),
      ...(options.payments && { payments: options.payments(now) }),
      ...(vehicleRegistry && {
        vehicleRegistry: { lookUp: (plate) => vehicleRegistry.lookUp(plate), close: () => Promise.resolve() },
      }),
    },
  });
  const served = servedWith(composed, options);
  const { context } = served;
  const api = await listen(served, { host: '127.0.0.1', port: 0 });
  const call = (method: string, path: string, callOptions: CallOptions = {}) =>
    callApi(api.url, { method, path, ...callOptions });
  const people = createPeople({
    call,
    ...((options.registers ?? options.sendsMail) !== true && {
      signUp: (registration: Registration) => signUpWithin(composed.context, registration),
    }),
    grant: async (email, slug) => {
      await grantResellerAgreement({ store, now, newId: randomUUID }, { email, commissionBps: 250, slug });
    },
  });
  return {
    url: api.url,
    store,
    served,
    context,
    imageStore,
    logLines,
    now,
    pass: (ms) => {
      passedMs += ms;
    },
    call,
    ...people,
    close: async () => {
      await api.close();
      await close();
      await (options.beside ? store.close() : closeTestStore(store));
    },
  };
}

/** What is composed, with what a test puts in its place. */
const servedWith = ({ context, parts }: Served, { replace, routes, streamTimes }: WorldOptions): Served => ({
  context: { ...context, ...replace?.(context) },
  parts: { ...parts, ...(streamTimes && { streamTimes }), ...(routes && { routes }) },
});

const configOf = (options: WorldOptions): Config => {
  const config = loadedConfig(options);
  const { vehicleLookups: lookups = generousLookups, storageQuota = config.storageQuota } = options;
  return { ...config, storageQuota, vehicleRegistry: { ...config.vehicleRegistry, lookups } };
};

const manyCalls = { callsPerMinute: 1_000_000, callsPerDay: 1_000_000 };
const generousLookups: LookupLimits = { ...manyCalls, account: manyCalls };

const loadedConfig = (options: WorldOptions): Config => ({
  ...loadConfig({
    MONGODB_URI: testMongodbUri(),
    MARKETPLACE_URL: 'https://marketplace.test',
    MARKETPLACE_APP_ID: '1',
    MARKETPLACE_APP_KEY: 'test',
    TEMPORAL_NAMESPACE: 'test',
    TEMPORAL_UI_URL: 'http://temporal.test',
    IMAGE_STORE_DIR: temporaryFolder('images'),
    JWT_KEYS: `test:${randomBytes(32).toString('hex')}`,
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    PUBLIC_URL: options.publicUrl ?? 'http://api.test',
    ...(options.sendsMail === true && { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'itembridge@example.se' }),
    IMAGES_PUBLIC_URL: options.imagesPublicUrl,
    ALLOW_PRIVATE_NETWORKS: String(options.allowPrivateNetworks ?? false),
    TRUSTED_PROXIES: (options.trustedProxies ?? []).join(','),
    ...options.sandbox,
  }),
  ...(options.jwtKeys && {
    secrets: {
      jwtKeys: options.jwtKeys,
      encryptionKeys: [{ id: 'test', secret: randomBytes(32).toString('base64') }],
    },
  }),
  signIn: { ...unlimitedSignIn, ...options.signIn },
  rateLimits: options.rateLimits ?? generousLimits,
});

/** The password of all people of {@link createPeople}. */
const usualPassword = 'correct horse battery';
let usualHash: Promise<string> | undefined;
/** The usual password is worked on once for all of them: it takes 20 ms of CPU, and tests make a thousand accounts. */
const quickPasswords = createPasswords({
  hash: (password, cost) => (password === usualPassword ? (usualHash ??= hash(password, cost)) : hash(password, cost)),
  verify,
});

/**
 * The rows of an account, its first session and its key, without the calls that make them, which other tests are about: it is a
 * tenth of their work, and tests make a thousand accounts. The log of the account says nothing of it.
 */
async function signUpWithin(context: Context, { email, password, name }: Registration): Promise<SignedUp> {
  const { store, now } = context;
  const [id, createdAt, apiKey] = [accountId(randomUUID()), now(), newApiKey('live')];
  const account: AccountRow = { _id: id, email, name, passwordHash: await context.passwords.hash(password), createdAt };
  const { row: session } = prepareSession(context, id, { address: '127.0.0.1' });
  const key: ApiKeyRow = {
    _id: randomUUID(),
    accountId: id,
    name: 'API Key',
    hash: hashApiKey(apiKey),
    prefix: apiKeyPrefix(apiKey),
    createdAt,
    lastUsedAt: null,
    revokedAt: null,
  };
  const insert = (collection: string, row: object) => store.connection.collection(collection).insertOne(row);
  await Promise.all([insert('accounts', account), insert('sessions', session), insert('api_keys', key)]);
  return { id, token: describeSession(context, account, session).accessToken, apiKey };
}

interface Registration {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

type SignedUp = Pick<TestAccount, 'id' | 'token' | 'apiKey'>;

/** Those who make accounts at an API, wherever it runs. */
export function createPeople({
  call,
  signUp = (registration) => signUpOver(call, registration),
  grant,
}: {
  call: ApiWorld['call'];
  signUp?: (registration: Registration) => Promise<SignedUp>;
  grant: (email: string, slug: string) => Promise<void>;
}) {
  const account = async (name = 'Testbolaget AB'): Promise<TestAccount> => {
    const person = { email: `${randomUUID()}@example.se`, password: usualPassword };
    return { ...person, ...(await signUp({ ...person, name })) };
  };
  return {
    account,
    reseller: async () => {
      const person = await account('Återförsäljaren AB');
      const slug = `r-${randomUUID().slice(0, 13)}`;
      await grant(person.email, slug);
      return { ...person, slug };
    },
    memberOf: async (reseller: { readonly slug: string; readonly token: string }) => {
      const person = await account('Medlemmen AB');
      mustBe(201, await call('POST', `/p/${reseller.slug}/connect`, { token: person.token }));
      const reference = `butik-${randomUUID().slice(0, 8)}`;
      const path = `/business/my-profile/connections/${person.id}`;
      mustBe(200, await call('PUT', path, { token: reseller.token, body: { externalId: reference } }));
      return { ...person, reference };
    },
  };
}

async function signUpOver(call: ApiWorld['call'], registration: Registration): Promise<SignedUp> {
  const { accessToken: token, account } = mustBe(
    201,
    await call('POST', '/auth/register', { body: registration }),
  ).body;
  const { apiKey } = mustBe(200, await call('POST', '/integration/api-keys/generate', { token })).body;
  return { id: account.id, token, apiKey };
}

function mustBe(status: number, reply: Reply): Reply {
  if (reply.status !== status) throw new Error(`expected ${status}, got ${reply.status}: ${reply.text}`);
  return reply;
}

export async function callApi(url: string, call: CallOptions & { method: string; path: string }): Promise<Reply> {
  const payload = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  const response = await fetch(url + call.path, {
    method: call.method,
    redirect: 'manual',
    headers: {
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      ...(call.token !== undefined && { authorization: `Bearer ${call.token}` }),
      ...(call.apiKey !== undefined && { 'x-api-key': call.apiKey }),
      ...call.headers,
    },
    ...(payload !== undefined && { body: payload }),
  });
  const text = await response.text();
  const { status, headers } = response;
  const undocumented = undocumentedIn({ method: call.method, path: call.path, status, headers, text });
  if (undocumented.length > 0) {
    const problems = undocumented.join('\n  ');
    throw new Error(`${call.method} ${call.path} answered beside the interface document:\n  ${problems}\n${text}`);
  }
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  return { status, headers, body: isJson ? JSON.parse(text) : undefined, text };
}

/** Asserts the error form: exactly these fields, the status twice, a stable code. */
export function isError(t: ExecutionContext, reply: Reply, expected: { status: number; code: string }): void {
  t.is(reply.status, expected.status, reply.text);
  t.is(reply.body.statusCode, expected.status);
  t.is(reply.body.code, expected.code);
  t.is(typeof reply.body.error, 'string');
  const allowed = ['error', 'code', 'statusCode', 'details'];
  t.deepEqual(
    Object.keys(reply.body).filter((key) => !allowed.includes(key)),
    [],
  );
}
