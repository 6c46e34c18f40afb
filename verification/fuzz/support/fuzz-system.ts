import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct, type Product } from '../../../bench/support/product.ts';
import { startServers, type BenchServers } from '../../../bench/support/servers.ts';
import { freePort } from '../../../embedded/choose-port.ts';
import { grantResellerAgreement } from '../../../features/resellers/agreements.ts';
import { callApi, createPeople, type ApiWorld, type TestAccount } from '../../../test/support/api-world.ts';

/** API and worker as processes of their own on new servers, and somebody who may call them. */
export interface FuzzSystem {
  readonly servers: BenchServers;
  readonly product: Product;
  /** What the write examples need of a world, in front of this system. */
  readonly world: ApiWorld;
  /** Its token is renewed in time: read it right before it is sent. */
  readonly account: TestAccount;
  /** Is no reseller, so that it can become a member. Its token is renewed, too. */
  readonly member: TestAccount;
  /** Makes the calls with a key. The sessions' account registers many endpoints, and each would get the events of its items. */
  readonly keyed: TestAccount;
  /** Signs the events of the payment processor: those of its simulator, and those that are made up. */
  readonly paymentSecret: string;
  /** Where a process that is told to opens its inspector: one of them, or they would want the same port. */
  readonly inspectPort: number;
  /** Of the processes' environment: none may ever be in an answer or a log. */
  readonly secrets: readonly string[];
  /** Parsed lines of a process' log from a place in it on; `end` is the place to go on from. */
  logSince(process: 'api' | 'worker', start: number): { readonly lines: readonly LogLine[]; readonly end: number };
  stop(): Promise<void>;
}

export type LogLine = Readonly<Record<string, unknown>>;

/** Everything comes from one address, and most of those that sign in are right. */
const generousSignIn = Object.fromEntries(
  [
    'LOGINS_PER_ADDRESS',
    'LOGINS_PER_EMAIL',
    'WRONG_LOGINS',
    'REGISTRATIONS_PER_ADDRESS',
    'REGISTRATIONS_PER_EMAIL',
    'MAILS_PER_EMAIL',
  ].map((name) => [name, '1000000']),
);

/** A token lasts 15 minutes. */
const renewalMs = 5 * 60_000;

export async function startFuzzSystem(): Promise<FuzzSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'itembridge-fuzz-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const servers = await startServers(folder, undefined).catch((error: unknown) => {
    remove();
    throw error;
  });
  try {
    return await startOn(servers, remove);
  } catch (error) {
    await servers.stop();
    remove();
    throw error;
  }
}

async function startOn(servers: BenchServers, remove: () => void): Promise<FuzzSystem> {
  const canary = `canary${randomBytes(16).toString('hex')}`;
  const paymentSecret = `whsec_${randomBytes(24).toString('hex')}`;
  const inspectPort = await freePort();
  const settings = {
    ...generousSignIn,
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --inspect-port=127.0.0.1:${inspectPort}`.trim(),
    FUZZ_CANARY: canary,
    JWT_KEYS: `fuzz:${canary}${randomBytes(32).toString('base64url')}`,
    STRIPE_URL: servers.simulators.payments.url,
    STRIPE_SECRET_KEY: `sk_test_${canary}`,
    STRIPE_WEBHOOK_SECRET: paymentSecret,
    // Nothing listens there: what is to be sent stays due, and no call waits for it.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'itembridge@example.se',
  };
  const product = await startProduct(servers, { withWorker: true, settings });
  let renewal: NodeJS.Timeout | undefined;
  const stop = async (): Promise<void> => {
    clearInterval(renewal);
    await product[Symbol.asyncDispose]();
    await servers.stop();
    remove();
  };
  try {
    const { MARKETPLACE_APP_KEY = '', ENCRYPTION_KEYS = '', VEHICLE_REGISTRY_API_KEY = '' } = servers.productSettings;
    await sendPaymentEvents(servers, { url: `${product.apiUrl}/stripe/webhook`, secret: paymentSecret });
    const world = worldOf(product);
    const [account, member] = [renewable(await world.account()), renewable(await world.account())];
    renewal = setInterval(() => {
      for (const one of [account, member]) one.renew(world).catch(() => undefined);
    }, renewalMs);
    return {
      servers,
      product,
      world,
      account,
      member,
      paymentSecret,
      inspectPort,
      stop,
      keyed: await world.account(),
      secrets: [
        canary,
        paymentSecret,
        MARKETPLACE_APP_KEY,
        VEHICLE_REGISTRY_API_KEY,
        ENCRYPTION_KEYS.slice(ENCRYPTION_KEYS.indexOf(':') + 1),
      ],
      logSince: (process, start) => readLog(join(servers.folder, `${process}.log`), start),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The account with a token that `renew` replaces by a new one. */
function renewable(account: TestAccount): TestAccount & { readonly renew: (world: ApiWorld) => Promise<void> } {
  const { email, password } = account;
  const renewed = {
    ...account,
    renew: async (world: ApiWorld): Promise<void> => {
      renewed.token = (await world.call('POST', '/auth/login', { body: { email, password } })).body.accessToken;
    },
  };
  return renewed;
}

async function sendPaymentEvents({ simulators }: BenchServers, target: { url: string; secret: string }): Promise<void> {
  const response = await fetch(`${simulators.payments.adminUrl}/webhook`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(target),
  });
  if (!response.ok) throw new Error(`the payments simulator answered ${response.status}`);
}

/** What Schemathesis calls, and as whom. */
export interface SchemathesisTarget {
  readonly url: string;
  /** A session of one account and the key of another, so that what one revokes the other goes on with. */
  readonly token: string;
  readonly apiKey: string;
  readonly paymentSecret: string;
}

export async function schemathesisTarget({ world, paymentSecret }: FuzzSystem): Promise<SchemathesisTarget> {
  const [{ token }, { apiKey }] = [await world.account(), await world.account()];
  return { url: world.url, token, apiKey, paymentSecret };
}

function worldOf({ apiUrl, foundation }: Product): ApiWorld {
  const { store } = foundation;
  const now = (): Date => new Date();
  const call: ApiWorld['call'] = (method, path, options) => callApi(apiUrl, { method, path, ...options });
  const people = createPeople({
    call,
    grant: async (email, slug) => {
      await grantResellerAgreement({ store, now, newId: randomUUID }, { email, commissionBps: 250, slug });
    },
  });
  const world: Partial<ApiWorld> = { url: apiUrl, store, now, call, ...people };
  return world as ApiWorld;
}

function readLog(file: string, start: number): { lines: LogLine[]; end: number } {
  const bytes = readFileSync(file);
  // The last line may be half written.
  const end = bytes.lastIndexOf('\n') + 1;
  const texts = bytes.subarray(start, Math.max(start, end)).toString('utf8').split('\n');
  return { lines: texts.flatMap(parsedLine), end: Math.max(start, end) };
}

/** Not every line is one of the logger: a crash writes its stack. */
function parsedLine(text: string): LogLine[] {
  if (text.trim() === '') return [];
  try {
    return [JSON.parse(text) as LogLine];
  } catch {
    return [{ msg: text, isRaw: true }];
  }
}
