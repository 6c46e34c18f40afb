import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient, type Db } from 'mongodb';
import type { ItemKey } from './observe-product.ts';
import type { Product } from './product.ts';
import type { BenchServers } from './servers.ts';

/** What was done so far, or of each piece. */
export interface Work {
  /** Documents that were inserted, changed or deleted. */
  readonly rows: number;
  /** Commands of the database, but for those by which drivers watch it. */
  readonly commands: number;
  /** Events in the histories of workflows. */
  readonly workflowEvents: number;
  readonly atMs: number;
}

const watching = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'serverStatus']);

/** All commands that the database was ever sent, but for those by which drivers watch it. */
export const countCommands = async (mongo: MongoClient): Promise<number> => (await readServer(mongo)).commands;

/** Counts what the product does, and looks at its rows with a client whose own commands do not count. */
export interface Counter extends AsyncDisposable {
  readonly count: () => Promise<Work>;
  readonly untilSettled: (key: ItemKey) => Promise<unknown>;
  readonly untilAllSettled: () => Promise<unknown>;
  /** Until so many deliveries have their outcome. */
  readonly untilDelivered: (count: number) => Promise<unknown>;
}

export async function startCounter({ mongodbUri, temporalClient }: BenchServers, product: Product): Promise<Counter> {
  const client = await MongoClient.connect(mongodbUri, { monitorCommands: true });
  let own = 0;
  client.on('commandStarted', () => (own += 1));
  const db: Db = client.db(product.taskQueue);
  return {
    count: async () => {
      let workflowEvents = 0;
      const runs = temporalClient.workflow.list({ query: `TaskQueue STARTS_WITH "${product.taskQueue}"` });
      for await (const { historyLength } of runs) workflowEvents += historyLength;
      const { rows, commands } = await readServer(client);
      return { rows, commands: commands - own, workflowEvents, atMs: performance.now() };
    },
    untilSettled: ({ accountId, externalId }) =>
      soon(`${externalId} is settled`, async () => {
        const row = await db.collection('items').findOne({ accountId, externalId, current: true });
        return row !== null && row['revision'] === row['settledRevision'];
      }),
    untilAllSettled: () =>
      soon('all items are settled', async () => {
        const owing = { $expr: { $ne: ['$revision', '$settledRevision'] } };
        return (await db.collection('items').findOne(owing)) === null;
      }),
    untilDelivered: (count) =>
      soon(`${count} deliveries have their outcome`, async () => {
        const done = await db.collection('deliveries').countDocuments({ state: { $ne: 'pending' } });
        return done >= count;
      }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Looks so often that the time until then can be measured. */
async function soon(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within a minute: ${what}`);
    await pause(2);
  }
}

async function readServer(mongo: MongoClient): Promise<{ rows: number; commands: number }> {
  const { metrics } = await mongo.db('admin').command({ serverStatus: 1 });
  const { commands, document } = metrics as {
    commands: Record<string, { total?: number }>;
    document: { inserted: number; updated: number; deleted: number };
  };
  const counted = Object.entries(commands).filter(([name]) => !watching.has(name));
  return {
    rows: document.inserted + document.updated + document.deleted,
    commands: counted.reduce((total, [, one]) => total + (one.total ?? 0), 0),
  };
}

export const perSecondOf = (before: Work, after: Work, seconds: number): Work => ({
  rows: (after.rows - before.rows) / seconds,
  commands: (after.commands - before.commands) / seconds,
  workflowEvents: 0,
  atMs: seconds * 1_000,
});

interface Piecework {
  /** In a second, without work. */
  readonly idle: Work;
  readonly count: number;
}

/** What each of so many pieces takes, less what would have happened anyway. */
export async function workBetween(
  counter: Counter,
  { idle, count }: Piecework,
  run: () => Promise<unknown>,
): Promise<Work> {
  const before = await counter.count();
  await run();
  const after = await counter.count();
  const seconds = (after.atMs - before.atMs) / 1_000;
  const each = (total: number, perSecond: number): number => Math.max(0, (total - perSecond * seconds) / count);
  return {
    rows: each(after.rows - before.rows, idle.rows),
    commands: each(after.commands - before.commands, idle.commands),
    workflowEvents: each(after.workflowEvents - before.workflowEvents, 0),
    atMs: seconds * 1_000,
  };
}
