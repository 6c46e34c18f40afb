import { randomBytes, randomUUID } from 'node:crypto';
import type { ExecutionContext, TestFn } from 'ava';
import { pino } from 'pino';
import type { ApiDependencies } from '../../api/dependencies.ts';
import { listen } from '../../api/http/listen.ts';
import { itemId } from '../../core/ids.ts';
import { createEmbeddedClassifier } from '../../gateways/ai/embedded-classifier.ts';
import { createDiskImageStore } from '../../gateways/image-store/disk-image-store.ts';
import { createWorkflowPages } from '../../gateways/orchestrator/workflow-pages.ts';
import { absentPayments } from '../../gateways/payments/absent-payments.ts';
import type { Payments } from '../../gateways/payments/port.ts';
import { absentVehicleRegistry } from '../../gateways/vehicle-registry/absent-vehicle-registry.ts';
import type { VehicleRegistry } from '../../gateways/vehicle-registry/port.ts';
import { createDeviceTokens } from '../../security/device-token.ts';
import { createEncryption } from '../../security/encryption.ts';
import { createPageTokens } from '../../security/page-tokens.ts';
import { createSessionTokens } from '../../security/session-token.ts';
import type { SigningKey } from '../../security/signed-token.ts';
import { sharedFor } from '../../platform/shared-for.ts';
import { isStoreUnavailable, openStore, type StoreConnection } from '../../store/connection.ts';
import { isOperator } from '../../store/accounts.ts';
import { createItemListStore } from '../../store/item-list.ts';
import { createItemStore } from '../../store/items.ts';
import { createJournalStore } from '../../store/journal.ts';
import { createVehicleLookupStore } from '../../store/vehicle-lookups.ts';
import { createAccountSide } from '../../usecases/account-side.ts';
import { createSignInLimits, type SignInNumbers } from '../../usecases/accounts/create-sign-in-limits.ts';
import { convertCategory } from '../../usecases/categories/convert-category.ts';
import { bindBatch } from '../../usecases/items/bind-batch.ts';
import { createItemWrites } from '../../usecases/items/item-writes.ts';
import { createTurns } from '../../usecases/items/take-turns.ts';
import { listItems } from '../../usecases/items/list-items.ts';
import { readHostedImage } from '../../usecases/items/read-hosted-image.ts';
import { readItem, readItemStatus } from '../../usecases/items/read-item.ts';
import { readPartnerItem } from '../../usecases/items/read-partner-item.ts';
import { readTimeline } from '../../usecases/items/read-timeline.ts';
import { grantResellerAgreement } from '../../usecases/resellers/grant-reseller-agreement.ts';
import { createCallerLimits, type RateSettings } from '../../usecases/rate-limits/create-caller-limits.ts';
import { createVehicleLookup } from '../../usecases/vehicles/create-vehicle-lookup.ts';
import { readVehicle } from '../../usecases/vehicles/read-vehicle.ts';
import { itemWorkflowId } from '../../workflows/contracts/items.ts';
import { undocumentedIn } from './documented-answer.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { giveDatabaseBack, takeDatabase, testMongodbUri } from './test-database.ts';

