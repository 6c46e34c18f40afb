import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import type { ManagedProcess } from '../../embedded/managed-process.ts';
import { until } from '../../test/support/until.ts';
import { compileProduct } from './support/compile-product.ts';
import { secondApi } from './support/more-processes.ts';
import { startSystem } from './support/system.ts';

// Two APIs behind a round robin and two workers, each of which is told to stop, and started again, while PUTs and deliveries go on:
// a deploy as docs/deployment.md describes it.

const itemsInAll = 160;
const noticeMs = 1_000;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** What a balancer does: asks `/readyz` every 100 ms, and gives requests in turn to those that are ready. */
class RoundRobin {
  /** The connection was refused, or closed before anything of the request was read: sent again, to the other one. */
  refused = 0;
  /** Broken in the middle, or answered with 5xx: nobody should see that. */
  readonly failed: string[] = [];
  readonly #backends: { url: string; isReady: boolean; agent: Agent }[];
  readonly #stop = new AbortController();
  #turn = 0;

  constructor(urls: readonly string[]) {
    this.#backends = urls.map((url) => ({ url, isReady: false, agent: new Agent({ keepAlive: true }) }));
  }

  watch(): void {
    for (const backend of this.#backends) {
      const look = async (): Promise<void> => {
        while (!this.#stop.signal.aborted) {
          backend.isReady = await fetch(`${backend.url}/readyz`, { headers: { connection: 'close' } }).then(
            async (answer) => (await answer.text(), answer.ok),
            () => false,
          );
          await pause(100);
        }
      };
      look().catch(() => undefined);
    }
  }

  stop(): void {
    this.#stop.abort();
    for (const { agent } of this.#backends) agent.destroy();
  }

  isReady(url: string): boolean {
    return this.#backends.some((backend) => backend.url === url && backend.isReady);
  }

  async put(path: string, headers: Record<string, string>, body: string): Promise<Answer> {
    for (;;) {
      const ready = this.#backends.filter(({ isReady }) => isReady);
      const backend = ready[(this.#turn += 1) % Math.max(1, ready.length)];
      if (backend === undefined) {
        await pause(20);
        continue;
      }
      try {
        const answer = await send(backend, { path, headers, body });
        if (answer.status >= 500) this.failed.push(`${path}: ${answer.status}`);
        return answer;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ECONNREFUSED') this.refused += 1;
        else this.failed.push(`${path}: ${String(code)} ${String(error)}`);
        await pause(20);
      }
    }
  }
}

async function send(
  { url, agent }: { url: string; agent: Agent },
  { path, headers, body }: { path: string; headers: Record<string, string>; body: string },
): Promise<Answer> {
  const sent = request(`${url}${path}`, { method: 'PUT', headers, agent });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return { status: answer.statusCode, text: Buffer.concat(chunks).toString() };
}

/** SIGTERM, the end by itself with 0, and a start. */
async function replace(child: ManagedProcess): Promise<void> {
  const exited = new Promise((resolve) => {
    child.onUnexpectedExit = resolve;
  });
  process.kill(child.pid ?? 0, 'SIGTERM');
  const exit = await exited;
  const { code } = exit as { code: number | null };
  if (code !== 0) throw new Error(`${child.name} ended with ${String(code)}`);
  await child.start();
}

test('every process is replaced under load: no request fails and everything is settled', async (t) => {
  t.timeout(600_000);
  const compiledIn = await compileProduct();
  const system = await startSystem({ API_SHUTDOWN_NOTICE_MS: String(noticeMs) }, { compiledIn });
  t.teardown(() => system.stop());
  const { api: otherApi, url: otherUrl } = await secondApi(system);
  t.teardown(() => otherApi.stop());
  await Promise.all([otherApi.start(), system.otherWorker.start()]);
  const robin = new RoundRobin([system.apiUrl, otherUrl]);
  robin.watch();
  t.teardown(() => robin.stop());

  let isOver = false;
  const accepted: string[] = [];
  const writers = Array.from({ length: 2 }, async (_, writer) => {
    for (let n = 0; !isOver || accepted.length < itemsInAll; n += 1) {
      const externalId = `R${writer}-${n}`;
      const body = JSON.stringify({ title: 'En sak', price: 100, imageUrls: [], domain: { domain: 'toys' } });
      const { status, text } = await robin.put(`/integration/v1/items/${externalId}`, system.headers, body);
      t.is(status, 202, text);
      accepted.push(externalId);
      await pause(300);
    }
  });
  await until('both are in use', () => Promise.resolve(robin.isReady(system.apiUrl) && robin.isReady(otherUrl)));
  for (const [child, url] of [
    [system.worker, ''],
    [system.api, system.apiUrl],
    [system.otherWorker, ''],
    [otherApi, otherUrl],
  ] as const) {
    await replace(child);
    if (url !== '') await until(`${url} is in use again`, () => Promise.resolve(robin.isReady(url)));
  }
  isOver = true;
  await Promise.all(writers);

  t.deepEqual(robin.failed, []);
  const items = system.foundation.store.connection.collection('items');
  await until(
    'everything is settled',
    async () => (await items.countDocuments({ $expr: { $ne: ['$revision', '$settledRevision'] } })) === 0,
    300_000,
  );
  t.is(await items.countDocuments({}), accepted.length);
  const listings = (await system.listings()).filter(({ state }) => state !== 'removed');
  t.is(listings.length, 0, 'nothing was asked to be published');
  await until('every event arrived', async () => {
    const created = (await system.received()).filter(({ body }) => body.eventType === 'item.created');
    return new Set(created.map(({ body }) => body.data.externalId)).size === accepted.length;
  });
  t.log(`${accepted.length} PUTs, ${robin.refused} refused before they were sent`);
});
