import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { dropIndex } from './drop-index.ts';

/**
 * A step from one version of the database's structure to the next. Needed when an index changes or goes, and when documents must
 * be changed for good; an index that is only new needs none. What of it was done when its process died is done once more.
 */
export interface Migration {
  /** 1, 2, 3 … in the order of the list. */
  readonly version: number;
  readonly what: string;
  /** Before the indexes. Old processes run beside it and after it: it may only leave what both understand. */
  readonly run?: (database: mongo.Db) => Promise<void>;
  /** Indexes that nobody needs any more, by their names. Dropped after the new ones are there. */
  readonly obsoleteIndexes?: readonly { readonly collection: string; readonly name: string }[];
}

export interface Steps {
  readonly migrations: readonly Migration[];
  /** Adds the indexes that are missing. Must be safe when several processes do it. */
  readonly add: () => Promise<void>;
  /** Takes away what the added ones have replaced. Likewise. */
  readonly retire: () => Promise<void>;
  /** How long a process that was killed keeps the others waiting. By default a minute. */
  readonly leaseMs?: number;
}

interface Recorded {
  readonly _id: 'structure';
  /** Absent until the first step has been finished. */
  readonly version?: number;
  readonly holder?: string | null;
  readonly heldUntil?: Date;
}

const waitMs = 250;

/**
 * One process takes the database through the steps that it has not seen yet, the others wait for it. Who is not older than the
 * database then checks the indexes; who is older, a process that was started again in the middle of a deploy, only adds.
 */
export async function migrate(database: mongo.Db, { migrations, add, retire, leaseMs = 60_000 }: Steps): Promise<void> {
  const target = migrations.at(-1)?.version ?? 0;
  const record = database.collection<Recorded>('structure_version');
  for (;;) {
    const reached = (await record.findOne({ _id: 'structure' }))?.version ?? 0;
    if (reached >= target) {
      await add();
      if (reached === target) await retire();
      return;
    }
    const lease = await takeLease(record, leaseMs);
    if (lease === undefined) {
      await pause(waitMs);
      continue;
    }
    try {
      const steps = migrations.filter(({ version }) => version > lease.reached);
      for (const { run } of steps) await run?.(database);
      await add();
      await retire();
      for (const { collection, name } of steps.flatMap(({ obsoleteIndexes }) => obsoleteIndexes ?? []))
        await dropIndex(database.collection(collection), name);
      await lease.finish(target);
      return;
    } finally {
      await lease.release();
    }
  }
}

interface Lease {
  readonly reached: number;
  /** Throws when another process has taken over, because this one was silent for too long. */
  finish(version: number): Promise<void>;
  release(): Promise<void>;
}

/** undefined while another process has it. By the database's clock, renewed while it is held. */
async function takeLease(record: mongo.Collection<Recorded>, leaseMs: number): Promise<Lease | undefined> {
  const holder = randomUUID();
  const hold = { $set: { holder, heldUntil: { $add: ['$$NOW', leaseMs] } } };
  const isFree = { $expr: { $lt: ['$heldUntil', '$$NOW'] } };
  await ensureRecord(record);
  const taken = await record.findOneAndUpdate({ _id: 'structure', ...isFree }, [hold], { returnDocument: 'after' });
  if (taken === null) return undefined;
  const own = { _id: 'structure', holder } as const;
  const renewal = setInterval(() => {
    // One that fails is made good by the next; when none comes through, another process takes over.
    record.updateOne(own, [hold]).catch(() => undefined);
  }, leaseMs / 3);
  return {
    reached: taken.version ?? 0,
    finish: async (version) => {
      const { matchedCount } = await record.updateOne(own, { $set: { version } });
      if (matchedCount === 0) throw new Error('another process took the migration over');
    },
    release: async () => {
      clearInterval(renewal);
      await record.updateOne(own, { $set: { holder: null, heldUntil: new Date(0) } });
    },
  };
}

const duplicateKey = 11_000;

async function ensureRecord(record: mongo.Collection<Recorded>): Promise<void> {
  try {
    await record.updateOne({ _id: 'structure' }, { $setOnInsert: { heldUntil: new Date(0) } }, { upsert: true });
  } catch (error) {
    // Another made it at the same moment.
    if (!(error instanceof mongo.MongoServerError) || error.code !== duplicateKey) throw error;
  }
}
