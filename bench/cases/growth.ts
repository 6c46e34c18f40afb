import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { itemBody, startPrice } from '../support/catalogue.ts';
import {
  dropIndexesOfRows,
  externalIdOf,
  fillGrownAccount,
  grownPassword,
  openGrownAccount,
  words,
  type GrownAccount,
} from '../support/grown-account.ts';
import { explainRequest } from '../support/explain-request.ts';
import { startProduct, type Product } from '../support/product.ts';
import { median, toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';

export interface GrowthPlan {
  /** Items of each account, the smallest first; as many rows in its delivery log, half as many orders. */
  readonly sizes: readonly number[];
  /** Of each kind and account, taking turns. */
  readonly calls: number;
}

interface Call {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Grown extends GrownAccount {
  readonly sessionHeaders: Readonly<Record<string, string>>;
  /** Of a page in the middle of its items. */
  readonly middleCursor: string;
}

/** What is called, for the n-th time, with an account. */
type Kind = (account: Grown, n: number) => Call;

const warmUpCalls = 20;
const growthMax = 1.5;
const ownMax: Readonly<Record<string, number>> = {
  // Where the account of a thousand has fewer rows than a page, its time says little of the others'.
  'search, every 200th item has the word': 2,
  // It reads an index key for each row.
  analytics: 100,
};

const get =
  (path: string) =>
  ({ apiKeyHeaders }: Grown): Call => ({ method: 'GET', path, headers: apiKeyHeaders });
/** What the dashboard reads. */
const read =
  (path: string): Kind =>
  ({ sessionHeaders: headers }) => ({ method: 'GET', path, headers });
const items = '/integration/v1/items';
const search = (word: string): Kind => get(`${items}?limit=50&q=${encodeURIComponent(word)}`);

function put({ apiKeyHeaders: headers }: Grown, externalId: string, price: number): Call {
  return { method: 'PUT', path: `${items}/${externalId}`, headers, body: JSON.stringify(itemBody(price)) };
}

/** Reading first: a pushed item loses the word that it was found by. */
const kinds: Readonly<Record<string, Kind>> = {
  'item list, first page': get(`${items}?limit=50`),
  'item list, a page in the middle': (account) => get(`${items}?limit=50&cursor=${account.middleCursor}`)(account),
  'search, 20 items have the word': search(words.rare),
  'search, every 200th item has the word': search(words.middling),
  'search, all items have the word': search(words.frequent),
  'search, all items have a part of the word': search(words.frequent.slice(-7)),
  'search, all items have the word, without its dots': search(words.frequent.replace('å', 'a')),
  'search, one external id': (account, n) => search(externalIdOf(account.size - 7))(account, n),
  'search, the beginning of many external ids': search(externalIdOf(10)),
  'search, the last digits of an external id': search('789'),
  'search, no item has the word': search('finnsinte'),
  analytics: read('/partner/analytics'),
  'delivery log': read('/integration/webhook-deliveries'),
  'delivery log, failed ones': read('/integration/webhook-deliveries?status=failed'),
  'PUT changed': (account, n) => put(account, externalIdOf((n * 37) % account.size), startPrice + 1 + n),
  'PUT new': (account, n) => put(account, `new-${n}`, startPrice),
};

/** The same calls of accounts of several sizes, one call after the other and the accounts in turns; what counts is how the time grows. */
export async function measureGrowth(servers: BenchServers, plan: GrowthPlan): Promise<BenchCase[]> {
  const opened: GrownAccount[] = [];
  await using product = await startProduct(servers, {
    withWorker: false,
    // Each kind of call signs in anew.
    settings: { QUOTA_ITEMS: String(2 * Math.max(...plan.sizes)), LOGINS_PER_EMAIL: '1000' },
    prepare: async (foundation) => {
      const { store } = foundation;
      await store.ensureIndexes();
      for (const size of plan.sizes) opened.push(await openGrownAccount(foundation, size));
      await dropIndexesOfRows(store);
      for (const account of opened) await said(`filling ${account.size} items`, () => fillGrownAccount(store, account));
      await said('building the indexes', () => store.ensureIndexes());
    },
  });
  const client = new Client(product.apiUrl);
  const cases: BenchCase[] = [];
  for (const [name, kind] of Object.entries(kinds)) {
    // A session lives a quarter of an hour.
    const accounts = await Promise.all(opened.map((account) => enter(client, account)));
    const durations = await callInTurns(client, accounts, { kind, calls: plan.calls });
    const rows = casesOf(name, accounts, durations);
    // At once: the accounts took long to fill, and a later call may fail.
    for (const { name: what, value, floor } of rows) console.error(`· ${what}: ${value} ms, ${floor} of the smallest`);
    cases.push(...rows);
    await explain(product, client, { name, kind, accounts, calls: plan.calls });
  }
  await client.destroy();
  return cases;
}

async function said(what: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await work();
  console.error(`· ${what}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

async function enter(client: Client, account: GrownAccount): Promise<Grown> {
  const body = JSON.stringify({ email: account.email, password: grownPassword });
  const headers = { 'content-type': 'application/json' };
  const { accessToken } = JSON.parse(
    (await send(client, { method: 'POST', path: '/auth/login', headers, body })).text,
  ) as { accessToken: string };
  const page = await send(client, { method: 'GET', path: `${items}?limit=50`, headers: account.apiKeyHeaders });
  const { nextCursor } = JSON.parse(page.text) as { nextCursor: string };
  const sessionHeaders = { authorization: `Bearer ${accessToken}` };
  return { ...account, sessionHeaders, middleCursor: movedTo(nextCursor, account.size / 2) };
}

/** Items are a second apart, so the time that many seconds ago is in the middle of them. */
function movedTo(cursor: string, secondsAgo: number): string {
  const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
  const time = new Date(Date.now() - secondsAgo * 1_000).toISOString();
  const moved = parts.map((part) => (typeof part === 'string' && /^\d{4}-.*Z$/.test(part) ? time : part));
  return Buffer.from(JSON.stringify(moved)).toString('base64url');
}

/** Durations in ms, by account. */
async function callInTurns(
  client: Client,
  accounts: readonly Grown[],
  { kind, calls }: { kind: Kind; calls: number },
): Promise<number[][]> {
  const durations: number[][] = accounts.map(() => []);
  for (let n = -warmUpCalls; n < calls; n += 1) {
    for (const [index, account] of accounts.entries()) {
      const { ms } = await send(client, kind(account, n + warmUpCalls));
      if (n >= 0) durations[index]?.push(ms);
    }
  }
  return durations;
}

const readable = (count: number): string => count.toLocaleString('en');

function casesOf(name: string, accounts: readonly Grown[], durations: readonly number[][]): BenchCase[] {
  const [smallest, ...larger] = accounts.map(({ size }, index) => ({ size, p50: median(durations[index] ?? []) }));
  if (smallest === undefined) return [];
  const largest = larger.at(-1);
  return larger.map((one) =>
    toCase({
      name: `${name}, ${readable(one.size)} beside ${readable(smallest.size)}, p50`,
      value: one.p50,
      unit: 'ms',
      floor: smallest.p50,
      ...(one === largest && { goal: ownMax[name] ?? growthMax }),
    }),
  );
}

/** What the database looked at for one call of the smallest and of the largest account: the same, if nothing grows. */
async function explain(
  { foundation }: Product,
  client: Client,
  { name, kind, accounts, calls }: { name: string; kind: Kind; accounts: readonly Grown[]; calls: number },
): Promise<void> {
  for (const account of [accounts[0], accounts.at(-1)]) {
    if (account === undefined) continue;
    const call = kind(account, warmUpCalls + calls);
    const lines = await explainRequest(foundation.store, () => send(client, call));
    for (const line of lines) console.error(`  ${name}, ${readable(account.size)}: ${line}`);
  }
}

interface Answer {
  readonly text: string;
  readonly ms: number;
}

async function send(client: Client, call: Omit<Call, 'method'> & { method: string }): Promise<Answer> {
  for (;;) {
    const startedAt = performance.now();
    const answer = await client.request(call);
    const text = await answer.body.text();
    const ms = performance.now() - startedAt;
    if (answer.statusCode < 300) return { text, ms };
    if (answer.statusCode !== 429)
      throw new Error(`${call.method} ${call.path} was answered ${answer.statusCode}: ${text.slice(0, 300)}`);
    await pause(Number(answer.headers['retry-after'] ?? 1) * 1_000);
  }
}
