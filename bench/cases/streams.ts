import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { composeContext } from '../../compose/context.ts';
import { setUpAccount, type ApiAccount } from '../../test/support/set-up-account.ts';
import { prepareSession } from '../../features/accounts/own-sessions.ts';
import { itemBody, startPrice } from '../support/catalogue.ts';
import { spend, sum, untilQuiet } from '../support/cpu.ts';
import { measurePuts, putAll } from '../support/load.ts';
import { startProduct, type Product } from '../support/product.ts';
import { percentile, toCase, type BenchCase } from '../support/result.ts';
import type { BenchServers } from '../support/servers.ts';

export interface StreamPlan {
  readonly streams: number;
  readonly restSeconds: number;
  readonly seconds: number;
  readonly changes: number;
  readonly putMs: number;
}

/** A session may have six. */
const streamsEach = 5;
/** An address may have 500 connections. */
const streamsPerAddress = 400;

/** What open streams cost at rest and a push, and how long after its push a change is in a stream. */
export async function measureStreams(servers: BenchServers, plan: StreamPlan): Promise<BenchCase[]> {
  await using product = await startProduct(servers, { withWorker: false, settings: { RATE_LIMITS: 'off' } });
  const accounts = await Promise.all(
    Array.from({ length: Math.ceil(plan.streams / streamsEach) }, () => listenerOf(product)),
  );
  const pushed = await setUpAccount(product.foundation);
  const [restBefore, putBefore] = [await rest(product, plan), await puts(product, pushed, plan)];
  const first = accounts[0];
  if (first === undefined) throw new Error('no account listens');
  const streams = await Promise.all(
    Array.from({ length: plan.streams }, (_, n) =>
      openStream(product.apiUrl, accounts[Math.floor(n / streamsEach)] ?? first, n),
    ),
  );
  const [restWith, putWith] = [await rest(product, plan), await puts(product, pushed, plan)];
  const [stream] = streams;
  if (stream === undefined) throw new Error('no stream is open');
  const seenAfter = await delays(product, { account: first, stream }, plan);
  const share = (name: string): number => ((restWith[name] ?? 0) - (restBefore[name] ?? 0)) / 10;
  const open = `${plan.streams.toLocaleString('en')} open streams`;
  return [
    toCase({ name: `${open} at rest, API for them`, value: share('api'), unit: '% of a core', target: 5 }),
    toCase({ name: `${open} at rest, mongod for them`, value: share('mongod'), unit: '% of a core' }),
    toCase({ name: `PUT changed beside ${open}, CPU (beside none)`, value: putWith, floor: putBefore, unit: 'ms' }),
    toCase({ name: 'a push until it is in a stream, p50', value: percentile(seenAfter, 50), unit: 'ms' }),
    toCase({
      name: 'a push until it is in a stream, p95',
      value: percentile(seenAfter, 95),
      unit: 'ms',
      target: 1_000,
    }),
  ];
}

type Listener = ApiAccount & { readonly token: string };

async function listenerOf({ foundation }: Product): Promise<Listener> {
  const account = await setUpAccount(foundation);
  const { context, close } = composeContext(foundation);
  const { row } = prepareSession(context, account.id, { address: '127.0.0.1' });
  const sessions = foundation.store.connection.collection<{ _id: string }>('sessions');
  await sessions.insertOne(row);
  const token = context.sessions.sign({ accountId: account.id, sessionId: row._id }, foundation.now());
  await close();
  return { ...account, token };
}

/** ms of CPU a second, by process. */
async function rest(product: Product, { restSeconds, seconds }: StreamPlan): Promise<Readonly<Record<string, number>>> {
  await pause(restSeconds * 1_000);
  await untilQuiet(product.pids());
  const { cpuMsOf } = await spend(product.pids(), () => pause(seconds * 1_000));
  return Object.fromEntries(Object.entries(cpuMsOf).map(([name, ms]) => [name, ms / seconds]));
}

const connections = 8;

/** ms of CPU of all processes for each push that changes a price. */
async function puts({ apiUrl: origin, ...product }: Product, account: ApiAccount, plan: StreamPlan): Promise<number> {
  const target = { origin, headers: account.headers, connections };
  const names = Array.from({ length: connections }, () => randomUUID());
  let price = startPrice;
  const next = (connection: number) => {
    price += 1;
    return { path: `/integration/v1/items/${names[connection] ?? ''}`, body: JSON.stringify(itemBody(price)) };
  };
  await putAll(
    target,
    names.map((_name, n) => next(n)),
  );
  const pids = product.pids();
  const { cpuMsEachOf } = await measurePuts({ ...target, pids, warmUpPushes: 300, durationMs: plan.putMs, next });
  return sum(cpuMsEachOf);
}

/** Resolves when the text has come. */
type Await = (text: string) => Promise<void>;

/** Resolves with a way to wait for what comes, once it is ready. */
function openStream(url: string, { token }: Listener, number: number): Promise<Await> {
  const localAddress = `127.0.0.${2 + Math.floor(number / streamsPerAddress)}`;
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const waiting = new Map<string, () => void>();
    const sent = request(`${url}/partner/changes`, { localAddress, headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream was answered ${response.statusCode ?? 0}`));
      response.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('event: ready')) resolve((what) => new Promise((come) => void waiting.set(what, come)));
        for (const [what, come] of waiting) if (text.includes(what)) come();
      });
      response.once('close', () => reject(new Error('a stream has ended')));
    });
    sent.once('error', reject).end();
  });
}

interface Watched {
  readonly account: Listener;
  readonly stream: Await;
}

async function delays({ apiUrl }: Product, { account, stream }: Watched, plan: StreamPlan): Promise<number[]> {
  const seen: number[] = [];
  for (let n = 0; n < plan.changes; n += 1) {
    const externalId = randomUUID();
    const come = stream(externalId);
    const startedAt = performance.now();
    await fetch(`${apiUrl}/integration/v1/items/${externalId}`, {
      ...{ method: 'PUT', headers: account.headers, body: JSON.stringify(itemBody(startPrice)) },
    });
    await come;
    seen.push(performance.now() - startedAt);
    await pause(100 + Math.random() * 300);
  }
  return seen;
}