/** The API in this process on a database of its own, with real use cases and no workflows behind it. */
export interface ApiWorld {
  readonly url: string;
  readonly store: StoreConnection;
  /** To start another process on it. */
  readonly database: string;
  readonly dependencies: ApiDependencies;
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
  /** Closes all but the database, which another world uses. */
  release(): Promise<void>;
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
  /** Replaces parts of what the API calls. */
  readonly replace?: (dependencies: ApiDependencies) => Partial<ApiDependencies>;
  readonly allowPrivateNetworks?: boolean;
  /** By default so generous that nobody meets them. */
  readonly rateLimits?: RateSettings;
  readonly trustedProxies?: readonly string[];
  /** By default a new one. Only one of the worlds that share it is closed, the others are released. */
  readonly database?: string;
  /** By default one of its own. */
  readonly jwtKeys?: readonly SigningKey[];
  /** By default http://api.test. */
  readonly publicUrl?: string;
  /** By default nobody meets them: all tests come from one address. */
  readonly signIn?: Partial<SignInNumbers>;
  /** By default there is none. */
  readonly vehicleRegistry?: Pick<VehicleRegistry, 'lookUp'>;
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

/** For tests that are not about signing in. */
export const unlimitedSignIn: SignInNumbers = {
  loginsPerAddress: 1_000_000,
  loginsPerEmail: 1_000_000,
  registrationsPerAddress: 1_000_000,
  registrationsPerEmail: 1_000_000,
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
  const database = options.database ?? (await takeDatabase());
  const store = await openStore({ uri: testMongodbUri(), database });
  const logLines: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'info' },
    { write: (line: string) => logLines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  let passedMs = 0;
  const now = (): Date => new Date(Date.now() + passedMs);
  const imageStore = createDiskImageStore(temporaryFolder('images'));
  const jwtKeys = options.jwtKeys ?? [{ id: 'test', secret: randomBytes(32).toString('hex') }];
  const { settle, ...accountSide } = createAccountSide({
    store,
    encryption: createEncryption([{ id: 'test', secret: randomBytes(32).toString('base64') }]),
    sessions: createSessionTokens(jwtKeys),
    devices: createDeviceTokens(jwtKeys),
    pageTokens: createPageTokens(jwtKeys),
    signInLimits: createSignInLimits(store, { ...unlimitedSignIn, ...options.signIn }),
    addressPolicy: { allowPrivateNetworks: options.allowPrivateNetworks ?? false },
    logger,
    // No engine here: what is to be sent stays in the database.
    hints: {
      startDelivery: () => undefined,
      startRecovery: () => undefined,
      startBulkSync: () => undefined,
      nudgeItem: () => undefined,
    },
    platformFeeBps: 500,
    payments: options.payments?.(now) ?? absentPayments,
    publicUrl: options.publicUrl ?? 'http://api.test',
    now,
    newId: randomUUID,
  });
  const items = createItemStore(store);
  const embedded = createEmbeddedClassifier();
  const registry = options.vehicleRegistry ?? absentVehicleRegistry;
  const lookUp = createVehicleLookup({ registry, lookups: createVehicleLookupStore(store), logger, now });
  const confirmCredential = accountSide.authentication.confirm;
  const newItemId = () => itemId(randomUUID());
  const workflowPage = createWorkflowPages({ uiUrl: 'http://temporal.test', namespace: 'test' });
  const writes = { items, confirmCredential, nudge: () => undefined, newItemId, now, takeTurn: createTurns() };
  const dependencies: ApiDependencies = {
    ...accountSide,
    logger,
    publicUrl: options.publicUrl ?? 'http://api.test',
    rateLimits: createCallerLimits(store, options.rateLimits ?? generousLimits),
    trustedProxies: options.trustedProxies ?? [],
    items: {
      ...createItemWrites(writes),
      applyBatch: bindBatch(store, writes),
      read: (scope, externalId) => readItem({ items, publicUrl: 'http://api.test' }, scope, externalId),
      readForPartner: (scope, externalId) =>
        readPartnerItem(
          {
            ...{ items, publicUrl: 'http://api.test', now, isOperator: (account) => isOperator(store, account) },
            workflowOf: ({ id, hasRun = false }) => workflowPage(itemWorkflowId(id), { hasRun }),
          },
          scope,
          externalId,
        ),
      readStatus: (scope, externalId) => readItemStatus(items, scope, externalId),
      list: (scope, query) =>
        listItems({ itemList: createItemListStore(store), publicUrl: 'http://api.test', now }, scope, query),
      readTimeline: (scope, page) => readTimeline({ items, journal: createJournalStore(store) }, scope, page),
    },
    categories: {
      convert: (request) =>
        convertCategory({ classifier: embedded, embedded, logger, fallbackCategoryId: 536 }, request),
    },
    vehicles: { read: (plate) => readVehicle({ lookUp, now }, plate) },
    images: { read: (key) => readHostedImage(imageStore, key) },
    health: { isReady: sharedFor(1_000, () => store.isReachable()) },
    isUnavailable: isStoreUnavailable,
  };
  const api = await listen({ ...dependencies, ...options.replace?.(dependencies) }, { host: '127.0.0.1', port: 0 });
  const call = (method: string, path: string, callOptions: CallOptions = {}) =>
    callApi(api.url, { method, path, ...callOptions });
  const people = createPeople(call, async (email, slug) => {
    await grantResellerAgreement({ store, now, newId: randomUUID }, { email, commissionBps: 250, slug });
  });
  return {
    url: api.url,
    store,
    database,
    dependencies,
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
      await settle();
      await store.close();
      giveDatabaseBack(database);
    },
    release: async () => {
      await api.close();
      await settle();
      await store.close();
    },
  };
}

/** Those who make accounts by calling an API, wherever it runs. */
export function createPeople(call: ApiWorld['call'], grant: (email: string, slug: string) => Promise<void>) {
  const account = async (name = 'Testbolaget AB'): Promise<TestAccount> => {
    const person = { email: `${randomUUID()}@example.se`, password: 'correct horse battery' };
    const { accessToken: token, account: made } = mustBe(
      201,
      await call('POST', '/auth/register', { body: { ...person, name } }),
    ).body;
    const { apiKey } = mustBe(200, await call('POST', '/integration/api-keys/generate', { token })).body;
    return { ...person, id: made.id, token, apiKey };
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
