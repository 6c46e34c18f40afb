import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  demoAccounts,
  loadAccountBook,
  saveAccountBook,
  type AccountBook,
  type DemoAccount,
  type SeededAccount,
} from './demo-accounts.ts';
import type { Home } from './home.ts';
import { callJson, textOf, type JsonAnswer } from './http-json.ts';
import { namedMarketplace } from './marketplace.ts';
import type { RunningSystem } from './system.ts';

const commissionBps = 250;
const run = promisify(execFile);

export interface SeedOptions {
  readonly home: Home;
  readonly system: RunningSystem;
  /** Whether the accounts have sold before. */
  readonly withPast: boolean;
}

/**
 * Creates a reseller and three members over the public HTTP API, so that each start also tries the onboarding. Each
 * finished step is stored at once, so an interrupted start continues where it was.
 */
export async function seedAccounts({
  home,
  system,
  withPast,
}: SeedOptions): Promise<{ book: AccountBook; accounts: DemoAccount[] }> {
  const book = loadAccountBook(home.accountsFile);
  const seeding = new Seeding({ home, system }, book);
  const isSimulated = seeding.noteMarketplace();
  const [reseller, ...members] = book.accounts;
  if (reseller === undefined) throw new Error(`${home.accountsFile} holds no account`);
  for (const account of book.accounts) await seeding.register(account);
  await seeding.grantAgreement(reseller);
  await seeding.makeOperators(book.accounts);
  for (const member of members) await seeding.connectMember(reseller, member);
  for (const account of book.accounts) {
    if (isSimulated) await seeding.connectMarketplace(account);
    await seeding.createApiKey(account);
  }
  if (withPast) await seeding.playPast(book);
  if (isSimulated) await seeding.moveAdLinks(book);
  for (const account of book.accounts) await seeding.createEndpoints(account);
  return { book, accounts: demoAccounts(book) };
}

class Seeding {
  readonly #home: Home;
  readonly #system: RunningSystem;
  readonly #book: AccountBook;
  readonly #tokens = new Map<string, string>();

  constructor({ home, system }: Pick<SeedOptions, 'home' | 'system'>, book: AccountBook) {
    this.#home = home;
    this.#system = system;
    this.#book = book;
  }

  /** Returns whether the simulator is the marketplace. At another one the accounts are connected by hand. */
  noteMarketplace(): boolean {
    const { simulators, environment } = this.#system;
    const url = namedMarketplace(environment);
    if (url === simulators.marketplace.url) return true;
    this.#book.namedMarketplace = url;
    this.#save();
    return false;
  }

