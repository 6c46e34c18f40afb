import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { cpuSince, readCpuTimes, shared, type CpuTimes, type Pids } from './cpu.ts';
import { percentile, type Round } from './result.ts';

/** One PUT; `expected` must stand in its answer, so that nobody measures the wrong thing. */
export interface Push {
  readonly path: string;
  readonly body: string;
  readonly expected?: string;
  /** Besides those of all pushes. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LoadOptions {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** Pushes before anything is counted, so that both sides run compiled code: a number, as a time would be too short on a busy machine. */
  readonly warmUpPushes: number;
  readonly durationMs: number;
  /** The processes whose CPU time counts. */
  readonly pids: Pids;
  /** The next push of one connection (0-based): connections never touch each other's items. */
  readonly next: (connection: number) => Push;
}

export interface LoadResult extends Round {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Keeps each connection busy with one PUT after the other and counts those that were answered within the time. */
export async function measurePuts(options: LoadOptions): Promise<LoadResult> {
  const { warmUpPushes, durationMs, pids } = options;
  const durations: number[] = [];
  let answered = 0;
  let until = Number.POSITIVE_INFINITY;
  let used: Promise<CpuTimes> = Promise.resolve({});
  const begin = (at: number): void => {
    until = at + durationMs;
    const before = readCpuTimes(pids);
    // The last PUT may have ended before.
    used = pause(durationMs).then(() => cpuSince(before, pids));
  };
  await onEveryConnection(options, async (client, connection) => {
    for (let startedAt = performance.now(); startedAt < until; startedAt = performance.now()) {
      await put(client, options.next(connection), options.headers);
      const endedAt = performance.now();
      answered += 1;
      if (answered === warmUpPushes) begin(endedAt);
      else if (answered > warmUpPushes && endedAt < until) durations.push(endedAt - startedAt);
    }
  });
  return {
    perSecond: (durations.length * 1000) / durationMs,
    p50Ms: percentile(durations, 50),
    p99Ms: percentile(durations, 99),
    cpuMsEachOf: shared(await used, durations.length),
  };
}

/** Sends these pushes once, as fast as the connections allow. */
export async function putAll(
  target: Pick<LoadOptions, 'origin' | 'headers' | 'connections'>,
  pushes: readonly Push[],
): Promise<void> {
  const left = pushes.values();
  await onEveryConnection(target, async (client) => {
    for (const push of left) await put(client, push, target.headers);
  });
}

async function onEveryConnection(
  { origin, connections }: Pick<LoadOptions, 'origin' | 'connections'>,
  work: (client: Client, connection: number) => Promise<void>,
): Promise<void> {
  const clients = Array.from({ length: connections }, () => new Client(origin));
  try {
    await Promise.all(clients.map(work));
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
  }
}

async function put(client: Client, push: Push, headers: Readonly<Record<string, string>>): Promise<void> {
  const answer = await client.request({
    method: 'PUT',
    path: push.path,
    body: push.body,
    headers: { ...headers, ...push.headers },
  });
  const text = await answer.body.text();
  if (answer.statusCode === 202 && (push.expected === undefined || text.includes(push.expected))) return;
  throw new Error(`PUT ${push.path} was answered ${answer.statusCode}: ${text.slice(0, 300)}`);
}
