import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Collection, Document } from 'mongodb';
import { Client } from 'undici';
import type { AccountId } from '../../core/ids.ts';
import { uncountedIndex } from '../../store/items/items.ts';
import { cpuSince, readCpuTimes } from '../support/cpu.ts';
import { fillAccount } from '../support/analytics-account.ts';
import { pidOf } from '../support/pid-of.ts';
import { startProduct, type Product } from '../support/product.ts';
import { cpuParts, toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';
import { percentile } from '../support/statistics.ts';

export interface AnalyticsPlan {
  /** Items of each account; half as many orders. */
  readonly sizes: readonly number[];
  /** Of each account, taking turns. */
  readonly reads: number;
}

interface Partner {
  readonly size: number;
  readonly id: AccountId;
  token: string;
  readonly durations: number[];
}

const path = '/partner/analytics';
const warmUpReads = 30;

/**
 * `GET /partner/analytics` of accounts of several sizes, one call after the other and the accounts in turns. The floor of each is
 * `GET /auth/me` of the same account: authentication, limits and one small read.
 */
export async function measureAnalytics(servers: BenchServers, plan: AnalyticsPlan): Promise<BenchCase[]> {
  const product = await startProduct(servers, { withWorker: false });
  const client = new Client(product.apiUrl);
  try {
    const partners: Partner[] = [];
    for (const size of plan.sizes) partners.push(await signUp(client, product, size));
    // Only then, because a token lives 15 minutes.
    for (const partner of partners) partner.token = await logIn(client, partner);
    const floor = await readInTurns(client, partners, plan.reads);
    const pids = { api: pidOf(product.api), mongod: pidOf(servers.mongod) };
    const cpu: CpuOfReads[] = [];
    for (const { token } of partners) cpu.push(await cpuOfReads(client, { token, reads: plan.reads, pids }));
    const largest = partners.at(-1);
    if (largest !== undefined) await printPlans(product, largest);
    return partners.flatMap((partner, index) => [
      ...casesOf(partner, partners[0]?.durations ?? [], floor),
      ...cpuParts(`${nameOf(partner)}, CPU each`, cpu.slice(index, index + 1), cpu.slice(0, 1)),
    ]);
  } finally {
    await client.destroy();
    await product.discard();
  }
}

/** Notes how long each took; returns the same of the floor. */
async function readInTurns(client: Client, partners: readonly Partner[], reads: number): Promise<number[]> {
  const floor: number[] = [];
  for (let read = -warmUpReads; read < reads; read += 1) {
    for (const { token, durations } of partners) {
      const [took, floorTook] = [await timed(client, path, token), await timed(client, '/auth/me', token)];
      if (read < 0) continue;
      durations.push(took);
      floor.push(floorTook);
    }
  }
  return floor;
}

interface CpuOfReads {
  readonly cpuMsEachOf: Readonly<Record<string, number>>;
}

/** Tells more than the clock does on a machine that has other work. */
async function cpuOfReads(
  client: Client,
  { token, reads, pids }: { token: string; reads: number; pids: Readonly<Record<string, number>> },
): Promise<CpuOfReads> {
  const before = readCpuTimes(pids);
  for (let read = 0; read < reads; read += 1) await timed(client, path, token);
  const used = Object.entries(cpuSince(before, pids));
  return { cpuMsEachOf: Object.fromEntries(used.map(([name, ms]) => [name, ms / reads])) };
}

const nameOf = ({ size }: Partner): string => `analytics of ${size} items and ${size / 2} orders`;

function casesOf(partner: Partner, smallest: readonly number[], floor: readonly number[]): BenchCase[] {
  const [name, { durations }] = [nameOf(partner), partner];
  const at = (values: readonly number[], percent: number): number => percentile([...values], percent);
  return [
    toCase({ name: `${name}, p50`, value: at(durations, 50), unit: 'ms', floor: at(floor, 50) }),
    toCase({ name: `${name}, p95`, value: at(durations, 95), unit: 'ms', floor: at(floor, 95) }),
    toCase({ name: `${name}, p50 beside the smallest`, value: at(durations, 50), unit: 'ms', floor: at(smallest, 50) }),
  ];
}

const password = 'a password for the bench';
const emailOf = (size: number): string => `bench-${size}@example.com`;

async function signUp(client: Client, product: Product, size: number): Promise<Partner> {
  const { account } = await openSession(client, '/auth/register', { email: emailOf(size), password, name: 'Bench' });
  await fillAccount(product.foundation.store, account.id, size);
  return { size, id: account.id, token: '', durations: [] };
}

async function logIn(client: Client, { size }: Partner): Promise<string> {
  return (await openSession(client, '/auth/login', { email: emailOf(size), password })).accessToken;
}

interface OpenedSession {
  readonly accessToken: string;
  readonly account: { readonly id: AccountId };
}

async function openSession(client: Client, to: string, credentials: object): Promise<OpenedSession> {
  const headers = { 'content-type': 'application/json' };
  const answer = await client.request({ method: 'POST', path: to, headers, body: JSON.stringify(credentials) });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`POST ${to} was answered ${answer.statusCode}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as OpenedSession;
}

async function timed(client: Client, to: string, token: string): Promise<number> {
  for (;;) {
    const startedAt = performance.now();
    const answer = await client.request({ method: 'GET', path: to, headers: { authorization: `Bearer ${token}` } });
    const text = await answer.body.text();
    const took = performance.now() - startedAt;
    if (answer.statusCode === 200) return took;
    if (answer.statusCode !== 429)
      throw new Error(`GET ${to} was answered ${answer.statusCode}: ${text.slice(0, 300)}`);
    await pause(Number(answer.headers['retry-after'] ?? 1) * 1_000);
  }
}

/** How the largest account's answer is found. */
async function printPlans(product: Product, { id }: Partner): Promise<void> {
  const { connection } = product.foundation.store;
  const [items, sums] = [
    connection.collection('items'),
    connection.collection('order_sums'),
  ] as unknown as Collection[];
  if (items === undefined || sums === undefined) return;
  const uncounted = items.find({ isUncounted: true, accountId: id }).hint(uncountedIndex);
  const shown = {
    inventory: uncounted.project({ _id: 0, countedAs: 1, inventoryClass: 1 }),
    orders: sums.find({ accountId: id }),
  };
  for (const [name, query] of Object.entries(shown)) {
    const { executionStats } = (await query.explain('executionStats')) as { executionStats: Document };
    const { totalKeysExamined, totalDocsExamined } = executionStats;
    console.error(
      `· plan of ${name}: ${stagesOf(executionStats['executionStages'])}, keys ${totalKeysExamined}, documents ${totalDocsExamined}`,
    );
  }
}

function stagesOf(stage: Document | undefined): string {
  if (stage === undefined) return '';
  const {
    stage: name,
    keyPattern,
    inputStage,
  } = stage as { stage: string; keyPattern?: object; inputStage?: Document };
  const own = keyPattern === undefined ? name : `${name} ${JSON.stringify(keyPattern)}`;
  return inputStage === undefined ? own : `${own} < ${stagesOf(inputStage)}`;
}