  async register(account: SeededAccount): Promise<void> {
    if (account.userId !== undefined) return;
    const { email, password, name } = account;
    // 409: an earlier start was interrupted right after this call.
    const url = `${this.#system.apiUrl}/auth/register`;
    await callJson({ method: 'POST', url, body: { email, password, name }, accept: [200, 201, 409] });
    account.userId = subjectOf(await this.#tokenOf(account));
    this.#save();
  }

  /** What an administrator does with `npx itembridge`. */
  async grantAgreement(reseller: SeededAccount): Promise<void> {
    if (reseller.hasAgreement === true) return;
    const command = [
      'grant-reseller',
      reseller.email,
      '--commission-bps',
      String(commissionBps),
      '--slug',
      reseller.slug ?? '',
    ];
    await this.#itembridge(command);
    reseller.hasAgreement = true;
    this.#save();
  }

  /** Their dashboards link to the workflows of their items. */
  async makeOperators(accounts: readonly SeededAccount[]): Promise<void> {
    const missing = accounts.filter(({ isOperator }) => isOperator !== true);
    if (missing.length === 0) return;
    await this.#itembridge(['grant-operator', ...missing.map(({ email }) => email)]);
    for (const account of missing) account.isOperator = true;
    this.#save();
  }

  async connectMember(reseller: SeededAccount, member: SeededAccount): Promise<void> {
    if (member.isConnected !== true) {
      await this.#call(member, `POST /p/${reseller.slug ?? ''}/connect`);
      member.isConnected = true;
      this.#save();
    }
    if (member.hasReference === true) return;
    const path = `/business/my-profile/connections/${member.userId ?? ''}`;
    await this.#call(reseller, `PUT ${path}`, { externalId: member.externalId });
    member.hasReference = true;
    this.#save();
  }

  async connectMarketplace(account: SeededAccount): Promise<void> {
    if (account.hasMarketplace === true) return;
    const url = `${this.#system.simulators.marketplace.adminUrl}/users`;
    const user = await callJson({ method: 'POST', url, body: { userId: account.marketplaceUserId } });
    const connection = { marketplaceUserId: account.marketplaceUserId, token: textOf(user, 'token') };
    await this.#call(account, 'PUT /partner/marketplace-connection', connection);
    account.hasMarketplace = true;
    this.#save();
  }

  async createApiKey(account: SeededAccount): Promise<void> {
    if (account.apiKey !== undefined) return;
    const answer = await this.#call(account, 'POST /integration/api-keys/generate', { name: 'Example ERP' });
    account.apiKey = textOf(answer, 'apiKey');
    this.#save();
  }

  /**
   * Runs before webhooks exist, so that the endpoints of today get no events about it. Data of an older version stay
   * without a past.
   */
  async playPast(book: AccountBook): Promise<void> {
    if (book.hasPast === true || book.hasExamples || book.accounts.some(({ endpoints }) => endpoints.length > 0))
      return;
    await this.#run(['examples/past-sales.ts', ...book.accounts.map(({ userId }) => userId ?? '')]);
    book.hasPast = true;
    this.#save();
  }

  /** The simulated marketplace may have another port in this run. */
  async moveAdLinks(book: AccountBook): Promise<void> {
    const { url } = this.#system.simulators.marketplace;
    const { marketplaceUrl: before = url } = book;
    if (before !== url) await this.#run(['examples/move-ad-links.ts', `${before}/`, `${url}/`]);
    book.marketplaceUrl = url;
    this.#save();
  }

  /** The reseller receives events of its members and of itself, each member its own. */
  async createEndpoints(account: SeededAccount): Promise<void> {
    const scopes = account.role === 'reseller' ? (['members', 'self'] as const) : (['self'] as const);
    for (const scope of scopes) await this.#ensureEndpoint(account, scope);
  }

  async #ensureEndpoint(account: SeededAccount, scope: 'self' | 'members'): Promise<void> {
    const name = `${account.externalId ?? account.slug ?? 'account'}-${scope}`;
    const url = `${this.#system.simulators.webhookReceiver.url}/hooks/${name}`;
    const existing = account.endpoints.find((endpoint) => endpoint.scope === scope);
    if (existing?.url === url) return;
    if (existing === undefined) {
      const description = `Example receiver (${scope})`;
      const created = await this.#call(account, 'POST /integration/webhooks', {
        url,
        eventTypes: [],
        scope,
        description,
      });
      account.endpoints.push({ id: textOf(created, 'id'), url, scope, secret: textOf(created, 'secret') });
    } else {
      // The receiver has another port in this run.
      await this.#call(account, `PATCH /integration/webhooks/${existing.id}`, { url });
      account.endpoints = account.endpoints.map((endpoint) =>
        endpoint === existing ? { ...endpoint, url } : endpoint,
      );
    }
    this.#save();
  }

  async #itembridge(command: readonly string[]): Promise<void> {
    await this.#run(['bin/itembridge.ts', ...command]);
  }

  async #run(program: readonly string[]): Promise<void> {
    const options = { cwd: this.#home.root, env: this.#system.environment };
    await run(process.execPath, ['--import=tsx', ...program], options);
  }

  /** @param route method and path, `POST /p/slug/connect` */
  async #call(account: SeededAccount, route: string, body?: unknown): Promise<JsonAnswer> {
    const [method = '', path = ''] = route.split(' ');
    return callJson({ method, url: `${this.#system.apiUrl}${path}`, token: await this.#tokenOf(account), body });
  }

  async #tokenOf({ email, password }: SeededAccount): Promise<string> {
    const known = this.#tokens.get(email);
    if (known !== undefined) return known;
    const answer = await callJson({
      method: 'POST',
      url: `${this.#system.apiUrl}/auth/login`,
      body: { email, password },
    });
    const token = textOf(answer, 'accessToken');
    this.#tokens.set(email, token);
    return token;
  }

  #save(): void {
    saveAccountBook(this.#home.accountsFile, this.#book);
  }
}

/**
 * The account's UUID is the `sub` claim of the session token. The token came from our own service, so its signature is
 * not checked.
 */
function subjectOf(token: string): string {
  const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  if (typeof payload === 'object' && payload !== null && 'sub' in payload && typeof payload.sub === 'string')
    return payload.sub;
  throw new Error('the session token names no account');
}
